import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { createAwaited } from '../ui/lazy.tsx';
import { BorderLine } from './BorderLine.tsx';
import { Cell } from './Cell.tsx';
import { containersOf } from './containers.ts';
import { FilePanel } from './files/FilePanel.tsx';
import { dropsOf, transfersOf } from './files/page-transfers.ts';
import { KeyRow } from './KeyRow.tsx';
import { bordersOf, boxesOf } from './layout.ts';
import styles from './pane.module.css';
import { Splitter } from './Splitter.tsx';
import { TabBar } from './TabBar.tsx';
import { isDesktopTab } from './tab.ts';
import { frontOf, groupInFront, type Terminals } from './terminals.ts';

const BroadcastDialog = createAwaited(() =>
  import('./BroadcastDialog.tsx').then(({ BroadcastDialog }) => BroadcastDialog),
);
const SnippetDialog = createAwaited(() => import('./SnippetDialog.tsx').then(({ SnippetDialog }) => SnippetDialog));
const PasteDialog = createAwaited(() => import('./PasteDialog.tsx').then(({ PasteDialog }) => PasteDialog));

/**
 * The terminals: docked at the bottom of the frame, or, with `full`, filling the page of a console route (say so with setFull as well).
 * It draws nothing while it is closed, but must stay in the page as long as there are tabs: their terminals hang on it.
 */
export function Pane({ terminals, full }: { readonly terminals: Terminals; readonly full: boolean }) {
  const { state } = terminals;
  const seen = useSnapshot(state);
  const containers = containersOf(terminals);
  const { isChoosing, snippet } = useSnapshot(containers.asking);
  const { question } = useSnapshot(containers.guard.state);
  const transfers = transfersOf(terminals);
  const dropping = dropsOf(terminals, transfers);
  const open = full || seen.paneOpen;

  // The person asked for a terminal that was not there to take the keys: now it is.
  useEffect(() => {
    if (open && terminals.awaitsKeys(seen.current)) terminals.handle(seen.current)?.focus();
  }, [terminals, open, seen.current]);

  const front = frontOf(seen);
  const { layout = '', zoomed = '' } = groupInFront(seen) ?? {};
  const boxes = boxesOf(zoomed || layout);
  const borders = zoomed === '' ? bordersOf(layout) : [];
  const pane = (
    <section
      className={full ? `${styles.pane} ${styles.full}` : styles.pane}
      hidden={!open}
      data-terminals
      aria-label="Terminals"
      style={full ? undefined : { height: seen.height }}
    >
      {!full && <Splitter height={seen.height} setHeight={terminals.setHeight} />}
      <TabBar terminals={terminals} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has a command; this takes files that are dragged here. */}
      <div className={styles.screens} onDragOver={dropping.over} onDrop={dropping.drop}>
        {seen.tabs.map(tab => (
          <Cell
            key={tab.key}
            terminals={terminals}
            containers={containers}
            tab={tab}
            box={open ? boxes.get(tab.key) : undefined}
            isSplit={boxes.size > 1 && boxes.has(tab.key)}
            isBroadcast={seen.broadcast.includes(tab.key)}
            front={tab.key === seen.current ? seen : undefined}
          />
        ))}
        {open &&
          borders.map(border => (
            <BorderLine key={border.path} border={border} onMove={share => terminals.moveBorder(border, share)} />
          ))}
        {seen.tabs.length === 0 && <Blank terminals={terminals} />}
        {seen.transfer !== null && <FilePanel terminals={terminals} transfers={transfers} {...seen.transfer} />}
      </div>
      {front && !isDesktopTab(front) && <KeyRow terminals={terminals} />}
    </section>
  );
  return (
    <>
      {pane}
      {snippet && <SnippetDialog name={snippet.name} text={snippet.text} onSettle={snippet.settle} />}
      {isChoosing && (
        <BroadcastDialog
          terminals={terminals}
          broadcast={containers.broadcast}
          onClose={() => {
            containers.asking.isChoosing = false;
          }}
        />
      )}
      {question && <PasteDialog question={question} onSettle={containers.guard.settle} />}
    </>
  );
}

/** Nothing is open: what belongs here, and the one key that does it. */
function Blank({ terminals }: { readonly terminals: Terminals }) {
  return (
    <div className={styles.blank}>
      <p>No terminal is open.</p>
      <button type="button" className={styles.action} onClick={() => terminals.ports.openPalette('Open a shell')}>
        <Plus size={14} aria-hidden /> Open a shell
      </button>
      <p className={styles.faint}>
        Or press <kbd>Ctrl</kbd> <kbd>K</kbd> (<kbd>⌘</kbd> <kbd>K</kbd>) and type a server's name.
      </p>
    </div>
  );
}
