// Things of the gateway, searched: the one place where commands and the palette ask for them.
import { listNodes } from '../src/contract/nodes.ts';
import { SEARCH_MOST_CHARACTERS, type SearchedNoun, search } from '../src/contract/search.ts';
import { wordsFilter } from '../src/contract/words.ts';
import { nounOf, nouns } from '../src/features/nouns.ts';
import { capital, type NounId } from '../src/features/thing.ts';
import { CHOICES_MOST, choiceOf, selectedFirst } from './answer.ts';
import type { Argument, Thing, Tools } from './command.ts';

/** The part of the tools that searching needs. */
export type Asks = Pick<Tools, 'call'>;

/** What a search found, and whether that is everything there is: then a narrower search need not ask again. */
export interface Found {
  readonly things: readonly Thing[];
  readonly complete: boolean;
}

/** Everything of these kinds that holds all typed words, at most `most` of each. A kind that the person may not list is not in it. */
export async function findThings(
  asks: Asks,
  clusterId: string,
  kinds: readonly SearchedNoun[],
  typed: string,
  most: number,
): Promise<ReadonlyMap<SearchedNoun, Found>> {
  const words = typed.trim().slice(0, SEARCH_MOST_CHARACTERS);
  const found = await asks.call(search, {
    params: { clusterId },
    query: { nouns: kinds.join(','), limit: most, ...(words && { search: words }) },
  });
  return new Map(
    kinds.flatMap((kind): [SearchedNoun, Found][] => {
      const hits = found[kind];
      if (hits === undefined) return [];
      const things = hits.items.map(item => nounOf(kind).thing(item)).filter(thing => thing !== null);
      return [[kind, { things, complete: hits.complete }]];
    }),
  );
}

/** A question that a thing answers: what the gateway finds, after what is marked on screen. */
export function thingArgument(kind: SearchedNoun, more: Partial<Pick<Argument, 'name' | 'title'>> = {}): Argument {
  const { one } = nouns[kind];
  return {
    name: kind,
    title: capital(one),
    ...more,
    takes: kind,
    choices: async (typed, _given, facts, asks) => {
      const found = await findThings(asks, facts.clusterId, [kind], typed, CHOICES_MOST);
      return selectedFirst(kind, facts, typed, (found.get(kind)?.things ?? []).map(choiceOf));
    },
  };
}

/** Servers with a label: `env`, `env=prod` or `env: prod`. */
export async function findLabelled(asks: Asks, clusterId: string, typed: string, most: number): Promise<Found> {
  const [, name = '', value = ''] = /^\s*([^=:\s]+)\s*(?:[=:]\s*(.*))?$/.exec(typed) ?? [];
  const asked =
    name === '' || value.trim() === ''
      ? { search: (name || typed).trim().slice(0, SEARCH_MOST_CHARACTERS) }
      : { query: `labels["${quoted(name)}"] == "${quoted(value.trim())}"` };
  const page = await asks.call(listNodes, {
    params: { clusterId },
    query: { ...asked, limit: most, sort: 'hostname:asc' },
  });
  return {
    things: page.items.map(nouns.server.thing),
    complete: page.startKey === '',
  };
}
const quoted = (text: string): string => text.replace(/[\\"]/g, '\\$&').slice(0, 1024);

/** A question that a thing answers which only its own list finds: the palette does not look for it. */
export function listedArgument(kind: NounId, name: string = kind): Argument {
  const { one, list, thing, isWhole } = nounOf(kind);
  return {
    name,
    title: capital(one),
    takes: kind,
    choices: async (typed, _given, facts, asks) => {
      const asked = { search: typed.trim().slice(0, SEARCH_MOST_CHARACTERS), limit: CHOICES_MOST, startKey: '' };
      const { items } = await list(asks.call, { clusterId: facts.clusterId, ...asked });
      const fits = wordsFilter(asked.search);
      const found = items
        .map(thing)
        .filter(one => one !== null)
        .filter(({ id, title, detail = '' }) => !isWhole || fits(`${id} ${title} ${detail}`));
      return selectedFirst(kind, facts, typed, found.map(choiceOf));
    },
  };
}
