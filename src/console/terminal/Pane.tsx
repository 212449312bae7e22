import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { createAwaited } from '../ui/lazy.tsx';
import { ClipboardBar } from './ClipboardBar.tsx';
import { ConnectionBar } from './ConnectionBar.tsx';
import { containersOf } from './containers.ts';
import { FileRequests } from './FileRequests.tsx';
import { FilePanel } from './files/FilePanel.tsx';
import { dropsOf, transfersOf } from './files/page-transfers.ts';
import { KeyRow } from './KeyRow.tsx';
import styles from './pane.module.css';
import { Reader } from './Reader.tsx';
import { Splitter } from './Splitter.tsx';
import { StandingBar } from './StandingBar.tsx';
import { TabBar } from './TabBar.tsx';
import { TerminalFindBar } from './TerminalFindBar.tsx';
import { userOf } from './tab.ts';
import type { Terminals } from './terminals.ts';
import { View } from './View.tsx';

const PasteDialog = createAwaited(() => import('./PasteDialog.tsx').then(({ PasteDialog }) => PasteDialog));

/**
 * The terminals: docked at the bottom of the frame, or, with `full`, filling the page of a console route (say so with setFull as well).
 * It draws nothing while it is closed, but must stay in the page as long as there are tabs: their terminals hang on it.
 */
export function Pane({ terminals, full }: { readonly terminals: Terminals; readonly full: boolean }) {
  const { state } = terminals;
  const seen = useSnapshot(state);
  const containers = containersOf(terminals);
  const { question } = useSnapshot(containers.guard.state);
  const transfers = transfersOf(terminals);
  const dropping = dropsOf(terminals, transfers);
  const open = full || seen.paneOpen;

  // The person asked for a terminal that was not there to take the keys: now it is.
  useEffect(() => {
    if (open && terminals.awaitsKeys(seen.current)) terminals.handle(seen.current)?.focus();
  }, [terminals, open, seen.current]);

  const front = seen.tabs.find(tab => tab.key === seen.current);
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
          <View
            key={tab.key}
            id={tab.key}
            containers={containers}
            title={tab.title}
            shown={open && tab.key === seen.current}
            bells={tab.bells}
          />
        ))}
        {seen.tabs.length === 0 && <Blank terminals={terminals} />}
        {seen.isFinding && front && <TerminalFindBar terminals={terminals} />}
        {seen.reading > 0 && front && <Reader key={seen.reading} terminals={terminals} title={front.title} />}
        {front?.asksClipboard && front.status === 'connected' && (
          <ClipboardBar terminals={terminals} title={front.title} />
        )}
        {front?.status === 'connected' && <StandingBar terminals={terminals} tab={front} />}
        {front && front.files.length > 0 && (
          <FileRequests terminals={terminals} tabKey={front.key} asked={front.files} user={userOf(front)} />
        )}
        {seen.transfer !== null && <FilePanel terminals={terminals} transfers={transfers} {...seen.transfer} />}
        {front && <ConnectionBar terminals={terminals} tab={front} />}
        {seen.link !== null && <output className={styles.link}>{seen.link}</output>}
      </div>
      {front && <KeyRow terminals={terminals} />}
    </section>
  );
  return (
    <>
      {pane}
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
