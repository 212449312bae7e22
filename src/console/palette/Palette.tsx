// The palette on screen. It comes when it is first asked for; what it knows stays with the console.
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import {
  Fragment,
  type KeyboardEvent,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useSnapshot } from 'valtio';
import type { ManualLinkId } from '../../features/manual.ts';
import { ManualLink, manualAddress } from '../manual/ManualLink.tsx';
import { joined } from '../ui/joined.ts';
import { KeyCap } from '../ui/KeyCap.tsx';
import { Pills } from '../ui/Pills.tsx';
import type { Commanding, PaletteRequest } from './commanding.ts';
import { useCommanding } from './context.tsx';
import { isNoun, RowIcon } from './icons.tsx';
import { Marked } from './Marked.tsx';
import styles from './palette.module.css';
import type { Row } from './rows.ts';
import { createPalette, type Palette as Store } from './store.ts';

const stores = new WeakMap<Commanding, Store>();

/** One palette per console: what the gateway answered outlives the dialog. */
function storeOf(commanding: Commanding): Store {
  const kept = stores.get(commanding);
  if (kept !== undefined) return kept;
  const made = createPalette(commanding, Date.now);
  stores.set(commanding, made);
  return made;
}

/** Fetches what is most likely to be looked for. The shell calls it once the page is idle. */
export const warmPalette = (commanding: Commanding): void => storeOf(commanding).warm();

/** Shown while a request is open; gives the focus back where it was. */
export function Palette() {
  const commanding = useCommanding();
  const request = useSnapshot(commanding.surface).palette;
  if (request === null) return null;
  return <Dialog commanding={commanding} request={request as PaletteRequest} />;
}

function Dialog({ commanding, request }: { readonly commanding: Commanding; readonly request: PaletteRequest }) {
  const store = storeOf(commanding);
  const element = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);

  useLayoutEffect(() => {
    const dialog = element.current;
    // Closing a modal dialog gives the focus back to what had it; a command that runs next may move it on.
    store.onLeave(() => dialog?.close());
    return () => {
      dialog?.close();
      store.drop();
    };
  }, [store]);
  useLayoutEffect(() => {
    // A command may ask for the palette again while this one is being closed for it.
    if (element.current?.open === false) element.current.showModal();
    input.current?.focus();
    store.open(request);
    commanding.shown();
  }, [commanding, store, request]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the palette closes it; the keyboard has Escape.
    <dialog
      ref={element}
      className={styles.palette}
      aria-label="Search or run"
      onCancel={event => {
        event.preventDefault();
        store.close();
      }}
      onClick={event => {
        if (event.target === element.current) store.close();
      }}
    >
      <Content store={store} input={input} />
    </dialog>
  );
}

const moves: Readonly<Record<string, number | 'first' | 'last'>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: 'first',
  End: 'last',
};

