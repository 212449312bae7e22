// What the address of a list names to be opened: of the rows that came, else asked for.
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../palette/run.ts';
import { usePage } from './page.tsx';
import type { FetchPage } from './paged-list.ts';

interface Named<Item> {
  /** The part of the address that holds its id. */
  readonly part: string;
  /** What it is called when there is none of that id. */
  readonly one: string;
  readonly known: (id: string) => Item | undefined;
  readonly ask: (id: string) => Promise<Item | undefined>;
}

/** Null while the address names nothing, or what it names is on its way; what is not there is said, and leaves the address. */
export function useNamed<Item>(named: Named<Item>): { readonly item: Item | null; readonly close: () => void } {
  const { query, setQuery, notify } = usePage();
  const { part, one } = named;
  const id = query[part];
  const [asked, setAsked] = useState<{ readonly id: string; readonly item: Item } | null>(null);
  const item = id === undefined ? null : (named.known(id) ?? (asked?.id === id ? asked.item : null));
  const latest = useRef({ named, setQuery, notify });
  latest.current = { named, setQuery, notify };
  const isMissing = id !== undefined && item === null;
  useEffect(() => {
    if (!isMissing) return;
    let isHere = true;
    const giveUp = (why: string): void => {
      if (!isHere) return;
      latest.current.setQuery({ [part]: undefined });
      latest.current.notify(why);
    };
    latest.current.named.ask(id).then(
      found => {
        if (found === undefined) giveUp(`There is no ${one} ${id}`);
        else if (isHere) setAsked({ id, item: found });
      },
      (error: unknown) => giveUp(messageOf(error)),
    );
    return () => {
      isHere = false;
    };
  }, [isMissing, id, part, one]);
  return { item, close: () => setQuery({ [part]: undefined }) };
}

/** Rows that are remembered, so that nothing is asked anew for one that is on screen. */
const SEEN_MOST = 2000;

/** A list of resources, and the one of them that the address says to connect to. */
export function useConnecting<Row extends { readonly name: string }>(one: string, list: FetchPage<Row>) {
  const seen = useRef(new Map<string, Row>()).current;
  const { item, close } = useNamed<Row>({
    part: 'connect',
    one,
    known: name => seen.get(name),
    ask: async name =>
      (await list({ limit: 1, query: `resource.metadata.name == ${JSON.stringify(name)}` }, true)).items[0],
  });
  const fetchPage: FetchPage<Row> = async (query, isFresh) => {
    const page = await list(query, isFresh);
    if (seen.size > SEEN_MOST) seen.clear();
    for (const row of page.items) seen.set(row.name, row);
    return page;
  };
  return { open: item, close, fetchPage };
}
