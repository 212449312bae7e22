import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { PlayerAct } from '../../../commands/command.ts';
import type { RecordingFile, RecordingSegment, RecordingSummary } from '../../contract/recordings.ts';
import { heldText } from '../../features/recording.ts';
import { PlayerSlotContext } from '../ui/player-slot.ts';
import { saveFile } from '../ui/save-file.ts';
import { CommandList } from './CommandList.tsx';
import { Controls } from './Controls.tsx';
import { DesktopPlayer } from './DesktopPlayer.tsx';
import { Integrity } from './Integrity.tsx';
import { isPlayerAct, type KeyTarget, marksOf, playerActs } from './keys.ts';
import { animationFrames, openPlayback, type Playback } from './playback.ts';
import styles from './player.module.css';
import { linkTo, momentOf, refusedQuery } from './player-address.ts';
import { openRecordingScreen } from './recording-screen.ts';
import { SearchBar } from './SearchBar.tsx';
import type { SmallPicture } from './Thumbnails.tsx';

/** What the player needs of the console. The calls throw ApiError. */
export interface PlayerPorts {
  summary(): Promise<RecordingSummary>;
  segment(index: number): Promise<RecordingSegment>;
  /** Small pictures of a desktop, from a number on. */
  thumbnails(from: number): Promise<readonly SmallPicture[]>;
  /** The recording as asciicast v3, plain text, or a page that plays by itself. */
  save(as: 'cast' | RecordingFile): Promise<Blob>;
  /** Opens the recording before (-1) or after this one in which the text stands too. */
  goToFound(text: string, sid: string, by: 1 | -1): void;
  copyText(text: string): Promise<void>;
  notify(text: string): void;
  /** Opens the sheet of keys. */
  help(): void;
}

export interface PlayerProps {
  readonly sid: string;
  /** Query of the page's address. */
  readonly query: {
    readonly recordingType: string | null;
    readonly durationMs: string | null;
    readonly t: string | null;
    /** A text that was found in it. */
    readonly text: string | null;
  };
  /** Must stay the same object while the same recording is shown. */
  readonly ports: PlayerPorts;
}

type Loaded =
  | { readonly status: 'processing' }
  | { readonly status: 'failed'; readonly text: string }
  | { readonly status: 'success'; readonly summary: RecordingSummary };

/** How often a session that goes on is asked for what it has printed since, milliseconds. */
const LIVE_MS = 2000;

/** Plays a recorded terminal session. */
export function Player({ sid, query, ports }: PlayerProps) {
  const refused = refusedQuery(query.recordingType, query.durationMs);
  const [loaded, setLoaded] = useState<Loaded>({ status: 'processing' });
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    if (refused !== null) return;
    let closed = false;
    setLoaded({ status: 'processing' });
    ports.summary().then(
      summary => !closed && setLoaded({ status: 'success', summary }),
      (error: unknown) =>
        !closed &&
        setLoaded({
          status: 'failed',
          text: error instanceof Error ? error.message : 'The recording could not be read',
        }),
    );
    return () => {
      closed = true;
    };
  }, [ports, refused, tries]);

  if (refused !== null)
    return (
      <p className={styles.refused} role="alert">
        {refused}
      </p>
    );
  if (loaded.status === 'failed')
    return (
      <div className={styles.refused} role="alert">
        <p>The recording could not be opened: {loaded.text}</p>
        <button type="button" className={styles.button} onClick={() => setTries(tries + 1)}>
          Try again
        </button>
      </div>
    );
  if (loaded.status === 'processing')
    return (
      <p className={styles.wait} role="status">
        Opening the recording…
      </p>
    );
  if (loaded.summary.keyframes.length === 0)
    return (
      <p className={styles.wait} role="status">
        Recording not available: nothing was printed in this session.
      </p>
    );
  if (query.recordingType === 'desktop')
    return <DesktopPlayer key={sid} summary={loaded.summary} at={momentOf(query.t)} ports={ports} />;
  return (
    <RecordingView
      key={sid}
      sid={sid}
      summary={loaded.summary}
      at={momentOf(query.t)}
      text={query.text || undefined}
      ports={ports}
    />
  );
}

