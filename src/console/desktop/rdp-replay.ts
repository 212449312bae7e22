// A recorded RDP desktop: the engine over a socket that leads to no network, which is let in as the server let one in, and then fed what it drew.

import {
  createCutter,
  drawnPicture,
  type Played,
  readPlayed,
  recordedCertificate,
} from '../../contract/rdp-recorded.ts';
import { openRecordedServer, type RecordedServer } from '../../contract/rdp-server.ts';
import styles from './rdp.module.css';
import type { RdpSession } from './rdp-core.ts';
import { endSession, loadEngine, onEngineDeath } from './rdp-engine.ts';
import type { DesktopReplay } from './vnc-replay.ts';

type Message = Uint8Array | { readonly drawn: () => void };
/** One screen: from where the server begins it to where it ends it, which another size does too. */
interface Screen {
  take(message: Message): void;
  dispose(): void;
}

/** Begins at the beginning. */
export function openRdpReplay(into: HTMLElement): DesktopReplay {
  const cut = createCutter();
  /** What comes before a screen: each is begun with it anew. */
  const welcome: Uint8Array[] = [];
  let channels: readonly number[] = [];
  let screen: Screen | null = null;

  function take(pdu: Uint8Array): void {
    const played = readPlayed(pdu);
    if (played.kind === 'hello') channels = played.channels;
    if (played.kind === 'noScreen' || played.kind === 'screen') {
      screen?.dispose();
      screen = null;
    }
    if (played.kind === 'screen') {
      screen = openScreen(into, [...welcome], channels, played);
      screen.take(pdu);
    } else if (screen) screen.take(pdu);
    else if (played.kind !== 'noScreen' && played.kind !== 'joined') welcome.push(pdu);
  }
  return {
    restore({ before, width, height, pixels, after }) {
      for (const pdu of cut(before)) take(pdu);
      for (const pdu of drawnPicture(width, height, pixels)) take(pdu);
      for (const pdu of cut(after)) take(pdu);
    },
    feed(bytes, drawn) {
      for (const pdu of cut(bytes)) take(pdu);
      if (screen) screen.take({ drawn });
      else drawn();
    },
    dispose: () => screen?.dispose(),
  };
}

function openScreen(
  into: HTMLElement,
  welcome: readonly Uint8Array[],
  channels: readonly number[],
  size: Extract<Played, { kind: 'screen' }>,
): Screen {
  const canvas = document.createElement('canvas');
  canvas.className = styles.screen ?? '';
  canvas.dataset.fitted = 'true';
  into.append(canvas);
  /** Up to the last of what begins a screen: the engine is let in with it. */
  const beginning: Uint8Array[] = [];
  let isBegun = false;
  const waiting: Message[] = [];
  const asking = new Set<() => void>();
  let running: { readonly server: RecordedServer; readonly session: RdpSession } | null = null;
  let server: RecordedServer | null = null;
  let isDisposed = false;
  let isOver = false;
  let said: HTMLElement | null = null;

  function tell(message: Message): void {
    if (isOver) {
      if (!(message instanceof Uint8Array)) message.drawn();
    } else if (!running) waiting.push(message);
    else if (message instanceof Uint8Array) running.server.tell(message);
    else ask(running.server, message.drawn);
  }
  function ask(of: RecordedServer, drawn: () => void): void {
    const answer = of.answered();
    const done = (): void => {
      if (asking.delete(done)) drawn();
    };
    asking.add(done);
    // Without a question: the next frame shows it.
    if (answer) answer.then(done);
    else requestAnimationFrame(done);
  }
  /** Whoever waits for what is not drawn any longer. */
  function letGo(): void {
    isOver = true;
    for (const done of asking) done();
    for (const message of waiting.splice(0)) tell(message);
  }
  /** A server that ends the session is told as a failure, too. */
  function fail(): void {
    if (isDisposed || running) return;
    said = document.createElement('p');
    said.setAttribute('role', 'alert');
    said.textContent =
      'This part of the session could not be drawn. Another moment may be, and this one when it is shown again.';
    canvas.after(said);
  }
  async function run(): Promise<void> {
    const { connectEngine } = await loadEngine();
    if (isDisposed) return;
    const certificate = Uint8Array.from(atob(recordedCertificate), letter => letter.charCodeAt(0));
    const opened = openRecordedServer({ welcome, channels, beginning, certificate });
    server = opened;
    const session = await connectEngine({ canvas, address: opened.address, token: 'recording', size });
    if (isDisposed) return endSession(session);
    const over = session.run();
    running = { server: opened, session };
    for (const message of waiting.splice(0)) tell(message);
    await over;
  }
  const undie = onEngineDeath(() => {
    running = null;
    letGo();
  });
  return {
    take(message) {
      if (isBegun) return tell(message);
      if (!(message instanceof Uint8Array)) {
        // There is no picture yet that it could wait for.
        requestAnimationFrame(message.drawn);
        return;
      }
      beginning.push(message);
      isBegun = readPlayed(message).kind === 'begun';
      // The last of what was recorded ends the session: what was drawn stays.
      if (isBegun) run().catch(fail).finally(letGo);
    },
    dispose() {
      isDisposed = true;
      undie();
      if (running) endSession(running.session);
      server?.close();
      canvas.remove();
      said?.remove();
      letGo();
    },
  };
}
