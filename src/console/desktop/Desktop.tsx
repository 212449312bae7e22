import { type Ref, useContext, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { textChoice } from '../../../commands/answer.ts';
import type { DesktopAct } from '../../../commands/command.ts';
import {
  type DesktopConnection,
  type DesktopConnectionPorts,
  type DesktopState,
  openDesktopConnection,
} from '../../client/desktop-connection.ts';
import { CommandButton } from '../palette/CommandButton.tsx';
import { useFact } from '../palette/context.tsx';
import { showWatchers, watchedText } from '../ui/desktop-company.ts';
import { DesktopSlotContext } from '../ui/desktop-slot.ts';
import { createSharedClipboard, mayReadClipboard } from './clipboard.ts';
import styles from './desktop.module.css';
import { Said } from './Said.tsx';
import { type DesktopView, type OpenDesktopView, qualities, specialKeys } from './view.ts';
import { Warnings } from './Warnings.tsx';
import { warningsOf } from './warnings.ts';

export interface DesktopPorts {
  readonly connection: Omit<DesktopConnectionPorts, 'watched'>;
  notify(text: string): void;
  /** Leaves it for good: its page, or its tab. */
  leave(): void;
  /** Full screen, with every key where the browser allows it; or back. */
  fullScreen(): void;
  /** How its connection stands from now on. */
  stands(state: DesktopState): void;
  /** Whether it may take the keys as it appears: somebody may be at work elsewhere on the page. */
  takesKeys(): boolean;
}
/** What is done with one from around it. */
export interface DesktopHandle {
  focus(): void;
  reconnect(): void;
}
export interface DesktopProps {
  readonly clusterId: string;
  readonly name: string;
  readonly login: string;
  /** Whether somebody else is on it now. */
  readonly isTaken: boolean;
  /** The page is about it, or it is one of several in tabs. */
  readonly place: 'page' | 'tab';
  /** It is the one in front: what commands do is done there, and who watches is said of it. */
  readonly isFront: boolean;
  readonly handle?: Ref<DesktopHandle>;
  /** Must stay the same object while the same desktop is shown. */
  readonly ports: DesktopPorts;
}
/** What draws a desktop is built anew so often, and then by hand. */
const DEATHS_MOST = 2;
const engines: Readonly<Record<'vnc' | 'rdp', () => Promise<OpenDesktopView>>> = {
  vnc: async () => (await import('./vnc-view.ts')).openVncView,
  rdp: async () => (await import('./rdp-view.ts')).openRdpView,
};

/** One desktop: its bar, its picture, and what is to be said in place of one. */
export function Desktop({ clusterId, name, login, isTaken, place, isFront, handle, ports }: DesktopProps) {
  const room = useRef<HTMLDivElement>(null);
  const over = useRef<HTMLDivElement>(null);
  const sharesDirectories = useFact(facts => facts.who?.userAcl.directorySharing ?? false);
  const [goesOn, setGoesOn] = useState(!isTaken);
  const [state, setState] = useState<DesktopState>({ kind: 'connecting' });
  const [isShown, setShown] = useState(false);
  /** Counts how often it was begun anew by hand. */
  const [tries, setTries] = useState(0);
  const [watchers, setWatchers] = useState<readonly string[]>([]);
  const deaths = useRef(0);
  const [isFitted, setFitted] = useState(true);
  const [quality, setQuality] = useState(1);
  const connection = useRef<DesktopConnection | null>(null);
  const view = useRef<DesktopView | null>(null);
  const slot = useContext(DesktopSlotContext);
  const clipboard = useMemo(
    () =>
      createSharedClipboard({
        send: text => view.current?.copyTo(text),
        notify: ports.notify,
        isAllowed: mayReadClipboard,
        clipboard: navigator.clipboard,
        hasFocus: () => document.hasFocus(),
      }),
    [ports],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` begins it anew
  useEffect(() => {
    if (!goesOn) return;
    const opened = openDesktopConnection(
      { clusterId, name },
      () => ({ login, ...sizeOf(room.current) }),
      { ...ports.connection, watched: setWatchers },
      setState,
    );
    connection.current = opened;
    return () => opened.close();
  }, [clusterId, name, login, ports, tries, goesOn]);

  const stream = state.kind === 'ready' ? state.stream : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stream is shown once; how it is drawn is told to what shows it.
  useEffect(() => {
    const into = room.current;
    if (stream === null || state.kind !== 'ready' || !into) return;
    let isGone = false;
    const { protocol, sid, clipboard: shares } = state.session;
    engines[protocol]().then(
      open => {
        if (isGone) return;
        view.current = open(into, {
          ...{ stream, sid, isFitted, quality: qualities[quality] ?? 'medium' },
          on: {
            shown: () => setShown(true),
            copied: text => shares && clipboard.received(text),
            broken: why => why !== '' && ports.notify(why),
            died() {
              deaths.current += 1;
              if (deaths.current <= DEATHS_MOST) setTries(times => times + 1);
              else {
                connection.current?.close();
                setState({ kind: 'over', why: `What draws the desktop broke ${DEATHS_MOST + 1} times.` });
              }
            },
          },
        });
      },
      (error: unknown) => {
        connection.current?.close();
        setState({ kind: 'over', why: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => {
      isGone = true;
      view.current?.dispose();
      view.current = null;
      setShown(false);
    };
  }, [stream]);

  // Once it is marked as shown: whoever asks who gets the next key sees it by that (palette/listen.ts).
  useEffect(() => {
    if (isShown && ports.takesKeys()) view.current?.focus();
  }, [isShown, ports]);
  const isReady = state.kind === 'ready';
  useEffect(() => ports.stands(state), [ports, state]);
  useEffect(() => {
    if (!isReady || !isFront) return;
    showWatchers(watchers);
    return () => showWatchers([]);
  }, [isReady, isFront, watchers]);
  const sharesClipboard = isReady && state.session.clipboard;
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [showsWarnings, setShowsWarnings] = useState(false);
  const warnings = isReady
    ? warningsOf({ protocol: state.session.protocol, sharesClipboard, sharesDirectories }).filter(
        warning => !removed.includes(warning),
      )
    : [];
  const closeWarnings = (): void => {
    setShowsWarnings(false);
    view.current?.focus();
  };
  const act = (asked: DesktopAct): void => {
    if (asked === 'disconnect') {
      connection.current?.close();
      setState({ kind: 'over', why: 'You have disconnected.' });
    } else if (asked === 'reconnect') {
      deaths.current = 0;
      setGoesOn(true);
      setTries(times => times + 1);
    } else if (asked === 'fullScreen') {
      ports.fullScreen();
      view.current?.focus();
    } else if (asked === 'warnings') setShowsWarnings(true);
    else if (asked === 'fit') {
      setFitted(!isFitted);
      view.current?.fit(!isFitted);
      ports.notify(isFitted ? 'The desktop is shown pixel by pixel' : 'The desktop is shown as large as there is room');
    } else if (asked === 'quality' && isReady && state.session.protocol === 'rdp')
      ports.notify('RDP chooses by itself how fine its pictures are: there is no quality to set');
    else if (asked === 'quality') {
      const next = (quality + 1) % qualities.length;
      setQuality(next);
      view.current?.draw(qualities[next] ?? 'medium');
      ports.notify(`The picture is drawn in ${qualities[next]} quality`);
    } else if (asked === 'clipboard') {
      if (isReady && !sharesClipboard)
        ports.notify('Your roles do not let text go between the clipboards (desktop_clipboard)');
      else void clipboard.sync(true).then(() => view.current?.focus());
    } else {
      view.current?.press(specialKeys[asked.slice('press '.length)] ?? []);
      view.current?.focus();
    }
  };
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => (isFront ? slot.put(asked => latest.current(asked as DesktopAct)) : undefined), [slot, isFront]);
  useImperativeHandle(handle, () => ({
    focus() {
      if (view.current) view.current.focus();
      else
        (
          over.current?.querySelector('input') ?? over.current?.querySelector<HTMLElement>('button:last-of-type')
        )?.focus();
    },
    reconnect: () => latest.current('reconnect'),
  }));

  const share = (): void => {
    if (sharesClipboard) void clipboard.sync(false);
  };
  const watched = watchedText(watchers);
  const Title = place === 'page' ? 'h1' : 'h2';
  return (
    <section className={styles.desktop} aria-label={`${login}@${name}`}>
      <header className={styles.bar}>
        <Title className={styles.title}>
          {login}@{name}
        </Title>
        {isReady && (
          <>
            <span className={styles.badge}>{sharesClipboard ? 'clipboard shared' : 'clipboard not shared'}</span>
            <span className={styles.badge}>directories not shared</span>
            {state.session.recorded && <span className={styles.badge}>recorded</span>}
            {watched !== '' && <span className={styles.watched}>{watched}</span>}
          </>
        )}
        <span className={styles.gap} />
        {isReady && (
          <>
            <CommandButton id="desktop.press" size="dense" given={{ keys: textChoice('Ctrl+Alt+Delete') }}>
              Ctrl+Alt+Del
            </CommandButton>
            <CommandButton id="desktop.press" size="dense">
              Keys
            </CommandButton>
            <CommandButton id="desktop.clipboard" size="dense">
              Clipboard
            </CommandButton>
            <CommandButton id="desktop.warnings" size="dense">
              Warnings ({warnings.length})
            </CommandButton>
            <CommandButton id="desktop.fullScreen" size="dense">
              Full screen
            </CommandButton>
            <CommandButton id="desktop.disconnect" size="dense" kind="secondary">
              Disconnect
            </CommandButton>
          </>
        )}
      </header>
      <div className={styles.stage}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the desktop inside hears keys and clicks; here the clipboard follows them. */}
        <div
          ref={room}
          className={styles.room}
          data-desktop={isShown ? 'shown' : 'hidden'}
          onContextMenu={event => event.preventDefault()}
          onKeyDownCapture={event => !event.altKey && !event.metaKey && share()}
          onMouseDownCapture={share}
        />
        {isReady && showsWarnings && (
          <Warnings
            warnings={warnings}
            onRemove={warning => setRemoved([...removed, warning])}
            onClose={closeWarnings}
          />
        )}
        {!isShown && (
          <div ref={over} className={styles.over}>
            <Said
              state={goesOn ? state : null}
              name={name}
              onPassword={password => connection.current?.answer(password)}
              onGoOn={() => setGoesOn(true)}
              onAgain={() => act('reconnect')}
              onLeave={ports.leave}
              leaving={place === 'page' ? 'All desktops' : 'Close'}
              takesKeys={ports.takesKeys()}
            />
          </div>
        )}
      </div>
    </section>
  );
}

/** The room there is, in whole pixels that a screen can have. */
function sizeOf(room: HTMLElement | null): { width: number; height: number } {
  const side = (pixels: number): number => Math.min(8192, Math.max(200, Math.floor(pixels)));
  // Begun again where nobody sees it, it has no room.
  return { width: side(room?.clientWidth || 1280), height: side(room?.clientHeight || 800) };
}
