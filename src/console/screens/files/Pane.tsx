import { ArrowUp, X } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { type FileEntry, shownName } from '../../../contract/files.ts';
import { dateTime } from '../../../features/times.ts';
import { bytesText } from '../../terminal/files/progress.ts';
import { Alert } from '../../ui/Alert.tsx';
import { BarButton } from '../../ui/BarButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { joined } from '../../ui/joined.ts';
import { type ListHandle, ListSlotContext } from '../../ui/list.ts';
import { Table } from '../../ui/Table.tsx';
import type { Column, Sort } from '../../ui/table-column.ts';
import { type Dropped, dropped } from './dropped.ts';
import styles from './files.module.css';
import { HerePane } from './HerePane.tsx';
import type { PaneStore } from './pane.ts';
import { arranged, modeText, typedIn } from './rows.ts';

interface PaneProps {
  readonly side: 'left' | 'right';
  readonly store: PaneStore;
  /** The keys of the page are for this one. */
  readonly isActive: boolean;
  /** Little room: less is said of each file. */
  readonly isNarrow: boolean;
  /** Where what is chosen on this computer goes, as people read it. */
  readonly target: string | null;
  readonly onActive: () => void;
  readonly onOther: () => void;
  readonly onOpen: (entry: FileEntry) => void;
  /** `unmark`: what was marked has been taken. */
  readonly onAct: (what: string, entries: readonly FileEntry[], unmark: () => void) => void;
  readonly onServer: () => void;
  readonly onDrop: (what: Dropped) => void;
  readonly onProblem: (text: string) => void;
}

