// What the commands of registered things do once they are asked: fetched then.
import type { BodyOf } from '../src/contract/call.ts';
import type { diagnoseConnection } from '../src/contract/diagnostics.ts';
import type { ManualLinkId } from '../src/features/manual.ts';
import type { FeatureId } from '../src/features/table.ts';
import type { NounId } from '../src/features/thing.ts';
import { answer, confirmed } from './answer.ts';
import type { Choice, Facts, Given, Tools } from './command.ts';
import type { RegisteredActs } from './registered.ts';
import { labelsOf } from './servers.ts';
import { tryUntilUsable } from './trial.ts';

type Labels = ReturnType<typeof labelsOf>;
type Call = Tools['call'];

interface Kind {
  readonly noun: NounId;
  readonly page: FeatureId;
  /** What the diagnostics call it. */
  readonly diagnosed: BodyOf<typeof diagnoseConnection>['resource_kind'];
  readonly manual: ManualLinkId;
  /** What is in order when it can be used. */
  readonly good: string;
  /** The question whose answer says where it is. */
  readonly place: 'address' | 'kubeconfig';
  /** What a change without any asks for. */
  readonly lacking: string;
  /** What its removal does besides. */
  readonly removal: string;
  readonly called: string;
  readonly create: (
    call: Call,
    clusterId: string,
    given: Given,
    body: { name: string; labels: Labels },
  ) => Promise<unknown>;
  /** `place`: undefined where it stays. */
  readonly update: (
    call: Call,
    params: { clusterId: string; name: string },
    body: { readonly place: string | undefined; readonly labels: Labels | undefined },
  ) => Promise<unknown>;
  readonly remove: (
    tools: Tools,
    params: { clusterId: string; name: string },
    chosen: Choice,
    facts: Facts,
  ) => Promise<unknown>;
}

/** The four of one kind. */
export function registeredActs(kind: Kind): RegisteredActs {
  const { noun, page, diagnosed, manual, good, place } = kind;
  const tried = (name: string, facts: Pick<Facts, 'clusterId'>, tools: Tools): Promise<void> =>
    tryUntilUsable(diagnosed, { name }, { good, manual }, facts, tools);
  return {
    async add(given, facts, tools) {
      const name = answer(given, 'name').value.trim();
      await kind.create(tools.call, facts.clusterId, given, { name, labels: labelsOf(given) });
      tools.notify(`${name} has been added`);
      if (facts.surface === 'console') tools.go(page, { clusterId: facts.clusterId });
      await tried(name, facts, tools);
    },
    async trial(given, facts, tools) {
      await tried(answer(given, noun).value, facts, tools);
    },
    async change(given, facts, tools) {
      const { value: name } = answer(given, noun);
      const typed = given[place]?.value.trim() ?? '';
      const moved = typed === '' ? undefined : typed;
      const labels = labelsOf(given);
      if (moved === undefined && labels.length === 0) throw new Error(kind.lacking);
      const params = { clusterId: facts.clusterId, name };
      await kind.update(tools.call, params, { place: moved, labels: labels.length === 0 ? undefined : labels });
      tools.notify(`${name} has been changed`);
      tools.list.reload?.();
      if (moved !== undefined) await tried(name, facts, tools);
    },
    async remove(given, facts, tools) {
      const chosen = answer(given, noun);
      const { value: name } = chosen;
      await confirmed(tools, { title: `Remove ${name}?`, text: kind.removal, action: `Remove the ${kind.called}` });
      await kind.remove(tools, { clusterId: facts.clusterId, name }, chosen, facts);
      tools.notify(`${name} has been removed`);
      tools.list.reload?.();
    },
  };
}
