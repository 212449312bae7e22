// What is done to things that an administrator registers by hand, whatever their kind: added, tried, changed, removed.
import type { AclKey } from '../src/contract/acl.ts';
import type { SearchedNoun } from '../src/contract/search.ts';
import type { ManualLinkId } from '../src/features/manual.ts';
import type { FeatureId } from '../src/features/table.ts';
import { type Argument, type Command, command, type Facts } from './command.ts';
import { thingArgument } from './find.ts';
import { needs, onlyAtRoot, reaches, signedIn } from './gates.ts';
import { labelsArgument, wrongAddress } from './servers.ts';

export const addressArgument: Argument = {
  name: 'address',
  title: 'Address, host or host:port',
  free: wrongAddress,
  choices: () => [],
};

/** What its four commands do: `registered-acts.ts` makes them. */
export type RegisteredActs = Readonly<Record<'add' | 'trial' | 'change' | 'remove', Command['run']>>;

export interface Registered {
  readonly noun: SearchedNoun;
  /** What the ids of its commands begin with. */
  readonly prefix: string;
  /** With its article, as titles say it: "a database". */
  readonly one: string;
  readonly page: FeatureId;
  readonly key: AclKey;
  /** What a refusal calls the right's kind. */
  readonly resource: string;
  readonly manual: ManualLinkId;
  /** By which it is looked for when one is added, and always. */
  readonly words: readonly string[];
  readonly always?: readonly string[];
  /** Asked when one is added, between its name and its labels. */
  readonly name: Argument;
  readonly asks: readonly Argument[];
  /** What can be changed beside its labels: the last of `asks`, under another title. */
  readonly changes: { readonly what: string; readonly title: string };
  /** Fetched when one of them is run. */
  readonly loadActs: () => Promise<RegisteredActs>;
}

/** The four commands of one kind. */
export function registered(kind: Registered): Readonly<Record<keyof RegisteredActs, Command>> {
  const { noun, prefix, one, page, key, resource, manual, words, always = [], name, asks, changes, loadActs } = kind;
  const when = (facts: Facts): boolean => signedIn(facts) && reaches(page)(facts);
  const blocked = (flag: 'create' | 'edit' | 'remove') => (facts: Facts) =>
    needs(key, flag, resource)(facts) ?? onlyAtRoot(facts);
  const last = asks.at(-1);
  const changed = last === undefined ? [] : [{ ...last, title: changes.title, optional: true as const }];
  return {
    add: command({
      id: `${prefix}.add`,
      title: `Add ${one}…`,
      manual,
      group: 'manage',
      words: ['new', 'register', 'enroll', ...words, ...always],
      when,
      blocked: blocked('create'),
      args: [name, ...asks, labelsArgument],
      run: async (...asked) => (await loadActs()).add(...asked),
    }),
    trial: command({
      id: `${prefix}.try`,
      title: `Try ${one}…`,
      manual,
      group: 'manage',
      words: ['test', 'check', 'diagnose', 'connection', 'why', 'probe', ...always],
      when,
      args: [thingArgument(noun)],
      run: async (...asked) => (await loadActs()).trial(...asked),
    }),
    change: command({
      id: `${prefix}.change`,
      title: `Change ${changes.what} or the labels of ${one}…`,
      manual,
      group: 'manage',
      words: ['edit', 'move', 'host', 'tags', ...always],
      when,
      blocked: blocked('edit'),
      args: [thingArgument(noun), ...changed, labelsArgument],
      run: async (...asked) => (await loadActs()).change(...asked),
    }),
    remove: command({
      id: `${prefix}.remove`,
      title: `Remove ${one}…`,
      group: 'manage',
      destructive: true,
      words: ['delete', 'forget', ...always],
      when,
      blocked: blocked('remove'),
      args: [thingArgument(noun)],
      run: async (...asked) => (await loadActs()).remove(...asked),
    }),
  };
}
