import { type ReactNode, useRef, useState } from 'react';
import type { Thing } from '../../../commands/command.ts';
import { Pager } from '../ui/Pager.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { type Column, type Sort, Table } from '../ui/Table.tsx';
import { arranged, pageOf, type Searched } from './client-list.ts';
import { Empty, ListPage, NoneFound } from './ListPage.tsx';
import { usePage } from './page.tsx';

export interface ClientListProps<Row> extends Searched<Row> {
  readonly title: string;
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly status: 'initial' | 'processing' | 'success' | 'failed';
  readonly error: { readonly message: string } | null;
  readonly sort?: Sort;
  /** Rows per page. */
  readonly size: number;
  readonly actions?: ReactNode;
  readonly filters?: ReactNode;
  readonly empty: ReactNode;
  readonly onMore?: (() => void) | undefined;
  readonly thingOf?: (row: Row) => Thing | null;
}

/** A list that came whole, or as far as it was fetched: filter and sort work on what is loaded. Filter and sort are in the URL. */
export function ClientList<Row>({
  title,
  noun,
  columns,
  rows,
  rowKey,
  status,
  error,
  sort: first,
  size,
  actions,
  filters,
  empty,
  onMore,
  thingOf,
  words,
  sortBy,
}: ClientListProps<Row>) {
  const page = usePage();
  const [at, setAt] = useState(0);
  const filter = useRef<HTMLInputElement>(null);
  const text = page.query.search ?? '';
  const [, key, direction] = /^([A-Za-z]+):(asc|desc)$/.exec(page.query.sort ?? '') ?? [];
  const sort = key === undefined ? first : { key, down: direction === 'desc' };
  const found = arranged(rows, text, sort, { words, sortBy });
  const shown = pageOf(found, at, size);
  const busy = status === 'processing' || status === 'initial';
  const search = (next: string): void => {
    setAt(0);
    page.setQuery({ search: next });
  };
  return (
    <ListPage
      title={title}
      actions={actions}
      error={error}
      tools={
        <>
          <SearchField
            ref={filter}
            live
            label={`Filter ${title}`}
            placeholder={`Filter ${noun}s`}
            value={text}
            onSearch={search}
          />
          {filters}
        </>
      }
    >
      <Table
        label={title}
        columns={columns}
        rows={shown.rows}
        rowKey={rowKey}
        sort={sort}
        onSort={next => page.setQuery({ sort: `${next.key}:${next.down ? 'desc' : 'asc'}` })}
        busy={busy}
        empty={
          status === 'failed' ? (
            'Nothing could be loaded.'
          ) : text !== '' ? (
            <NoneFound filter={text} onClear={() => search('')} />
          ) : (
            <Empty title={`No ${noun}s`}>{empty}</Empty>
          )
        }
        onSelection={chosen => thingOf && page.select(chosen.map(thingOf).filter(thing => thing !== null))}
        onFilter={() => filter.current?.focus()}
        footer={
          (rows.length > 0 || onMore) && (
            <Pager
              from={shown.from}
              to={shown.to}
              of={found.length}
              busy={busy}
              onMore={onMore}
              onPrevious={shown.page > 0 ? () => setAt(shown.page - 1) : undefined}
              onNext={shown.page < shown.last ? () => setAt(shown.page + 1) : undefined}
            />
          )
        }
      />
    </ListPage>
  );
}