/** One of the two: a folder of a server, or this computer. */
export function Pane(props: PaneProps) {
  const { side, store, isActive, isNarrow, onOpen } = props;
  const { place, path, entries, whole, busy, error, filter, goal, visits } = useSnapshot(store.state, { sync: true });
  const [sort, setSort] = useState<Sort>({ key: 'name', down: false });
  const rows = useMemo(() => arranged(entries as readonly FileEntry[], filter, sort), [entries, filter, sort]);
  const section = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const outer = useContext(ListSlotContext);
  const list = useRef<ListHandle | null>(null);
  const slot = useMemo(
    () => ({
      put: (handle: ListHandle) => {
        list.current = handle;
        return isActive ? outer.put(handle) : () => undefined;
      },
    }),
    [outer, isActive],
  );
  /** The keys are in here, or were on a row that is gone. */
  const hasKeys = useRef(false);
  const latest = useRef({ rows, goal });
  latest.current = { rows, goal };
  // In another folder the keys stand on its first row, or on the folder that was left. After this effect, since a list draws at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each folder that is shown.
  useEffect(() => {
    queueMicrotask(() => {
      const { rows, goal } = latest.current;
      if (!hasKeys.current) return;
      if (rows.length === 0) return section.current?.focus();
      const at = rows.findIndex(({ name }) => name === goal);
      list.current?.move('first');
      if (at > 0) list.current?.move(at);
    });
  }, [visits]);

  const columns = useMemo<readonly Column<FileEntry>[]>(() => {
    const all: readonly Column<FileEntry>[] = [
      {
        key: 'name',
        title: 'Name',
        sorts: true,
        mono: true,
        phone: 'first',
        draw: entry => (
          <button
            type="button"
            tabIndex={-1}
            className={styles.name}
            title={`${modeText(entry)}  ${dateTime(entry.modified)}`}
            onClick={() => onOpen(entry)}
          >
            <bdi>{shownName(entry.name)}</bdi>
            {{ folder: '/', link: ' →', file: '', other: ' (special)' }[entry.kind]}
          </button>
        ),
      },
      {
        key: 'size',
        title: 'Size',
        sorts: true,
        width: '84px',
        draw: ({ kind, size }) => (kind === 'folder' ? '' : bytesText(size)),
      },
      { key: 'modified', title: 'Modified (UTC)', sorts: true, width: '160px', draw: one => dateTime(one.modified) },
      { key: 'mode', title: 'Permissions', sorts: true, mono: true, width: '112px', phone: 'hidden', draw: modeText },
    ];
    return isNarrow ? all.slice(0, 2) : all;
  }, [isNarrow, onOpen]);

  const act = (what: string, entries: readonly FileEntry[]): void =>
    props.onAct(what, entries, () => list.current?.act('clear'));
  function keyDown(event: KeyboardEvent<HTMLElement>): void {
    const isRow = event.target === section.current || event.target instanceof HTMLTableRowElement;
    if (!isRow || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Tab') props.onOther();
    else if (event.key === ' ') {
      list.current?.mark();
      list.current?.move(1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function drop(event: DragEvent): void {
    if (event.dataTransfer.items.length === 0) return;
    event.preventDefault();
    dropped(event.dataTransfer).then(props.onDrop, (problem: unknown) =>
      props.onProblem(problem instanceof Error ? problem.message : String(problem)),
    );
  }
  const title = place === null ? 'This computer' : place.title;
  return (
    <section
      ref={section}
      tabIndex={-1}
      data-pane={side}
      aria-label={`${side === 'left' ? 'Left' : 'Right'} pane: ${title}`}
      className={joined(styles.pane, isActive && styles.active)}
      onFocus={() => {
        hasKeys.current = true;
        props.onActive();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) hasKeys.current = false;
      }}
      onPointerDown={props.onActive}
      onKeyDownCapture={keyDown}
      onDragOver={event => event.preventDefault()}
      onDrop={drop}
    >
      <ListSlotContext value={slot}>
        {place === null ? (
          <HerePane target={props.target} onPick={props.onDrop} onServer={props.onServer} />
        ) : (
          <>
            <header className={styles.head}>
              <h2 className={styles.title} title={title}>
                {title}
              </h2>
              <Button size="dense" onClick={props.onServer}>
                Other server…
              </Button>
              <BarButton name={`Close ${title}`} onClick={() => void store.show(null)}>
                <X size={14} aria-hidden />
              </BarButton>
            </header>
            <div className={styles.tools}>
              <BarButton name="Folder above" onClick={() => act('parent', [])}>
                <ArrowUp size={14} aria-hidden />
              </BarButton>
              <PathField title={title} path={path} onGo={to => void store.show(store.state.place, to)} />
              <input
                ref={search}
                aria-label={`Filter ${title}`}
                placeholder="Filter"
                className={styles.field}
                value={filter}
                spellCheck={false}
                autoComplete="off"
                onChange={event => void store.find(event.target.value)}
                onKeyDown={event => {
                  if (event.key === 'Escape') void store.find('');
                  else if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
                  event.preventDefault();
                  list.current?.move('first');
                }}
              />
            </div>
            {error !== null ? (
              <Alert
                action={
                  <Button size="dense" onClick={() => void store.reload()}>
                    Try again
                  </Button>
                }
              >
                {error.message}
              </Alert>
            ) : (
              <Table
                key={`${place.serverId} ${place.login} ${path}`}
                label={`Files of ${title}`}
                columns={columns}
                rows={rows}
                rowKey={rowKey}
                total={rows.length}
                sort={sort}
                onSort={setSort}
                busy={busy}
                empty={filter === '' ? 'This folder is empty.' : 'Nothing here has that in its name.'}
                onSelection={nothing}
                onFilter={() => search.current?.focus()}
                onOpen={entry => {
                  onOpen(entry);
                  return true;
                }}
                onAct={act}
                bulk={(count, clear) => (
                  <>
                    {count} marked
                    <Button size="dense" kind="quiet" onClick={clear}>
                      Unmark
                    </Button>
                  </>
                )}
              />
            )}
            {!whole && (
              <p className={styles.note} role="status">
                Only the first {entries.length} entries are listed: the filter asks the server for the others.
              </p>
            )}
          </>
        )}
      </ListSlotContext>
    </section>
  );
}
const rowKey = ({ name }: FileEntry): string => name;
/** Rows can be marked; no command of the palette takes them. */
const nothing = (): void => undefined;

/** Where the pane is; another folder is typed there. */
function PathField({
  title,
  path,
  onGo,
}: {
  readonly title: string;
  readonly path: string;
  readonly onGo: (path: string) => void;
}) {
  const shown = shownName(path);
  const [typed, setTyped] = useState(shown);
  useEffect(() => setTyped(shown), [shown]);
  return (
    <form
      className={styles.place}
      onSubmit={event => {
        event.preventDefault();
        // What is shown may stand for bytes that no keyboard types.
        onGo(typed === shown ? path : typedIn(path, typed));
      }}
    >
      <input
        aria-label={`Folder of ${title}`}
        className={styles.field}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={event => setTyped(event.target.value)}
        onBlur={() => setTyped(shown)}
        onKeyDown={event => {
          if (event.key === 'Escape') setTyped(shown);
        }}
      />
    </form>
  );
}
