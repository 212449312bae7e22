import { type Key, useMemo, useState } from 'react';
import type { MakeCall } from '../../contract/call.ts';
import { useGate } from '../palette/gate.ts';
import type { PagedListProps } from './PagedList.tsx';
import { usePage } from './page.tsx';
import { pagesOfWhole, type Searched } from './whole.ts';

/** Things that are written as YAML, each by its name; `Saved`: as the gateway answers them when one is saved. Stays the same. */
export interface Written<Item, Saved = Item> extends Searched<Item> {
  /** One of them, in the words of a sentence: `role`. */
  readonly one: string;
  /** What its commands begin with: those that create and edit are its gates. */
  readonly commands: string;
  readonly list: (api: MakeCall) => Promise<readonly Item[]>;
  /** How the address names one. Absent: by its name. */
  readonly idOf?: (item: Item) => string;
  /** What is told once one has been saved. Absent: that it has been. */
  readonly saved?: (item: Saved) => string;
}
interface Editor<Item, Saved> {
  /** Null: a new one. */
  readonly item: Item | null;
  /** Why it may only be read. */
  readonly refused: string | undefined;
  onCancel(): void;
  onDone(saved: Saved): void;
}

/** The list of such things, and what the address has opened of them: `?new=yes`, `?edit=ID`. */
export function useWritten<Item extends { readonly name: string }, Saved extends { readonly name: string } = Item>(
  written: Written<Item, Saved>,
): {
  readonly listed: Pick<PagedListProps<Item>, 'fetchPage' | 'version' | 'source'>;
  /** Null until they are here. */
  readonly items: readonly Item[] | null;
  /** What its dialog is given, one for each key; null: nothing is written or changed. */
  readonly editor: { readonly key: Key; readonly props: Editor<Item, Saved> } | null;
} {
  const { api, query, setQuery, notify } = usePage();
  const { one, commands, idOf = ({ name }: Item) => name } = written;
  const [items, setItems] = useState<readonly Item[] | null>(null);
  const [version, setVersion] = useState(0);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Item>(async () => {
        const found = await written.list(api);
        setItems(found);
        return found;
      }, written),
    [api, written],
  );
  const create = useGate(`${commands}.create`);
  const edit = useGate(`${commands}.edit`);
  const edited = items?.find(item => idOf(item) === query.edit);
  const isNew = query.new !== undefined && create.refused === undefined;
  const isMissing = items !== null && query.edit !== undefined && edited === undefined;
  const onCancel = (): void => setQuery({ new: undefined, edit: undefined, line: undefined });
  return {
    items,
    listed: {
      fetchPage,
      version,
      source: isMissing ? { status: 'success', error: { message: `There is no ${one} ${query.edit}` } } : undefined,
    },
    editor:
      isNew || edited !== undefined
        ? {
            key: edited === undefined ? '' : idOf(edited),
            props: {
              item: edited ?? null,
              refused: edited === undefined ? undefined : edit.refused,
              onCancel,
              onDone(saved) {
                onCancel();
                notify(written.saved?.(saved) ?? `The ${one} ${saved.name} has been saved`);
                setVersion(times => times + 1);
              },
            },
          }
        : null,
  };
}
