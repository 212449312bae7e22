// What the gateway draws of real desktops, compared with what they have on their screens.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { difference } from '../../../../e2e/rigs/pictures.ts';
import { openRdpDesktop, type RdpDesktop } from '../../../../e2e/rigs/rdp-desktop.ts';
import { openVncDesktop, type VncDesktop } from '../../../../e2e/rigs/vnc-desktop.ts';
import { drawnPicture } from '../../../contract/rdp-recorded.ts';
import type { DesktopSession } from '../../ports/desktops.ts';
import { connectRdp } from '../protocols/desktops/rdp/connect.ts';
import { relayRdp } from '../protocols/desktops/rdp/relay.ts';
import { logIn } from '../protocols/desktops/vnc/log-in.ts';
import { relayVnc } from '../protocols/desktops/vnc/relay.ts';
import { type Drawing, openDrawing, type RestoredScreen } from './drawing.ts';
import type { Doing } from './screen.ts';

let vnc: VncDesktop;
let rdp: RdpDesktop;
const folder = mkdtempSync(join(tmpdir(), 'postern-drawing-'));
beforeAll(async () => {
  [vnc, rdp] = await Promise.all([openVncDesktop(), openRdpDesktop()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([vnc?.dispose(), rdp?.dispose()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Pixels of a PNG, four bytes each. */
const pixelsOf = (png: Uint8Array): Buffer =>
  execFileSync('convert', ['png:-', 'rgba:-'], { input: png, maxBuffer: 2 ** 26 });
/** The whole screen, put together from what was drawn. */
async function pictureOf(drawing: Drawing): Promise<Buffer> {
  const restored = await drawing.restored();
  if (!restored) throw new Error('nothing is drawn');
  return Buffer.from(restored.png);
}
/** What the server sends, and a way to type. */
interface Seen {
  readonly recorded: Buffer[];
  readonly live: Drawing;
  close(): Promise<void>;
}
function look(protocol: 'vnc' | 'rdp', relay: (client: Duplex, session: DesktopSession) => Promise<void>): Seen {
  const recorded: Buffer[] = [];
  const [ours, theirs] = duplexPair();
  const live = openDrawing(
    { protocol, live: { sid: 'one', width: 1024, height: 768 } },
    { send: bytes => void theirs.write(bytes), copied: () => undefined },
  );
  theirs.on('data', (bytes: Buffer) => live.feed(bytes).catch(() => undefined));
  relay(ours, {
    ...{ sid: 'one', isRecorded: true, sharesClipboard: true },
    drawn: bytes => recorded.push(Buffer.from(bytes)) > 0,
    active: () => undefined,
    copied: () => undefined,
    notShared: () => undefined,
    gone: () => undefined,
  }).catch(() => undefined);
  return {
    recorded,
    live,
    async close() {
      theirs.destroy();
      await live.close();
    },
  };
}
const server = (port: number) => connect(port, '127.0.0.1').on('error', () => undefined);
async function lookAtVnc(): Promise<Seen> {
  const stream = server(vnc.port);
  await logIn(stream, 'lab', vnc.password);
  return look('vnc', (client, session) => relayVnc(stream, client, session));
}
async function lookAtRdp(): Promise<Seen> {
  const credentials = { domain: '', user: 'alice', password: 'any' };
  const secured = await connectRdp(
    server(rdp.port),
    { name: 'win-7', host: '127.0.0.1' },
    credentials,
    async shown => shown,
  );
  return look('rdp', (client, session) => relayRdp(secured, { address: 'win-7:1' }, credentials, client, session));
}
/** What is typed here, by the places of its keys. */
const places: Readonly<Record<string, number>> = {
  s: 0x1f,
  e: 0x12,
  q: 0x10,
  2: 0x03,
  3: 0x04,
  0: 0x0b,
  ' ': 0x39,
  '\n': 0x1c,
};
const scancodeOf = (letter: string): number => places[letter] ?? 0;
async function type(live: Drawing, text: string): Promise<void> {
  for (const letter of text)
    for (const isDown of [true, false])
      await live.act({ kind: 'key', scancode: scancodeOf(letter), isDown } satisfies Doing);
}

/** A recording that is begun at one of these moments shows what one shows that is begun at its beginning. */
async function proveMoments(protocol: 'vnc' | 'rdp', all: Buffer, moments: readonly number[]): Promise<void> {
  const whole = openDrawing({ protocol });
  try {
    const found: { readonly at: number; readonly moment: RestoredScreen }[] = [];
    let fed = 0;
    for (const at of moments) {
      await whole.feed(all.subarray(fed, at));
      fed = at;
      const moment = await whole.restored();
      if (!moment) throw new Error('there is no moment');
      found.push({ at, moment });
    }
    await whole.feed(all.subarray(fed));
    const end = await pictureOf(whole);
    for (const { at, moment } of found)
      expect((await begunAt(protocol, moment, all.subarray(at))).equals(end)).toBe(true);
  } finally {
    await whole.close();
  }
}
async function begunAt(protocol: 'vnc' | 'rdp', moment: RestoredScreen, rest: Buffer): Promise<Buffer> {
  const begun = openDrawing({ protocol });
  try {
    const { width, height } = moment;
    const pixels = pixelsOf(moment.png);
    await begun.feed(moment.before);
    if (protocol === 'rdp') for (const pdu of drawnPicture(width, height, pixels)) await begun.feed(pdu);
    else {
      const size = [width >> 8, width & 255, height >> 8, height & 255];
      await begun.feed(Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, ...size, 0, 0, 0, 0]), pixels]));
    }
    await begun.feed(Buffer.concat([moment.after, rest]));
    return await pictureOf(begun);
  } finally {
    await begun.close();
  }
}

test.each([
  ['vnc', () => lookAtVnc()],
  ['rdp', () => lookAtRdp()],
] as const)(
  '%s: what is drawn is what the server has, and a moment goes on as if all before had been there',
  async (protocol, open) => {
    const desktop = protocol === 'vnc' ? vnc : rdp;
    const seen = await open();
    try {
      await vi.waitFor(async () => expect((await seen.live.take()).rectangles.length).toBeGreaterThan(0), 20_000);
      await seen.live.act({ kind: 'move', x: 100, y: 100 });
      // How many bytes a screenful takes lies with the server, which puts updates together: more is printed until it is enough.
      await vi.waitFor(
        async () => {
          await type(seen.live, 'seq 300\n');
          expect(Buffer.concat(seen.recorded).length).toBeGreaterThan(1000);
        },
        { timeout: 20_000, interval: 1_000 },
      );
      await type(seen.live, 'seq 200\n');
      const [ours, theirs] = [join(folder, `${protocol}.png`), join(folder, `${protocol}-server.png`)];
      // Drawn on as it comes.
      const drawn = openDrawing({ protocol });
      try {
        let fed = 0;
        await vi.waitFor(
          async () => {
            for (; fed < seen.recorded.length; fed += 1) await drawn.feed(seen.recorded[fed] ?? Buffer.alloc(0));
            writeFileSync(ours, await pictureOf(drawn));
            desktop.picture(theirs);
            expect(difference(ours, theirs)).toBeLessThan(0.02);
          },
          { timeout: 60_000, interval: 500 },
        );
      } finally {
        await drawn.close();
      }
      const all = Buffer.concat(seen.recorded);
      await proveMoments(
        protocol,
        all,
        [0.4, 0.7, 0.95].map(share => Math.floor(all.length * share)),
      );
    } finally {
      await seen.close();
    }
  },
  120_000,
);
