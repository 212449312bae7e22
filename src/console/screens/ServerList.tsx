import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useSnapshot } from 'valtio';
import type { Thing } from '../../../commands/command.ts';
import type { Label } from '../../contract/shapes.ts';
import { Button } from '../ui/Button.tsx';
import { Pager } from '../ui/Pager.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { type Column, type Sort, Table } from '../ui/Table.tsx';
import { useAgain } from './again.ts';
import { Empty, ListPage, NoneFound } from './ListPage.tsx';
import { askedOf, readListQuery, withLabel, writeListQuery } from './list-query.ts';
import { usePage } from './page.tsx';
import { createPager, type FetchPage } from './pager.ts';

export interface ServerListProps<Row> {
  readonly title: string;
  /** What one row is called, such as "server". */
  readonly noun: string;
  readonly columns: (pick: (label: Label) => void) => readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly fetchPage: FetchPage<Row>;
  readonly sort: Sort;
  readonly actions?: ReactNode;
  readonly empty: ReactNode;
  /** Rows as things that commands can act on. */
  readonly thingOf?: (row: Row) => Thing;
}

/** A list that the gateway pages, sorts and filters, with its question in the URL. */
export function ServerList<Row>({
  title,
  noun,
  columns,
  rowKey,
  fetchPage,
  sort: first,
  actions,
  empty,
  thingOf,
}: ServerListProps<Row>) {
  const page = usePage();
  const { clusterId } = page;
  const latestFetch = useRef(fetchPage);
  latestFetch.current = fetchPage;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cluster is another list.
  const pager = useMemo(() => createPager<Row>(asked => latestFetch.current(asked)), [clusterId]);
  const shown = useSnapshot(pager.state);
  const filter = useRef<HTMLInputElement>(null);
  const state = readListQuery(page.query, first);
  const asked = JSON.stringify(askedOf(state));

  useEffect(() => {
    void pager.load(JSON.parse(asked));
  }, [pager, asked]);

  useAgain(pager.reload);

  const change = (changed: Partial<typeof state>): void =>
    page.setQuery(writeListQuery({ ...state, ...changed }, first));
  const pick = (label: Label): void =>
    change({ text: withLabel(state.isAdvanced ? state.text : '', label), isAdvanced: true });
  const rows = shown.rows as readonly Row[];
  const busy = shown.status === 'processing' || shown.status === 'initial';

  return (
    <ListPage
      title={title}
      actions={actions}
      error={shown.error}
      tools={
        <>
          <SearchField
            ref={filter}
            label={`Filter ${title}`}
            placeholder={state.isAdvanced ? 'labels["env"] == "prod" && name == "db-3"' : `Filter ${noun}s`}
            mono={state.isAdvanced}
            value={state.text}
            onSearch={text => change({ text })}
          />
          <Button
            kind="quiet"
            aria-pressed={state.isAdvanced}
            onClick={() => change({ isAdvanced: !state.isAdvanced, text: '' })}
          >
            Advanced
          </Button>
        </>
      }
    >
      <Table
        label={title}
        columns={columns(pick)}
        rows={rows}
        rowKey={rowKey}
        sort={state.sort}
        onSort={sort => change({ sort })}
        busy={busy}
        empty={
          shown.status === 'failed' ? (
            'Nothing could be loaded.'
          ) : state.text !== '' ? (
            <NoneFound filter={state.text} onClear={() => change({ text: '' })} />
          ) : (
            <Empty title={`No ${noun}s yet`}>{empty}</Empty>
          )
        }
        onSelection={chosen => thingOf && page.select(chosen.map(thingOf))}
        onFilter={() => filter.current?.focus()}
        footer={
          rows.length > 0 && (
            <Pager
              from={shown.from}
              to={shown.from + rows.length - 1}
              of={shown.total > 0 ? shown.total : undefined}
              busy={busy}
              onPrevious={shown.hasPrevious ? () => void pager.previous() : undefined}
              onNext={shown.nextKey !== '' ? () => void pager.next() : undefined}
            />
          )
        }
      />
    </ListPage>
  );
}