function handleKeys(store: Store, event: KeyboardEvent): void {
  if (event.nativeEvent.isComposing) return;
  const mod = event.ctrlKey || event.metaKey;
  const field = event.target instanceof HTMLInputElement ? event.target : null;
  const { manual } = store.state;
  if (event.key === 'Escape' || event.key === 'F1' || (mod && event.key.toLowerCase() === 'k')) store.close();
  else if (event.key === 'Enter') store.choose(mod);
  else if (event.key in moves && !event.shiftKey && !mod && !event.altKey) store.move(moves[event.key] ?? 1);
  else if (event.key === 'Tab') store.complete();
  else if (event.key === '/' && mod && manual !== null) window.open(manualAddress(manual), '_blank', 'noopener');
  else if (event.key === 'Backspace' && field?.selectionStart === 0 && field.selectionEnd === 0) {
    if (!store.takeBack()) return;
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Rows drawn with the key that found them: as many as a tall window shows. */
const FIRST_ROWS = 16;
/** The rest is drawn once typing has paused this long, milliseconds. */
const REST_MS = 120;

/** Labels that fit beside a name. */
const LABELS_MOST = 3;

/** The rows to draw now: the visible ones at once, all of them when there is time or the cursor is further down. */
function useRenderedRows(rows: readonly Row[], cursor: string): readonly Row[] {
  const [whole, setWhole] = useState(rows);
  const isLong = rows.length > FIRST_ROWS;
  useEffect(() => {
    if (!isLong) return;
    const timer = setTimeout(() => setWhole(rows), REST_MS);
    return () => clearTimeout(timer);
  }, [rows, isLong]);
  return !isLong || whole === rows || rows.findIndex(row => row.id === cursor) >= FIRST_ROWS
    ? rows
    : rows.slice(0, FIRST_ROWS);
}

const idOf = (row: Pick<Row, 'id'>): string => `palette ${row.id}`.replaceAll(' ', '-');

function Content({ store, input }: { readonly store: Store; readonly input: RefObject<HTMLInputElement | null> }) {
  // In step with the keyboard, or the caret would jump to the end.
  const { typed, rows, cursor, busy, message, command, manual, prompt, chips, usage, hasMore } = useSnapshot(
    store.state,
    {
      sync: true,
    },
  );
  const under = rows.find(row => row.id === cursor) as Row | undefined;
  const drawn = useRenderedRows(rows as readonly Row[], cursor);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cursor may stay while rows come or go above it.
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [cursor, rows]);
  // cmdk names a row on the list as well, and does not take it back when that row goes.
  useLayoutEffect(() => {
    const named = list.current?.getAttribute('aria-activedescendant') ?? '';
    if (named !== '' && document.getElementById(named) === null) list.current?.removeAttribute('aria-activedescendant');
  });
  return (
    <Command
      label="Search or run"
      className={styles.root}
      shouldFilter={false}
      filter={always}
      vimBindings={false}
      value={cursor}
      disablePointerSelection
      onKeyDown={event => handleKeys(store, event)}
    >
      <div className={joined(styles.field, busy && styles.busy)}>
        {command === '' ? (
          <Search aria-hidden="true" />
        ) : (
          <span className={joined(styles.chip, styles.verb)}>{command.replace(/…$/, '')}</span>
        )}
        {chips.map(chip => (
          <span key={chip.name} className={joined(styles.chip, styles.answer, chip.change && styles[chip.change])}>
            {chip.change === 'added' ? '+ ' : chip.change === 'removed' ? '− ' : ''}
            {chip.title}
          </span>
        ))}
        {/* cmdk names the row under the cursor only when it moved there itself; here the store moves it. */}
        <Command.Input ref={input} value={typed} onValueChange={store.type} asChild>
          <input
            onPaste={event => {
              if (store.paste(event.clipboardData.getData('text/plain'))) event.preventDefault();
            }}
            placeholder={prompt === '' ? 'Search or run…' : prompt}
            aria-label={prompt === '' ? 'Search or run' : `${command} ${prompt}`}
            aria-activedescendant={under === undefined ? undefined : idOf(under)}
          />
        </Command.Input>
      </div>
      {usage !== null && (
        <p className={styles.usage}>
          {usage.name}{' '}
          {usage.args.map((arg, at) => (
            <span key={arg} className={at === usage.now ? styles.now : undefined}>
              {arg}{' '}
            </span>
          ))}
        </p>
      )}
      <Command.List ref={list} className={styles.list} label="Results">
        {drawn.map((row, at) => (
          <Fragment key={row.id}>
            {row.group !== undefined && row.group !== drawn[at - 1]?.group && (
              <div role="presentation" className={styles.heading}>
                {row.group}
              </div>
            )}
            <Item row={row} isUnder={row.id === cursor} store={store} />
          </Fragment>
        ))}
      </Command.List>
      <p className={styles.message} role="status">
        {message}
        {message === '' && hasMore && rows.length > 0 && 'There is more than is shown: type on to narrow it'}
      </p>
      <Foot row={under} isSearching={command === ''} manual={manual} />
    </Command>
  );
}

/** The store has ranked already: cmdk need not score what it is given. */
const always = (): number => 1;

/** Names of things and answers stand in the letters of a terminal, titles of commands do not. */
const isName = (icon: Row['icon']): boolean => isNoun(icon) || icon === 'choice' || icon === 'free';

interface ItemProps {
  readonly row: Row;
  readonly isUnder: boolean;
  readonly store: Store;
}

/** A row looks the same when what it shows is the same; what it does is asked of the store when it is chosen. */
const looksLike = ({ row: a, ...before }: ItemProps, { row: b, ...after }: ItemProps): boolean =>
  before.isUnder === after.isUnder &&
  (a === b ||
    (a.id === b.id &&
      a.title === b.title &&
      a.detail === b.detail &&
      a.labels === b.labels &&
      a.keys === b.keys &&
      a.refused === b.refused &&
      a.icon === b.icon &&
      a.destructive === b.destructive &&
      a.ranges.join() === b.ranges.join()));

const Item = memo(function Item({ row, isUnder, store }: ItemProps) {
  const refused = row.refused !== undefined;
  return (
    <Command.Item
      asChild
      value={row.id}
      onSelect={() => {
        store.moveTo(row.id);
        store.choose();
      }}
    >
      {/* cmdk would pass over a row that is disabled: a refused one is reached, to read why. So which row it is, is said here. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the row (aria-activedescendant). */}
      <div
        id={idOf(row)}
        role="option"
        aria-selected={isUnder}
        data-selected={isUnder}
        onPointerMove={() => store.moveTo(row.id)}
        aria-disabled={refused || undefined}
        className={joined(styles.row, refused && styles.refused, row.destructive && styles.destructive)}
      >
        <RowIcon name={row.icon} />
        <span className={joined(styles.title, isName(row.icon) && styles.thing)}>
          <Marked text={row.title} ranges={row.ranges} />
        </span>
        <span className={styles.detail}>{row.detail}</span>
        {row.labels !== undefined && row.labels.length > 0 && (
          <span className={styles.labels}>
            <Pills labels={row.labels.slice(0, LABELS_MOST)} />
          </span>
        )}
        {row.keys !== undefined && <KeyCap chord={row.keys} />}
      </div>
    </Command.Item>
  );
}, looksLike);

/** What Enter, Mod+Enter and Tab do to the row under the cursor. */
function Foot({
  row,
  isSearching,
  manual,
}: {
  readonly row: Row | undefined;
  readonly isSearching: boolean;
  readonly manual: ManualLinkId | null;
}) {
  return (
    <div className={styles.foot}>
      {row !== undefined && row.refused === undefined && <Hint keys="enter" text={row.enter} />}
      {row?.why !== undefined && <Hint keys="enter" text="Why not?" />}
      {row?.second !== undefined && <Hint keys="mod+enter" text={row.second.title} />}
      {row?.completes === true && <Hint keys="tab" text="Complete" />}
      {!isSearching && <Hint keys="backspace" text="Back" />}
      <span className={styles.space} />
      {manual !== null && (
        <span className={styles.hint}>
          <KeyCap chord="mod+/" />
          <ManualLink id={manual} />
        </span>
      )}
      {isSearching && (
        <span>
          <kbd>&gt;</kbd> commands <kbd>@</kbd> people <kbd>#</kbd> labels <kbd>?</kbd> keys
        </span>
      )}
    </div>
  );
}

function Hint({ keys, text }: { readonly keys: string; readonly text: string }) {
  return (
    <span className={styles.hint}>
      <KeyCap chord={keys} />
      {text}
    </span>
  );
}
