// Draws what an RDP server sends, by the engine of the browser: as it was recorded, or while it is looked at.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPaced } from '../../../contract/paced.ts';
import { createCutter, createFragments, readPlayed, recordedCertificate } from '../../../contract/rdp-recorded.ts';
import { openRecordedServer } from '../../../contract/rdp-server.ts';
import { openRdpSocket, RDP_RESIZE_APART_MS } from '../../../contract/rdp-socket.ts';
import { createFrame, type Frame } from './frame.ts';
import { openRdpEngine, type Painted } from './rdp-engine.ts';
import type { LiveScreen, LiveSinks, Screen } from './screen.ts';

/** An engine that does not answer, or does not begin, is dead, ms: a machine that is busy with other things takes its time. */
const ANSWER_MS = 60_000;
const BEGIN_MS = 60_000;
/** What a screen begins with is told again to whoever comes later, for how pictures are packed is said there once, bytes. */
const HEAD_BYTES = 16 * 1024;
/** A wheel turns by pixels. */
const WHEEL_UNIT = 0;

const painting = (frame: Frame): Painted => ({
  put(pixels, width, left, top, [x = 0, y = 0, wide = 0, high = 0]) {
    if (wide === width && x === 0)
      return frame.put({ left, top: top + y, width, height: high }, pixels.subarray(y * width * 4));
    const part = new Uint8Array(wide * high * 4);
    for (let line = 0; line < high; line += 1) {
      const from = ((y + line) * width + x) * 4;
      part.set(pixels.subarray(from, from + wide * 4), line * wide * 4);
    }
    frame.put({ left: left + x, top: top + y, width: wide, height: high }, part);
  },
  resized: (width, height) => frame.resize(width, height),
});

interface Connected {
  tell(pdu: Uint8Array): void;
  /** Resolves when all that was told is drawn, or never will be. Rejects where the engine does not answer. */
  drawn(): Promise<void>;
  close(): void;
}

/** Begins at the beginning of a recording. */
export function openRecordedRdp(): Screen {
  const frame = createFrame();
  const cut = createCutter();
  let tail: Buffer = Buffer.alloc(0);
  let fragments = createFragments();
  /** What comes before a screen: each is begun with it anew. */
  const welcome: Uint8Array[] = [];
  let channels: readonly number[] = [];
  /** What the screen that is shown began with; null between two. */
  let begun: { readonly pdus: Uint8Array[]; bytes: number; isFull: boolean } | null = null;
  let size = { width: 0, height: 0 };
  let screen: Connected | null = null;

  async function connect(beginning: readonly Uint8Array[]): Promise<Connected> {
    const certificate = Buffer.from(recordedCertificate, 'base64');
    const server = openRecordedServer({ welcome, channels, beginning, certificate });
    const engine = await openRdpEngine({ ...size, address: server.address, token: 'recording' }, painting(frame));
    const session = await inTime(engine.connect(), BEGIN_MS);
    // The last of what was recorded ends it: what was drawn stays, and nobody answers any longer.
    const over = session.run().then(
      () => undefined,
      () => undefined,
    );
    return {
      tell: server.tell,
      close: server.close,
      // Without a question: the engine does at once what it is told, before anything else gets its turn.
      drawn: () => inTime(Promise.race([server.answered() ?? nextTurn(), over]), ANSWER_MS),
    };
  }
  async function take(pdu: Uint8Array): Promise<void> {
    const played = readPlayed(pdu);
    if (played.kind === 'hello') channels = played.channels;
    if (played.kind === 'noScreen' || played.kind === 'screen') {
      screen?.close();
      screen = null;
      begun = null;
    }
    if (played.kind === 'screen') {
      size = { width: played.width, height: played.height };
      frame.resize(size.width, size.height);
      fragments = createFragments();
      begun = { pdus: [pdu], bytes: 0, isFull: false };
      return;
    }
    if (!begun) {
      if (played.kind !== 'noScreen' && played.kind !== 'joined') welcome.push(pdu);
      return;
    }
    fragments.take(pdu);
    if (!begun.isFull) {
      begun.pdus.push(pdu);
      if (screen) begun.bytes += pdu.length;
      begun.isFull = begun.bytes >= HEAD_BYTES && fragments.open.length === 0;
    }
    if (screen) screen.tell(pdu);
    else if (played.kind === 'begun') screen = await connect(begun.pdus);
  }
  return {
    frame,
    async feed(bytes) {
      const pdus = cut(bytes);
      const all = Buffer.concat([tail, bytes]);
      tail = all.subarray(pdus.reduce((sum, pdu) => sum + pdu.length, 0));
      for (const pdu of pdus) await take(Uint8Array.from(pdu));
      await screen?.drawn();
    },
    restored() {
      if (!screen || !begun) return null;
      // What is told as the beginning is not told twice.
      const open = begun.isFull ? fragments.open : [];
      return {
        before: Buffer.concat([...welcome, ...begun.pdus]),
        png: frame.png(),
        after: Buffer.concat([...open, tail]),
      };
    },
  };
}

/** `sid`: what the stream is opened with. */
export async function openLiveRdp(
  { width, height, sid }: { readonly width: number; readonly height: number; readonly sid: string },
  sinks: LiveSinks,
): Promise<LiveScreen> {
  const frame = createFrame();
  const socket = openRdpSocket(message => sinks.send(Buffer.from(message.buffer, message.byteOffset, message.length)));
  const engine = await openRdpEngine(
    { width, height, address: socket.address, token: sid },
    painting(frame),
    sinks.copied,
  );
  const { doing } = engine;
  let wanted = { width, height };
  const resize = createPaced(
    RDP_RESIZE_APART_MS,
    () => engine.resize(wanted.width, wanted.height),
    (ms, run) => {
      const timer = setTimeout(run, ms).unref();
      return () => clearTimeout(timer);
    },
  );
  /** What it cannot go on for: told with what the server sends next, where its stream has not ended by then. */
  let broken: Error | null = null;
  engine
    .connect()
    .then(session => session.run())
    .catch(() => {
      broken = new Error('what draws RDP cannot go on');
    });
  return {
    frame,
    feed(bytes) {
      if (broken) throw broken;
      socket.tell(bytes);
    },
    restored: () => null,
    act(what) {
      if (what.kind === 'clipboard') engine.copy(what.text);
      else if (what.kind === 'resize') {
        wanted = { width: what.width, height: what.height };
        resize.run();
      } else if (what.kind === 'move') engine.act(doing.mouseMove(what.x, what.y));
      else if (what.kind === 'button')
        engine.act(what.isDown ? doing.mouseButtonPressed(what.button) : doing.mouseButtonReleased(what.button));
      else if (what.kind === 'key')
        engine.act(what.isDown ? doing.keyPressed(what.scancode) : doing.keyReleased(what.scancode));
      else engine.act(doing.wheelRotations(what.isVertical, what.delta, WHEEL_UNIT));
    },
  };
}

async function inTime<Value>(wanted: Promise<Value>, ms: number): Promise<Value> {
  let late: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      wanted,
      new Promise<never>((_, fail) => {
        late = setTimeout(() => fail(new Error('what draws the desktop does not answer')), ms);
      }),
    ]);
  } finally {
    clearTimeout(late);
  }
}
