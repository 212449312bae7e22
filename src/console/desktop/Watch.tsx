import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { type DesktopMoment, type WatchedMessage, watchedMessage } from '../../contract/desktop-sessions.ts';
import { readJson } from '../../contract/json.ts';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import styles from './desktop.module.css';
import { type DesktopReplay, loadReplay, momentOf } from './replay.ts';

interface WatchProps {
  /** Must stay the same object while the same session is watched. */
  readonly ports: {
    /** Address of its socket, with a token that is good now. */
    address(): Promise<string>;
    /** Why an address was not opened, in words. */
    explain(address: string): Promise<string>;
    /** Back to the list of sessions. */
    leave(): void;
  };
}
type Watching = NonNullable<WatchedMessage['watching']>;

/** A session on a desktop as somebody watches it: what is drawn, and no way in. */
export function Watch({ ports }: WatchProps) {
  const room = useRef<HTMLDivElement>(null);
  const [watching, setWatching] = useState<Watching | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` begins it anew
  useEffect(() => {
    const into = room.current;
    if (!into) return;
    let isGone = false;
    let socket: WebSocket | undefined;
    let replay: DesktopReplay | undefined;
    /** What came is shown in its order: once the engine is there, and once the moment before it is read. */
    let shown: Promise<void> = Promise.resolve();
    const end = (why: string): void => {
      if (!isGone) setOver(before => before ?? why);
    };
    function next(show: () => Promise<void> | void): void {
      shown = shown.then(() => (isGone ? undefined : show()));
      shown.catch((error: unknown) => end(error instanceof Error ? error.message : String(error)));
    }
    const feed = (bytes: Uint8Array): void => next(() => replay?.feed(bytes, () => undefined));
    async function begin(said: Watching): Promise<void> {
      setWatching(said);
      const openReplay = await loadReplay(said.protocol);
      if (!isGone && into) replay = openReplay(into);
    }
    async function goTo(moment: DesktopMoment): Promise<void> {
      const read = await momentOf(moment);
      if (!isGone) replay?.restore(read);
    }
    async function open(): Promise<void> {
      const address = await ports.address();
      if (isGone) return;
      const opened = new WebSocket(location.origin.replace(/^http/, 'ws') + address);
      socket = opened;
      let isOpen = false;
      opened.binaryType = 'arraybuffer';
      opened.onopen = () => {
        isOpen = true;
      };
      opened.onmessage = ({ data }) => {
        if (data instanceof ArrayBuffer) return feed(new Uint8Array(data));
        const read = z.safeParse(watchedMessage, readJson(String(data)));
        if (!read.success) return;
        const { watching: said, moment } = read.data;
        if (said) next(() => begin(said));
        if (moment) next(() => goTo(moment));
        if (read.data.over !== undefined) end(read.data.over || 'The session on the desktop has ended.');
      };
      opened.onclose = async () => end(isOpen ? 'The connection was lost.' : await ports.explain(address));
    }
    open().catch((error: unknown) => end(error instanceof Error ? error.message : String(error)));
    return () => {
      isGone = true;
      if (socket) socket.onmessage = socket.onclose = null;
      socket?.close();
      replay?.dispose();
    };
  }, [ports, tries]);

  const again = (): void => {
    setOver(null);
    setWatching(null);
    setTries(times => times + 1);
  };
  const title = watching ? `${watching.login}@${watching.name}` : 'Desktop';
  return (
    <section className={styles.desktop} aria-label={title}>
      <header className={styles.bar}>
        <h1 className={styles.title}>{title}</h1>
        {watching && <span className={styles.watched}>you watch {watching.owner}</span>}
        <span className={styles.gap} />
        <Button size="dense" onClick={ports.leave}>
          All sessions
        </Button>
      </header>
      <div className={styles.stage}>
        <div ref={room} className={styles.room} data-desktop={watching ? 'watched' : 'hidden'} inert />
        {(over !== null || watching === null) && (
          <div className={styles.over}>
            {over === null ? (
              <Spinner delay="none" label="Connecting" />
            ) : (
              <div className={styles.said} role="alert">
                <h2>Not watching</h2>
                <p>{over}</p>
                <p className={styles.actions}>
                  <Button onClick={ports.leave}>All sessions</Button>
                  <Button kind="primary" autoFocus onClick={again}>
                    Watch again
                  </Button>
                </p>
              </div>
            )}
          </div>
        )}
      </div>
    </section>
  );
}
