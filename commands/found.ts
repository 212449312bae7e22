// Things of the gateway, searched: the one place where commands and the palette ask for them. Commands come here by find.ts, once they ask.
import { listNodes } from '../src/contract/nodes.ts';
import { SEARCH_MOST_CHARACTERS, type SearchedNoun, search } from '../src/contract/search.ts';
import { wordsFilter } from '../src/contract/words.ts';
import { itemsOf } from '../src/features/items.ts';
import { serverItems } from '../src/features/server-items.ts';
import type { NounId } from '../src/features/thing.ts';
import type { Thing, Tools } from './command.ts';

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
  const all = new Map(
    kinds.flatMap((kind): [SearchedNoun, Found][] => {
      const hits = found[kind];
      if (hits === undefined) return [];
      const things = hits.items.map(item => itemsOf(kind).thing(item)).filter(thing => thing !== null);
      return [[kind, { things, complete: hits.complete }]];
    }),
  );
  const [, host = '', port] = HOST_AND_PORT.exec(words) ?? [];
  const servers = all.get('server')?.things;
  if (servers && port !== undefined) {
    const named = servers.length > 0 ? servers : await findServers(asks, clusterId, host, most);
    all.set('server', {
      things: named
        .filter(({ detail = '' }) => (/:(\d+)$/.exec(detail)?.[1] ?? SSH_PORT) === port)
        .map(thing => (thing.title === host ? { ...thing, title: words } : thing)),
      complete: false,
    });
  }
  return all;
}
/** A server by its name and the port of its address, as people write what they connect to. */
const HOST_AND_PORT = /^([^\s:]+):(\d{1,5})$/;
/** That of a server whose address names none. */
const SSH_PORT = '22';
const findServers = async (asks: Asks, clusterId: string, host: string, most: number): Promise<readonly Thing[]> =>
  (await findThings(asks, clusterId, ['server'], host, most)).get('server')?.things ?? [];

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
    things: page.items.map(serverItems.thing),
    complete: page.startKey === '',
  };
}
const quoted = (text: string): string => text.replace(/[\\"]/g, '\\$&').slice(0, 1024);

/** The items of a noun's own list that hold all typed words, for kinds that the search does not look for. */
export async function findListed(
  asks: Asks,
  clusterId: string,
  kind: NounId,
  typed: string,
  most: number,
): Promise<readonly Thing[]> {
  const { list, thing, isWhole } = itemsOf(kind);
  const search = typed.trim().slice(0, SEARCH_MOST_CHARACTERS);
  const { items } = await list(asks.call, { clusterId, search, limit: most, startKey: '' });
  const fits = wordsFilter(search);
  return items
    .map(thing)
    .filter(one => one !== null)
    .filter(({ id, title, detail = '' }) => !isWhole || fits(`${id} ${title} ${detail}`));
}
