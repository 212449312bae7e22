import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { hasDesktop, may, onList } from '../../../commands/gates.ts';
import { useFact } from '../palette/context.tsx';
import { nextKeyText, pendingText } from '../palette/status.ts';
import { companyText, keysGoTo } from '../terminal/index.ts';
import { desktopCompany } from '../ui/desktop-company.ts';
import { joined } from '../ui/joined.ts';
import { readableChord } from '../ui/KeyCap.tsx';
import type { Console } from './console.ts';
import { assumedText, hintsFor, outageText, timeLeftText } from './status-text.ts';
import styles from './statusline.module.css';

/** The page in front comes first, ms. */
const WAITING_AFTER_MS = 6000;

/** The time left changes by the minute; looking this often is early enough to say it. */
const LOOK_EVERY_MS = 15_000;
/** An outage is told in seconds. */
const OUTAGE_EVERY_MS = 1000;
const recordingTexts = { strict: 'recording', best_effort: 'recording, best effort', off: 'not recorded' } as const;

/** 24 px: cluster, who, who gets the next key, the chord so far, recording and round trip or the lack of a connection, time left, three hints. */
export function StatusLine({ built, clusterId }: { readonly built: Console; readonly clusterId: string }) {
  const { commanding, terminals, user, boot } = built;
  const { pending, leading } = useSnapshot(commanding.keymap.state);
  const { tabs, current, broadcast, hasEveryKey } = useSnapshot(terminals.state);
  const { who } = useSnapshot(user.state);
  const focus = useFact(facts => facts.focus);
  const feature = useFact(facts => facts.feature);
  const hasList = useFact(onList);
  const onDesktop = useFact(hasDesktop);
  const mayReview = useFact(facts => may('statementReviews', 'edit')(facts) || (facts.who?.agents ?? 'off') !== 'off');
  const [left, setLeft] = useState(() => boot.session.token()?.sessionExpires ?? '');
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      setLeft(boot.session.token()?.sessionExpires ?? '');
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [boot]);
  const [waiting, setWaiting] = useState<typeof import('./Waiting.tsx') | null>(null);
  const asksWaiting = waiting === null;
  useEffect(() => {
    if (!asksWaiting) return;
    // The line stands without it: what cannot be fetched now, as in an outage, is asked for again.
    const fetch = () => import('./Waiting.tsx').then(setWaiting, () => wait(LOOK_EVERY_MS));
    const wait = (ms: number): void => {
      timer = setTimeout(fetch, ms);
    };
    let timer = setTimeout(fetch, WAITING_AFTER_MS);
    return () => clearTimeout(timer);
  }, [asksWaiting]);
  const tab = tabs.find(one => one.key === current);
  const isOut = tab?.lostAt != null;
  useEffect(() => {
    if (!isOut) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), OUTAGE_EVERY_MS);
    return () => clearInterval(timer);
  }, [isOut]);
  const outage = outageText(tab, now);
  const watchers = useSnapshot(desktopCompany).text;
  const company = tab === undefined ? '' : companyText(tab);
  const hints = hintsFor(focus, feature, { hasTerminals: tabs.length > 0, hasList, onDesktop })
    .map(([id, text]) => [commanding.keymap.keysOf(id, focus), text] as const)
    .filter(hint => hint[0] !== undefined);
  return (
    <footer className={styles.line}>
      <span className={styles.cluster}>{clusterId}</span>
      <span className={styles.who}>
        {who?.userName}
        {who !== null && who.roles.length > 0 && <span className={styles.faint}> ({who.roles.join(', ')})</span>}
      </span>
      {who?.assumed[0] && <span className={styles.shell}>{assumedText(who.assumed, now)}</span>}
      <span className={focus === 'terminal' ? styles.shell : undefined}>
        {nextKeyText(focus, feature === 'desktop' ? 'desktop' : tab && keysGoTo(tab))}
      </span>
      {hasEveryKey && <span className={styles.shell}>every key → shell</span>}
      {leading && <span className={styles.pending}>keys → page, once</span>}
      {broadcast.length > 0 && <strong className={styles.broadcast}>typing into {broadcast.length} terminals</strong>}
      {pending.length > 0 && <span className={styles.pending}>{pendingText(pending)}</span>}
      {tab?.recording != null && (
        <span className={styles.recording}>
          <span
            className={joined(
              styles.light,
              tab.recording === 'strict'
                ? styles.strict
                : tab.recording === 'best_effort'
                  ? styles.bestEffort
                  : undefined,
            )}
            aria-hidden="true"
          />
          {recordingTexts[tab.recording]}
        </span>
      )}
      {waiting && <waiting.Waiting built={built} clusterId={clusterId} statements={mayReview} />}
      {watchers !== '' && <span className={styles.company}>{watchers}</span>}
      {company !== '' && <span className={styles.company}>{company}</span>}
      {outage !== '' && <span className={styles.outage}>{outage}</span>}
      {tab?.latency != null && (
        <span title={`You – ${tab.latency.ws} ms – gateway – ${tab.latency.ssh} ms – server`}>
          {tab.latency.ws + tab.latency.ssh} ms
        </span>
      )}
      <span className={styles.hints}>
        {hints.map(([keys, text]) => (
          <span key={text} className={styles.hint} data-hint>
            <kbd>{readableChord(keys ?? '').join(' ')}</kbd> {text}
          </span>
        ))}
      </span>
      <span className={styles.left}>{timeLeftText(left, now)}</span>
    </footer>
  );
}
