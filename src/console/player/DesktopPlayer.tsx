import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RecordingSummary } from '../../contract/recordings.ts';
import { loadReplay } from '../desktop/replay.ts';
import { PlayerSlotContext } from '../ui/player-slot.ts';
import { saveFile } from '../ui/save-file.ts';
import { Controls } from './Controls.tsx';
import { createDesktopCanvas, fetchGroup, groupedSummary } from './desktop-canvas.ts';
import { Integrity } from './Integrity.tsx';
import { isPlayerAct, type KeyTarget, marksOf, playerActs } from './keys.ts';
import type { PlayerPorts } from './Player.tsx';
import { animationFrames, openPlayback, type Playback } from './playback.ts';
import styles from './player.module.css';
import { linkTo } from './player-address.ts';
import { SharedList } from './SharedList.tsx';
import { Thumbnails } from './Thumbnails.tsx';
import { VideoBar } from './VideoBar.tsx';
import { type RecordedVideo, recordVideo } from './video.ts';

/** Plays what a desktop's server drew. */
export function DesktopPlayer(props: {
  readonly summary: RecordingSummary;
  /** The moment to wait at, milliseconds; null: it plays from its beginning. */
  readonly at: number | null;
  readonly ports: PlayerPorts;
}) {
  const { summary, at, ports } = props;
  const root = useRef<HTMLElement>(null);
  const viewport = useRef<HTMLDivElement>(null);
  const [playback, setPlayback] = useState<Playback | null>(null);
  const [fetched, setFetched] = useState({ count: 0, of: 0 });
  const [problem, setProblem] = useState('');
  /** How much of the recording is in the video that is being made; null: none is. */
  const [share, setShare] = useState<number | null>(null);
  const video = useRef<RecordedVideo | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a recording is opened once; the moment in the address is where it begins
  useEffect(() => {
    const into = viewport.current;
    if (!into) return;
    let dispose = (): void => undefined;
    let isGone = false;
    loadReplay(summary.desktop ?? 'vnc').then(
      openReplay => {
        if (isGone) return;
        const canvas = createDesktopCanvas(into, openReplay);
        const opened = openPlayback({
          summary: groupedSummary(summary),
          fetchSegment: index => fetchGroup(summary, index, ports.segment, (count, of) => setFetched({ count, of })),
          canvas,
          at,
          frames: animationFrames,
        });
        dispose = () => {
          opened.dispose();
          canvas.dispose();
        };
        setPlayback(opened);
        void opened.begin();
        root.current?.focus();
      },
      (error: unknown) => setProblem(error instanceof Error ? error.message : 'The player could not be loaded'),
    );
    return () => {
      isGone = true;
      video.current?.cancel();
      dispose();
    };
  }, [ports]);

  const copyLink = (): void => {
    if (!playback) return;
    ports.copyText(linkTo(location.href, playback.state.clock.at)).then(
      () => ports.notify('Link to this moment copied'),
      () => ports.notify('The browser refused to copy'),
    );
  };
  const makeVideo = (): void => {
    const into = viewport.current;
    if (!playback || !into || video.current) return;
    const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
    try {
      const recorded = recordVideo({
        playback,
        shown: () => [...into.querySelectorAll('canvas')].at(-1) ?? null,
        size: { width: summary.cols, height: summary.rows },
        progress: setShare,
      });
      video.current = recorded;
      setShare(0);
      recorded.done
        .then(
          file => {
            if (file) saveFile(file, `${summary.sid}.webm`);
            ports.notify(file ? 'The video was downloaded' : 'The video was given up');
          },
          (error: unknown) => ports.notify(`No video was made: ${said(error)}`),
        )
        .finally(() => {
          video.current = null;
          setShare(null);
          root.current?.focus();
        });
    } catch (error) {
      ports.notify(`No video was made: ${said(error)}`);
    }
  };
  const none = (): void => ports.notify('A desktop shows pictures: there is no text in its recording');
  const slot = useContext(PlayerSlotContext);
  const latest = useRef<KeyTarget | null>(null);
  latest.current = playback && {
    playback,
    marks: marksOf(summary),
    copyLink,
    download: none,
    video: makeVideo,
    search: none,
    commands: none,
    scroll: () => undefined,
  };
  useLayoutEffect(
    () =>
      slot.put(act => {
        if (isPlayerAct(act) && latest.current !== null) playerActs[act](latest.current);
      }),
    [slot],
  );
  return (
    <section
      ref={root}
      className={styles.player}
      aria-label={`Recording of ${summary.login}@${summary.hostname}`}
      tabIndex={-1}
    >
      <header className={styles.caption}>
        <span className={styles.title}>
          {summary.login}@{summary.hostname}
        </span>
        <span className={styles.size} title="Width and height of the screen as it began, pixels">
          {summary.cols} × {summary.rows}
        </span>
        <Integrity summary={summary} />
        {fetched.count < fetched.of && (
          <span className={styles.badge} role="status">
            {fetched.count} of {fetched.of} parts fetched
          </span>
        )}
      </header>
      <div className={styles.viewport}>
        {problem !== '' && <p role="alert">{problem}</p>}
        <div ref={viewport} className={styles.drawn} data-player-screen data-desktop="recorded" />
      </div>
      {playback && share !== null && (
        <VideoBar share={share} playback={playback} onCancel={() => video.current?.cancel()} />
      )}
      {playback && (
        <Controls playback={playback} summary={summary} onCopyLink={copyLink} onVideo={makeVideo} onHelp={ports.help} />
      )}
      {playback && (summary.thumbnails ?? 0) > 0 && (
        <Thumbnails playback={playback} count={summary.thumbnails ?? 0} fetch={ports.thumbnails} />
      )}
      {playback && <SharedList shared={summary.shared ?? []} playback={playback} />}
    </section>
  );
}
