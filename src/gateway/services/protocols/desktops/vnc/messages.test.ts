// Hostile VNC servers and clients: what they say is relayed, or ends the session with a reason; nothing else comes of it.
import { type Duplex, duplexPair } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DesktopSession } from '../../../../ports/desktops.ts';
import { createFrame } from '../../../desktop-drawing/frame.ts';
import { openVncScreen } from '../../../desktop-drawing/vnc-screen.ts';
import { Malformed, readBy, type Script } from '../passing.ts';
import { clientMessages } from './client-messages.ts';
import { relayVnc } from './relay.ts';
import { serverMessages } from './server-messages.ts';

const RUNS = { numRuns: 5000 };
const u16 = (...numbers: number[]): number[] => numbers.flatMap(number => [(number >> 8) & 255, number & 255]);
const u32 = (number: number): number[] => [...u16(number >>> 16), ...u16(number & 0xffff)];
const start = [...u16(64, 48), ...Array.from({ length: 16 }, () => 0), ...u32(3), ...Buffer.from('lab')];

const wild = fc.uint8Array({ maxLength: 40 }).map(bytes => [...bytes]);
/** Also sides and lengths that are larger than any. */
const side = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 64 }), weight: 4 },
  fc.constantFrom(0xffff, 16_384, 0x8000),
);
const length = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 30 }), weight: 4 },
  fc.constantFrom(-1, -30, 2 ** 31 - 1, -(2 ** 31), 256 * 1024 + 1),
);
const encoding = fc.constantFrom(0, 1, 7, -223, -224, -239, -258, -307, -308, -312, 16, 5, -260, 77);
const rectangle = fc
  .tuple(side, side, side, side, encoding, wild)
  .map(([left, top, width, height, kind, body]) => [...u16(left, top, width, height), ...u32(kind), ...body]);
const update = fc
  .tuple(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(0xffff)), fc.array(rectangle, { maxLength: 3 }))
  .map(([count, all]) => [0, 0, ...u16(count), ...all.flat()]);
const cutText = (kind: number) => fc.tuple(length, wild).map(([said, body]) => [kind, 0, 0, 0, ...u32(said), ...body]);
const fence = fc
  .tuple(fc.integer({ min: 0, max: 255 }), wild)
  .map(([size, body]) => [248, 0, 0, 0, 0, 0, 0, 0, size, ...body]);
const fromServer = fc
  .tuple(
    fc.constantFrom(start, [], start.slice(0, 20)),
    fc.array(fc.oneof(update, cutText(3), fence, wild), { maxLength: 4 }),
  )
  .map(([begin, all]) => Buffer.from([...begin, ...all.flat()]));
const asked = fc
  .tuple(fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(0xffff)), fc.array(encoding, { maxLength: 4 }))
  .map(([count, all]) => [2, 0, ...u16(count), ...all.flatMap(u32)]);
const sizes = fc
  .tuple(side, side, fc.integer({ min: 0, max: 255 }), wild)
  .map(([width, height, screens, body]) => [251, 0, ...u16(width, height), screens, 0, ...body]);
const pixels = fc.tuple(fc.constantFrom(8, 16, 32), wild).map(([bits, body]) => [0, 0, 0, 0, bits, 24, 0, 1, ...body]);
const fromClient = fc
  .array(fc.oneof(asked, cutText(6), fence, sizes, pixels, wild), { maxLength: 4 })
  .map(all => Buffer.from(all.flat()));
const cuts = fc.integer({ min: 1, max: 40 });

/** What went on, and what ended it. */
function relayed(bytes: Buffer, cut: number, script: (went: (bytes: Buffer) => void) => Script) {
  const went: Buffer[] = [];
  const on = (piece: Buffer): void => void went.push(Buffer.from(piece));
  let why = '';
  try {
    const read = readBy(script(on), on);
    for (let at = 0; at < bytes.length; at += cut) read(bytes.subarray(at, at + cut));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    why = error.message;
  }
  return { went: Buffer.concat(went).toString('hex'), why };
}
const ofServer = (went: (bytes: Buffer) => void): Script => serverMessages({ drawn: went, copied: went });
const ofClient = (passed: (bytes: Buffer) => void): Script =>
  clientMessages({ passed, active: () => undefined, copied: passed });

test.each([
  ['server', fromServer, ofServer],
  ['client', fromClient, ofClient],
] as const)(
  '5000 streams of a hostile %s end with a reason or go on, the same wherever they are cut, and nothing is made up',
  (_, streams, script) => {
    fc.assert(
      fc.property(streams, cuts, (bytes, cut) => {
        const whole = relayed(bytes, bytes.length || 1, script);
        expect(relayed(bytes, cut, script).why).toBe(whole.why);
        expect(relayed(bytes, cut, script).went).toBe(whole.went);
        expect(whole.went.length / 2).toBeLessThanOrEqual(bytes.length);
      }),
      RUNS,
    );
  },
  60_000,
);

test('5000 streams of a hostile server are drawn or refused in the gateway: no screen is larger than there may be', () => {
  fc.assert(
    fc.property(fromServer, cuts, (bytes, cut) => {
      const { frame, feed, restored } = openVncScreen(() => undefined);
      try {
        for (let at = 0; at < bytes.length; at += cut) void feed(bytes.subarray(at, at + cut));
        restored();
      } catch (error) {
        expect((error as Error).message).not.toBe('');
      }
      expect(frame.pixels.length).toBeLessThanOrEqual(4 * 8192 * 4096);
    }),
    RUNS,
  );
}, 60_000);

test('a pointer that is larger than any is refused before it is waited for', () => {
  const screen = openVncScreen(() => undefined);
  const pointer = [0, 0, ...u16(1), ...u16(0, 0, 4096, 4096), ...u32(-239)];
  expect(() => screen.feed(Buffer.from([...start, ...pointer]))).toThrow('a pointer larger than any');
  expect(() => createFrame().resize(9000, 10)).toThrow('there is no screen of 9000x10');
}, 60_000);

/** A relay of which both ends are in our hands. */
function relay(): { server: Duplex; client: Duplex; over: Promise<string> } {
  const [[server, itsEnd], [client, ourEnd]] = [duplexPair(), duplexPair()];
  const session: DesktopSession = {
    ...{ sid: 'one', isRecorded: true, sharesClipboard: true },
    drawn: () => true,
    ...{ active: () => undefined, copied: () => undefined, notShared: () => undefined, gone: () => undefined },
  };
  for (const end of [server, client]) end.on('error', () => undefined).resume();
  const over = relayVnc(itsEnd, ourEnd, session).then(
    () => 'in order',
    (error: unknown) => (error instanceof Malformed ? 'malformed' : String((error as Error).message)),
  );
  return { server, client, over };
}
test('500 relays of two hostile sides at once, who also leave in the middle, all end: none waits for ever', async () => {
  const greeting = fc.constantFrom(Buffer.from('RFB 003.008\n\x01\x01', 'latin1'), Buffer.from('RFB'), Buffer.alloc(0));
  await fc.assert(
    fc.asyncProperty(fromServer, greeting, fromClient, async (said, greeted, done) => {
      const { server, client, over } = relay();
      server.write(said);
      client.write(Buffer.concat([greeted, done]));
      server.end();
      client.end();
      expect(await over).not.toBe('');
      expect([server.destroyed || server.writableEnded, client.destroyed || client.writableEnded]).toEqual([
        true,
        true,
      ]);
    }),
    { numRuns: 500 },
  );
}, 60_000);
