import { Away } from './Away.tsx';
import { ClipboardBar } from './ClipboardBar.tsx';
import { ConnectionBar } from './ConnectionBar.tsx';
import { companyText } from './company.ts';
import type { Containers } from './containers.ts';
import { FileRequests } from './FileRequests.tsx';
import type { Box } from './layout.ts';
import styles from './pane.module.css';
import { Reader } from './Reader.tsx';
import { SessionStateBar } from './SessionStateBar.tsx';
import { TerminalFindBar } from './TerminalFindBar.tsx';
import { isDesktopTab, type Tab, userOf } from './tab.ts';
import type { TerminalState, Terminals } from './terminals.ts';
import { View } from './View.tsx';

const percent = (part: number): string => `${part * 100}%`;

/** One terminal where it stands in its tab, with all that is said over it. */
export function Cell(props: {
  readonly terminals: Terminals;
  readonly containers: Containers;
  readonly tab: Readonly<Tab>;
  /** Its room in the tab; undefined while it is not to be seen. */
  readonly box: Box | undefined;
  /** Others are beside it: it says which it is. */
  readonly isSplit: boolean;
  /** What is typed goes to it and to others. */
  readonly isBroadcast: boolean;
  /** It is the one in front, where one is looked for, read, and asked. */
  readonly front: Readonly<Pick<TerminalState, 'isSearching' | 'reading' | 'link'>> | undefined;
}) {
  const { terminals, containers, tab, box, isSplit, isBroadcast, front } = props;
  const { key, title, status } = tab;
  const company = companyText(tab);
  const isDesktop = isDesktopTab(tab);
  const { DesktopTab } = terminals.ports;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has commands; this follows the focus wherever it comes from.
    <div
      className={styles.cell}
      hidden={box === undefined}
      style={
        box && {
          left: percent(box.left),
          top: percent(box.top),
          width: percent(box.width),
          height: percent(box.height),
        }
      }
      onFocus={() => terminals.hasFocus(key)}
    >
      {isSplit && (
        <p className={styles.cellName} data-status={status} data-front={front !== undefined}>
          {title}
          {company !== '' && ` (${company})`}
        </p>
      )}
      <div className={styles.cellBody} data-broadcast={isBroadcast || undefined}>
        {isBroadcast && <p className={styles.broadcast}>Broadcast: what is typed goes to others too</p>}
        {isDesktop ? (
          <DesktopTab
            terminals={terminals}
            tab={tab}
            isShown={box !== undefined}
            isFront={box !== undefined && front !== undefined}
          />
        ) : status === 'away' ? (
          <Away terminals={terminals} tab={tab} />
        ) : (
          <View id={key} containers={containers} title={title} shown={box !== undefined} bells={tab.bells} />
        )}
        {front?.isSearching && <TerminalFindBar terminals={terminals} />}
        {front !== undefined && front.reading > 0 && <Reader key={front.reading} terminals={terminals} title={title} />}
        {front !== undefined && tab.asksClipboard && status === 'connected' && (
          <ClipboardBar terminals={terminals} title={title} />
        )}
        {box !== undefined && status === 'connected' && !isDesktop && (
          <SessionStateBar terminals={terminals} tab={tab} />
        )}
        {box !== undefined && tab.files.length > 0 && (
          <FileRequests terminals={terminals} tabKey={key} asked={tab.files} user={userOf(tab)} />
        )}
        {box !== undefined && status !== 'away' && !isDesktop && <ConnectionBar terminals={terminals} tab={tab} />}
        {front !== undefined && front.link !== null && <output className={styles.link}>{front.link}</output>}
      </div>
    </div>
  );
}