function RecordingView(props: {
  readonly sid: string;
  readonly summary: RecordingSummary;
  /** The moment to wait at, milliseconds: whoever was sent a link sees that moment, not what came after it. */
  readonly at: number | null;
  readonly text: string | undefined;
  readonly ports: PlayerPorts;
}) {
  const { sid, at, text, ports } = props;
  const [summary, setSummary] = useState(props.summary);
  const root = useRef<HTMLElement>(null);
  const viewport = useRef<HTMLDivElement>(null);
  const screen = useRef<ReturnType<typeof openRecordingScreen> | null>(null);
  const [playback, setPlayback] = useState<Playback | null>(null);
  /** Counts how often the search was asked for, each time with the keys in its field; 0: it is closed. */
  const [searching, setSearching] = useState(text === undefined ? 0 : 1);
  const [listing, setListing] = useState(false);
  const [size, setSize] = useState({ cols: summary.cols, rows: summary.rows });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a recording is opened once; the moment in the address is where it begins
  useEffect(() => {
    if (!viewport.current) return;
    const shown = openRecordingScreen(viewport.current, summary, (cols, rows) => setSize({ cols, rows }));
    const opened = openPlayback({
      summary,
      fetchSegment: ports.segment,
      canvas: shown.canvas,
      at,
      frames: animationFrames,
      text,
      beyond: text === undefined ? undefined : by => ports.goToFound(text, sid, by),
    });
    screen.current = shown;
    setPlayback(opened);
    void opened.begin();
    root.current?.focus();
    return () => {
      opened.dispose();
      shown.dispose();
    };
  }, [ports]);
  const isLive = summary.state === 'live';
  useEffect(() => {
    if (!isLive || playback === null) return;
    let asking = false;
    const timer = setInterval(() => {
      if (asking || document.visibilityState !== 'visible') return;
      asking = true;
      ports
        .summary()
        .then(
          grown => {
            playback.extend(grown);
            setSummary(grown);
          },
          // It is asked again soon; what is there plays on.
          () => {},
        )
        .finally(() => {
          asking = false;
        });
    }, LIVE_MS);
    return () => clearInterval(timer);
  }, [isLive, playback, ports]);

  const copyLink = (): void => {
    if (!playback) return;
    ports.copyText(linkTo(location.href, playback.state.clock.at)).then(
      () => ports.notify('Link to this moment copied'),
      () => ports.notify('The browser refused to copy'),
    );
  };
  const download = (as: 'cast' | RecordingFile): void => {
    ports.save(as).then(
      file => saveFile(file, `${sid}.${as === 'text' ? 'txt' : as}`),
      (error: unknown) =>
        ports.notify(
          `The recording could not be exported: ${error instanceof Error ? error.message : 'unknown error'}`,
        ),
    );
  };
  const toggleCommands = (): void => {
    if (listing) takeKeys();
    setListing(!listing);
  };
  const openSearch = (): void => setSearching(searching + 1);
  const takeKeys = (): void => root.current?.focus();
  /** Closes what lies over the recording; the hits of a search stay. */
  const close = (): void => {
    setSearching(0);
    setListing(false);
    takeKeys();
  };

  const slot = useContext(PlayerSlotContext);
  const latest = useRef<KeyTarget | null>(null);
  latest.current = playback && {
    playback,
    marks: marksOf(summary),
    copyLink,
    download,
    video: () => ports.notify('Videos are made of desktops: a terminal plays as asciicast, or as a page'),
    search: openSearch,
    commands: toggleCommands,
    scroll: screens => screen.current?.scroll(screens),
  };
  /** Keys that came before there was anything to play: they are meant for it. */
  const early = useRef<PlayerAct[]>([]);
  // With the picture, not after it: whoever sees the player may use its keys.
  useLayoutEffect(
    () =>
      slot.put(act => {
        if (!isPlayerAct(act)) return;
        if (latest.current === null) early.current.push(act);
        else playerActs[act](latest.current);
      }),
    [slot],
  );
  useEffect(() => {
    if (playback === null || latest.current === null) return;
    // Whoever comes from a list of what was found walks on with n: the field shows the text, and hears no keys yet.
    if (text !== undefined) root.current?.focus();
    for (const act of early.current.splice(0)) playerActs[act](latest.current);
  }, [playback, text]);

  return (
    <section
      ref={root}
      className={styles.player}
      aria-label={`Recording of ${summary.login}@${summary.hostname}`}
      tabIndex={-1}
      // Its screen looks like a terminal, and is none that a shell hears. Escape closes what lies over the recording.
      data-own-keys="escape"
      onKeyDown={event => {
        if (event.key !== 'Escape' || searching === 0 || event.defaultPrevented) return;
        close();
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <header className={styles.caption}>
        <span className={styles.title}>
          {summary.login}@{summary.hostname}
        </span>
        <span className={styles.size} title="Columns and rows of the recorded terminal at this moment">
          {size.cols} × {size.rows}
        </span>
        {summary.state === 'live' && <span className={styles.badge}>Still running</span>}
        <Integrity summary={summary} />
        {summary.holds.map(one => (
          <span key={one.id} className={styles.badge} title={one.why}>
            {heldText(one)}
          </span>
        ))}
      </header>
      <div className={styles.viewport}>
        <div ref={viewport} className={styles.screen} data-player-screen />
        {searching > 0 && playback && (
          <SearchBar key={searching} playback={playback} onSearched={takeKeys} onClose={close} />
        )}
        {listing && playback && <CommandList playback={playback} summary={summary} onClose={close} />}
      </div>
      {playback && (
        <Controls
          playback={playback}
          summary={summary}
          onCopyLink={copyLink}
          onDownload={() => download('cast')}
          onSearch={openSearch}
          onCommands={toggleCommands}
          onHelp={ports.help}
        />
      )}
    </section>
  );
}
