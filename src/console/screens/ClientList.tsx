import { type ReactNode, useRef } from 'react';
import type { Thing } from '../../../commands/command.ts';
import type { ListAct } from '../ui/list.ts';
import { Pager } from '../ui/Pager.tsx';
import { pressed } from '../ui/pressed.ts';
import { SearchField } from '../ui/SearchField.tsx';
import { type Column, type Sort, Table } from '../ui/Table.tsx';
import { BulkBar } from './BulkBar.tsx';
import { copied } from './Copyable.tsx';
import { useChoices } from './choices.ts';
import { arranged, pageOf, type Searched } from './client-list.ts';
import { Empty, ListPage, NoneFound, spoken } from './ListPage.tsx';
import { ListTools } from './ListTools.tsx';
import { chosenColumns } from './list-choices.ts';
import { usePage } from './page.tsx';
import { useRowMenu } from './row-menu.tsx';

/** A filter that the gateway applies; the rows that come are those that fit. */
interface GatewayFilter {
  readonly placeholder: string;
  /** What is wrong with the line, shown below it. */
  readonly fault?: string | undefined;
}

export interface ClientListProps<Row> extends Searched<Row> {
  readonly title: string;
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly status: 'initial' | 'processing' | 'success' | 'failed';
  readonly error: { readonly message: string; readonly requestId?: string | undefined } | null;
  readonly sort?: Sort;
  /** Rows per page. */
  readonly size: number;
  readonly actions?: ReactNode;
  readonly filters?: ReactNode;
  readonly empty: ReactNode;
  readonly onMore?: (() => void) | undefined;
  readonly thingOf?: (row: Row) => Thing | null;
  /** What "Copy the name of the row" copies; default: the row's id. */
  readonly copyOf?: (row: Row) => string;
  readonly bulk?: readonly string[];
  /** What the screen's own tools do. */
  readonly onAct?: (what: ListAct) => void;
  /** The command that Enter does on a row, if it is one. */
  readonly opens?: string;
  readonly gatewayFilter?: GatewayFilter;
}

/** A list that came whole, or as far as it was fetched: filter and sort work on what is loaded. Filter, sort and page are in the URL. */
export function ClientList<Row>(props: ClientListProps<Row>) {
  const { title, noun, rows, rowKey, status, error, sort: first, size, empty, onMore, gatewayFilter } = props;
  const page = usePage();
  const { choices } = useChoices();
  const filter = useRef<HTMLInputElement>(null);
  const places = { views: useRef<HTMLButtonElement>(null), columns: useRef<HTMLButtonElement>(null) };
  const text = page.query.search ?? '';
  const [, key, direction] = /^([A-Za-z]+):(asc|desc)$/.exec(page.query.sort ?? '') ?? [];
  const sort = key === undefined ? first : { key, down: direction === 'desc' };
  const found = arranged(rows, gatewayFilter === undefined ? text : '', sort, props);
  const shown = pageOf(found, Number(/^\d{1,6}$/.exec(page.query.page ?? '')?.[0] ?? 1) - 1, size);
  const busy = status === 'processing' || status === 'initial';
  const search = (next: string): void => page.setQuery({ search: next, page: undefined });
  const turn = (to: number): void => page.setQuery({ page: to === 0 ? undefined : String(to + 1) });
  const onPrevious = shown.page > 0 ? () => turn(shown.page - 1) : undefined;
  const onNext = shown.page < shown.last ? () => turn(shown.page + 1) : undefined;
  const act = (what: ListAct, selected: readonly Row[]): void => {
    if (what === 'nextPage') onNext?.();
    else if (what === 'previousPage') onPrevious?.();
    else if (what === 'views' || what === 'columns') pressed(places[what].current);
    else if (what === 'copy' && selected.length > 0) void copied(page, selected.map(props.copyOf ?? rowKey).join('\n'));
    else props.onAct?.(what);
  };
  const { onMenu, menu } = useRowMenu({ thingOf: props.thingOf, opens: props.opens, bulk: props.bulk });
  return (
    <ListPage
      title={title}
      actions={props.actions}
      error={error}
      says={busy ? '' : spoken(noun, found.length, sort)}
      tools={
        <>
          <SearchField
            ref={filter}
            live={gatewayFilter === undefined}
            label={`Filter ${title}`}
            placeholder={gatewayFilter?.placeholder ?? `Filter ${noun}s`}
            value={text}
            onSearch={search}
            field={
              gatewayFilter?.fault === undefined
                ? {}
                : { 'aria-invalid': true, 'aria-describedby': 'list-filter-fault' }
            }
          />
          {props.filters}
          <ListTools list={page.feature} columns={props.columns} places={places} />
        </>
      }
      fault={gatewayFilter?.fault}
    >
      <Table
        label={title}
        columns={chosenColumns(props.columns, choices.columns[page.feature], undefined)}
        rows={shown.rows}
        rowKey={rowKey}
        sort={sort}
        onSort={next => page.setQuery({ sort: `${next.key}:${next.down ? 'desc' : 'asc'}`, page: undefined })}
        busy={busy}
        dense={choices.dense}
        from={Math.max(1, shown.from)}
        total={found.length}
        empty={
          status === 'failed' ? (
            'Nothing could be loaded.'
          ) : text !== '' ? (
            <NoneFound filter={text} onClear={() => search('')} />
          ) : (
            <Empty title={`No ${noun}s`}>{empty}</Empty>
          )
        }
        onSelection={chosen => props.thingOf && page.select(chosen.map(props.thingOf).filter(thing => thing !== null))}
        onFilter={() => filter.current?.focus()}
        onAct={act}
        bulk={(count, clear) => <BulkBar count={count} commands={props.bulk ?? []} onClear={clear} />}
        footer={
          (rows.length > 0 || onMore) && (
            <Pager
              from={shown.from}
              to={shown.to}
              of={found.length}
              busy={busy}
              onMore={onMore}
              onPrevious={onPrevious}
              onNext={onNext}
            />
          )
        }
        onMenu={onMenu}
      />
      {menu}
    </ListPage>
  );
}
