// A recorded RDP desktop: the engine over a channel that leads nowhere, which is let in as the server let one in, and then fed what it drew.

import {
  createCutter,
  drawnPicture,
  type Played,
  question,
  readAsked,
  readPlayed,
} from '../../contract/rdp-recorded.ts';
import styles from './rdp.module.css';
import { openChannel, type RecordedChannel } from './rdp-channel.ts';
import { connectEngine, endSession, loadEngine, onEngineDeath, type RdpSession } from './rdp-engine.ts';
import type { DesktopReplay } from './vnc-replay.ts';

/** An engine that answers no question is not waited for longer, ms. */
const ANSWER_MS = 1000;
/** The client asks who it is on the channels. */
const ATTACH = 0x28;

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
      screen = openScreen(into, welcome, channels, played);
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
  let session: RdpSession | null = null;
  let isDisposed = false;
  /** What has not been told yet; `beginning` is told while the engine connects, all else when it has. */
  const rest = [...welcome];
  const beginning: Uint8Array[] = [];
  const waiting: Message[] = [];
  let isBegun = false;
  let isRunning = false;
  let isLoggedIn = false;
  /** The channel that questions go over, and who waits for their answers. */
  let asks = 0;
  const asked: (() => void)[] = [];

  function hear(message: Uint8Array): void {
    const found = readAsked(message);
    if (found.kind === 'hello') {
      asks = channels[found.channels.indexOf('drdynvc')] ?? 0;
      tellNext();
    } else if (found.kind === 'join') channel.tell(found.answer);
    else if (found.kind === 'sent' && found.channel === asks) asked.shift()?.();
    else if (found.kind === 'sent' && !isLoggedIn) {
      isLoggedIn = true;
      for (const pdu of rest.splice(0)) channel.tell(pdu);
      for (const pdu of beginning.splice(0)) channel.tell(pdu);
    } else if (message[7] === ATTACH) tellNext();
  }
  function tellNext(): void {
    const pdu = rest.shift();
    if (pdu) channel.tell(pdu);
  }
  function tell(message: Message): void {
    if (message instanceof Uint8Array) channel.tell(message);
    else answered(message.drawn);
  }
  function answered(drawn: () => void): void {
    let isDone = false;
    const done = (): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(late);
      drawn();
    };
    const late = setTimeout(done, ANSWER_MS);
    asked.push(done);
    channel.tell(question(asks));
  }
  async function run(to: RecordedChannel): Promise<void> {
    await loadEngine();
    if (isDisposed) return;
    const begun = await connectEngine({ canvas, address: to.address, token: 'recording', size });
    if (isDisposed) return endSession(begun);
    session = begun;
    const over = begun.run();
    isRunning = true;
    for (const message of waiting.splice(0)) tell(message);
    await over;
  }
  const cut = createCutter();
  const channel = openChannel(bytes => {
    for (const message of cut(bytes)) hear(message);
  });
  const undie = onEngineDeath(() => undefined);
  // The last of what was recorded ends the session: what was drawn stays.
  run(channel).catch(() => undefined);
  return {
    take(message) {
      if (!isBegun && message instanceof Uint8Array) {
        isBegun = readPlayed(message).kind === 'begun';
        if (isLoggedIn) channel.tell(message);
        else beginning.push(message);
      } else if (isRunning) tell(message);
      else waiting.push(message);
    },
    dispose() {
      isDisposed = true;
      undie();
      if (session) endSession(session);
      channel.close();
      canvas.remove();
      for (const message of waiting) if (!(message instanceof Uint8Array)) message.drawn();
      for (const done of asked) done();
    },
  };
}
