import { Download, Eye, Link, Maximize2, Minimize2, Plus, Upload, Wifi } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { BarButton } from '../ui/BarButton.tsx';
import { HiddenTabs } from './HiddenTabs.tsx';
import { TabButton } from './TabButton.tsx';
import { addressOf, isDesktopTab } from './tab.ts';
import styles from './tab-bar.module.css';
import { latencyGrade, tabTexts } from './tab-text.ts';
import { frontOf, shownIn, type Terminals } from './terminals.ts';
import { useHiddenTabs } from './use-hidden-tabs.ts';

/** The tabs, 32 px high, with who takes part in each; beside them what can be done, and how far away the one in front is. */
export function TabBar({ terminals }: { readonly terminals: Terminals }) {
  const seen = useSnapshot(terminals.state);
  const { groups, maximised, transfer } = seen;
  const front = frontOf(seen);
  const { list, hidden } = useHiddenTabs(groups.length, front?.group ?? '');
  const shown = shownIn(seen);
  const texts = tabTexts(shown);
  const copies = transfer === null && front?.status === 'connected' && front.mode === 'peer' && !isDesktopTab(front);
  return (
    <div className={styles.bar}>
      <div ref={list} role="tablist" aria-label="Open terminals" className={styles.tabs}>
        {shown.map(({ tab, count, key, title }, index) => (
          <TabButton
            key={key}
            tab={tab}
            title={title}
            text={texts.get(key) ?? title}
            count={count}
            index={index}
            isCurrent={key === front?.group}
            terminals={terminals}
          />
        ))}
      </div>
      {hidden.length > 0 && <HiddenTabs terminals={terminals} keys={hidden} />}
      <BarButton name="Open a shell" onClick={() => terminals.ports.openPalette('Open a shell')}>
        <Plus size={14} aria-hidden />
      </BarButton>
      <span className={styles.gap} />
      {front !== undefined && front.mode !== 'peer' && (
        <span className={styles.mark} title="You watch this session: nothing you type reaches it">
          <Eye size={14} aria-hidden /> Read-only
        </span>
      )}
      {front?.latency && <Latency latency={front.latency} />}
      <BarButton name="Download a file" disabled={!copies} onClick={() => terminals.transfer('download')}>
        <Download size={14} aria-hidden />
      </BarButton>
      <BarButton name="Upload files" disabled={!copies} onClick={() => terminals.transfer('upload')}>
        <Upload size={14} aria-hidden />
      </BarButton>
      {front && addressOf(front) !== undefined && (
        <BarButton name="Copy link to this session" onClick={terminals.copyLink}>
          <Link size={14} aria-hidden />
        </BarButton>
      )}
      <BarButton name={maximised ? 'No longer maximised' : 'Maximise the terminal'} onClick={terminals.toggleMaximised}>
        {maximised ? <Minimize2 size={14} aria-hidden /> : <Maximize2 size={14} aria-hidden />}
      </BarButton>
    </div>
  );
}

/** You to gateway, gateway to server, and both together. */
function Latency({ latency }: { readonly latency: { readonly ws: number; readonly ssh: number } }) {
  const total = latency.ws + latency.ssh;
  return (
    <span
      className={styles.mark}
      data-grade={latencyGrade(latency)}
      title={`You – ${latency.ws} ms – gateway – ${latency.ssh} ms – server: ${total} ms`}
    >
      <Wifi size={14} aria-hidden /> {total} ms
    </span>
  );
}
