import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { ApiError } from '../../../contract/failure.ts';
import { type CommandMark, getRecording, type RecordingSummary } from '../../../contract/recordings.ts';
import { playerQuery } from '../../../features/player-query.ts';
import { dateTime, durationText } from '../../../features/times.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { Empty, ListPage } from '../ListPage.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { aligned, endsDiffer, sourceText } from './aligned.ts';
import styles from './compare.module.css';

const sides = ['one', 'other'] as const;
type Side = (typeof sides)[number];
type Both = Readonly<Record<Side, RecordingSummary>>;

/** The commands of two recordings side by side; the address names both. */
export default function CompareRecordings() {
  const { api, clusterId, query } = usePage();
  const { one = '', other = '' } = query;
  const [both, setBoth] = useState<Both | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const isAsked = one !== '' && other !== '' && one !== other;
  useEffect(() => {
    setBoth(null);
    setError(null);
    if (!isAsked) return;
    let isGone = false;
    const summary = (sid: string) => api(getRecording, { params: { clusterId, sid } });
    Promise.all([summary(one), summary(other)]).then(
      ([left, right]) => isGone || setBoth({ one: left, other: right }),
      (failure: unknown) => isGone || setError(toApiError(failure)),
    );
    return () => {
      isGone = true;
    };
  }, [api, clusterId, one, other, isAsked]);
  return (
    <ListPage title="Compare Recordings" error={error}>
      {isAsked ? (
        both === null ? (
          error === null && <Spinner />
        ) : (
          <Commands both={both} />
        )
      ) : (
        <Empty title={one !== '' && one === other ? 'This is one recording' : 'Two recordings are compared'}>
          <p>
            Mark two with x in <LinkTo id="recordings">Session Recordings</LinkTo> and press d.
          </p>
        </Empty>
      )}
    </ListPage>
  );
}

function Commands({ both }: { readonly both: Both }) {
  const pairs = useMemo(() => aligned(both.one.commands, both.other.commands), [both]);
  const same = pairs.filter(({ one, other }) => one !== null && other !== null).length;
  const onlyOne = pairs.filter(({ other }) => other === null).length;
  const commands = useRef<HTMLTableSectionElement>(null);
  // Whoever came here by key stands at the first difference at once; whoever is elsewhere on the page by now stays there.
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement?.id !== 'page') return;
    const place = (differing: string): HTMLElement | null | undefined => commands.current?.querySelector(differing);
    (place('[data-differs=true] a') ?? place('a'))?.focus();
  }, []);
  return (
    <>
      <p role="status">
        {same} the same, {onlyOne} only in the left, {pairs.length - same - onlyOne} only in the right.
      </p>
      <table className={styles.table} onKeyDown={walk}>
        <thead>
          <tr>
            {sides.map(side => (
              <th key={side} scope="col">
                <About summary={both[side]} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={commands}>
          {pairs.map((pair, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pair is named by its place, which it keeps.
            <tr key={at} data-differs={endsDiffer(pair) || pair.one === null || pair.other === null}>
              {sides.map(side => (
                <td key={side}>
                  {pair[side] === null ? (
                    <span className={styles.none}>not here</span>
                  ) : (
                    <Ran command={pair[side]} sid={both[side].sid} isOther={endsDiffer(pair)} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function About({ summary }: { readonly summary: RecordingSummary }) {
  const { sid, login, hostname, participants, started, durationMs, commands } = summary;
  return (
    <>
      <LinkTo id="player" params={{ sid }} query={playerQuery({ type: 'ssh', durationMs })}>
        {login}@{hostname}
      </LinkTo>
      <span className={styles.about}>
        {participants.join(', ')}, {dateTime(started)}, {durationText(durationMs)}
      </span>
      <span className={styles.about}>{sourceText(commands)}</span>
    </>
  );
}

function Ran({
  command,
  sid,
  isOther,
}: {
  readonly command: CommandMark;
  readonly sid: string;
  readonly isOther: boolean;
}) {
  const { ms, text, status, endMs } = command;
  return (
    <LinkTo id="player" className={styles.ran} params={{ sid }} query={{ recordingType: 'ssh', t: String(ms / 1000) }}>
      <code>{text}</code>
      <span className={styles.about}>
        at {durationText(ms)}
        {endMs !== null && `, took ${durationText(endMs - ms)}`}
        {status !== null && (status !== 0 || isOther) && <strong className={styles.status}>, status {status}</strong>}
      </span>
    </LinkTo>
  );
}

/** Arrows, j and k go from command to command of one side, left and right to the other; Enter is the link's own. */
function walk(event: KeyboardEvent<HTMLTableElement>): void {
  const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
    ArrowDown: [1, 0],
    j: [1, 0],
    ArrowUp: [-1, 0],
    k: [-1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };
  const step = steps[event.key];
  const cell = event.target instanceof Element ? event.target.closest('td') : null;
  if (step === undefined || cell === null || event.ctrlKey || event.altKey || event.metaKey) return;
  const [rows, columns] = step;
  const all = [...event.currentTarget.querySelectorAll('tbody tr')];
  const column = Math.max(0, Math.min(sides.length - 1, cell.cellIndex + columns));
  for (let row = all.indexOf(cell.closest('tr') as Element) + rows; all[row] !== undefined; row += rows || all.length) {
    const link = all[row]?.children[column]?.querySelector('a');
    if (link == null) continue;
    link.focus();
    break;
  }
  event.preventDefault();
  event.stopPropagation();
}
