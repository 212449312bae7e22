import { type FormEvent, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { textChoice } from '../../../commands/answer.ts';
import type { DesktopAct } from '../../../commands/command.ts';
import {
  type DesktopConnection,
  type DesktopConnectionPorts,
  type DesktopState,
  openDesktopConnection,
} from '../../client/desktop-connection.ts';
import { CommandButton } from '../palette/CommandButton.tsx';
import { createFullScreen } from '../terminal/full-screen.ts';
import { Button } from '../ui/Button.tsx';
import { desktopCompany, showWatchers } from '../ui/desktop-company.ts';
import { DesktopSlotContext } from '../ui/desktop-slot.ts';
import { Field } from '../ui/Field.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { createSharedClipboard, mayReadClipboard } from './clipboard.ts';
import styles from './desktop.module.css';
import { type DesktopView, type OpenDesktopView, qualities, specialKeys } from './view.ts';
import { Warnings } from './Warnings.tsx';
import { warningsOf } from './warnings.ts';

export interface DesktopPorts {
  readonly connection: DesktopConnectionPorts;
  notify(text: string): void;
  /** Back to the list of desktops. */
  leave(): void;
}
export interface DesktopProps {
  readonly clusterId: string;
  readonly name: string;
  readonly login: string;
  /** Whether somebody else is on it now. */
  readonly isTaken: boolean;
  /** Whether the person's roles let directories be shared. */
  readonly sharesDirectories: boolean;
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
export function Desktop({ clusterId, name, login, isTaken, sharesDirectories, ports }: DesktopProps) {
  const room = useRef<HTMLDivElement>(null);
  const [goesOn, setGoesOn] = useState(!isTaken);
  const [state, setState] = useState<DesktopState>({ kind: 'connecting' });
  const [isShown, setShown] = useState(false);
  /** Counts how often it was begun anew by hand. */
  const [tries, setTries] = useState(0);
  const deaths = useRef(0);
  const [isFitted, setFitted] = useState(true);
  const [quality, setQuality] = useState(1);
  const connection = useRef<DesktopConnection | null>(null);
  const view = useRef<DesktopView | null>(null);
  const slot = useContext(DesktopSlotContext);
  const fullScreen = useMemo(
    () =>
      createFullScreen(
        document,
        ports.notify,
        () => undefined,
        () => undefined,
      ),
    [ports],
  );
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
      ports.connection,
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
            shown() {
              setShown(true);
              view.current?.focus();
            },
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

  const watchers = useSnapshot(desktopCompany).text;
  const isReady = state.kind === 'ready';
  useEffect(() => (isReady ? () => showWatchers([]) : undefined), [isReady]);
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
    } else if (asked === 'fullScreen') void fullScreen().then(() => view.current?.focus());
    else if (asked === 'warnings') setShowsWarnings(true);
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
  useEffect(() => slot.put(asked => latest.current(asked as DesktopAct)), [slot]);

  const share = (): void => {
    if (sharesClipboard) void clipboard.sync(false);
  };
  return (
    <section className={styles.desktop} aria-label={`${login}@${name}`}>
      <header className={styles.bar}>
        <h1 className={styles.title}>
          {login}@{name}
        </h1>
        {isReady && (
          <>
            <span className={styles.badge}>{sharesClipboard ? 'clipboard shared' : 'clipboard not shared'}</span>
            <span className={styles.badge}>directories not shared</span>
            {state.session.recorded && <span className={styles.badge}>recorded</span>}
            {watchers !== '' && <span className={styles.watched}>{watchers}</span>}
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
          <div className={styles.over}>
            <Said
              state={goesOn ? state : null}
              name={name}
              onPassword={password => connection.current?.answer(password)}
              onGoOn={() => setGoesOn(true)}
              onAgain={() => act('reconnect')}
              onLeave={ports.leave}
            />
          </div>
        )}
      </div>
    </section>
  );
}

/** What stands in the place of a picture. `state` null: somebody else is on it. */
function Said(props: {
  readonly state: DesktopState | null;
  readonly name: string;
  readonly onPassword: (password: string) => void;
  readonly onGoOn: () => void;
  readonly onAgain: () => void;
  readonly onLeave: () => void;
}) {
  const { state, name, onPassword, onGoOn, onAgain, onLeave } = props;
  if (state === null)
    return (
      <div className={styles.said} role="alertdialog" aria-label="Another session is active">
        <h2>Another session is active</h2>
        <p>Somebody is on {name} now. Going on may end their session, or show both the same screen.</p>
        <p className={styles.actions}>
          <Button onClick={onLeave}>Abort</Button>
          <Button kind="primary" autoFocus onClick={onGoOn}>
            Continue
          </Button>
        </p>
      </div>
    );
  if (state.kind === 'asks') return <Password why={state.why} onPassword={onPassword} onLeave={onLeave} />;
  if (state.kind === 'over')
    return (
      <div className={styles.said} role="alert">
        <h2>Not connected</h2>
        <p>{state.why || 'The session on the desktop has ended.'}</p>
        <p className={styles.actions}>
          <Button onClick={onLeave}>All desktops</Button>
          <Button kind="primary" autoFocus onClick={onAgain}>
            Connect again
          </Button>
        </p>
      </div>
    );
  return (
    <div className={styles.said}>
      <Spinner delay="none" label="Connecting" />
      <p>{state.kind === 'lost' ? 'The connection was lost: it is tried again.' : `Connecting to ${name}…`}</p>
    </div>
  );
}

function Password(props: {
  readonly why: string;
  readonly onPassword: (password: string) => void;
  readonly onLeave: () => void;
}) {
  const [password, setPassword] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    props.onPassword(password);
  };
  return (
    <form className={styles.said} onSubmit={send}>
      <h2>Password</h2>
      <p>{props.why} It is used once, and kept nowhere.</p>
      <Field
        label="Password of the desktop"
        type="password"
        autoFocus
        autoComplete="off"
        value={password}
        onChange={event => setPassword(event.target.value)}
      />
      <p className={styles.actions}>
        <Button onClick={props.onLeave}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={password === ''}>
          Log in
        </Button>
      </p>
    </form>
  );
}

/** The room there is, in whole pixels that a screen can have. */
function sizeOf(room: HTMLElement | null): { width: number; height: number } {
  const side = (pixels: number): number => Math.min(8192, Math.max(200, Math.floor(pixels)));
  return { width: side(room?.clientWidth ?? 1280), height: side(room?.clientHeight ?? 800) };
}
