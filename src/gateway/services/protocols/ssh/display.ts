// Windows of a server's programs on a person's display (X11). The server learns a cookie of this one session and never the one that the
// person's client made: whoever opens a way here without it gets no further, and what passes has the client's put in its place.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Client, X11Options } from 'ssh2';
import type { LentDisplay } from '../../../ports/servers.ts';

/** The one way of proving oneself to a display that is passed on, and the bytes of its cookie. */
export const DISPLAY_PROTOCOL = 'MIT-MAGIC-COOKIE-1';
export const DISPLAY_COOKIE_BYTES = 16;
/** Programs of one session that show windows at once. */
const WAYS_MOST = 256;
/** Until a program has said who it is, ms. */
const GREETING_MS = 30_000;
/** Of a connection's first words, before its proof (X Window System Protocol, section 8). */
const HEAD_BYTES = 12;
/** Neither part of the proof is longer in what is passed on, bytes. */
const PART_MOST_BYTES = 64;
const BIG_END_FIRST = 0x42;
const LITTLE_END_FIRST = 0x6c;
const padded = (length: number): number => (length + 3) & ~3;

/** Takes what the server opens to the display from now on; answers what to ask the server for. */
export function passDisplay(client: Client, lent: LentDisplay): X11Options {
  const cookie = randomBytes(DISPLAY_COOKIE_BYTES);
  let ways = 0;
  let used = false;
  client.on('x11', (_from, accept, reject) => {
    if (ways >= WAYS_MOST || (used && lent.single)) return reject();
    used = true;
    ways += 1;
    const channel = accept();
    channel.once('close', () => {
      ways -= 1;
    });
    passOne(channel, cookie, lent);
  });
  return { single: lent.single, screen: lent.screen, protocol: DISPLAY_PROTOCOL, cookie: cookie.toString('hex') };
}

function passOne(channel: Duplex, cookie: Buffer, lent: LentDisplay): void {
  let said = Buffer.alloc(0);
  const clock = setTimeout(() => channel.destroy(), GREETING_MS).unref();
  channel.on('error', () => channel.destroy()).once('close', () => clearTimeout(clock));
  function refuse(why: string): void {
    clearTimeout(clock);
    channel.off('data', hear).resume();
    channel.end(refusal(said[0] !== LITTLE_END_FIRST, why));
  }
  function hear(bytes: Buffer): void {
    said = Buffer.concat([said, bytes]);
    const greeting = readGreeting(said);
    if (greeting === 'unfinished') return;
    if (greeting === 'unknown' || !isProof(said, greeting, cookie)) {
      refuse('the gateway does not know this program: it showed no cookie of this session');
      return;
    }
    clearTimeout(clock);
    channel.off('data', hear).pause();
    const { at, length } = greeting;
    const passed = Buffer.concat([said.subarray(0, at), lent.cookie, said.subarray(at + length)]);
    lent.open().then(
      display => {
        const end = (): void => void display.destroy();
        display.on('error', () => channel.destroy()).once('close', () => channel.destroy());
        channel.once('close', end);
        if (channel.destroyed) return end();
        display.write(passed);
        channel.pipe(display);
        display.pipe(channel);
      },
      (error: unknown) => refuse(error instanceof Error ? error.message : String(error)),
    );
  }
  channel.on('data', hear);
}

interface Greeting {
  readonly name: string;
  /** Where the cookie begins, and how long it is, bytes. */
  readonly at: number;
  readonly length: number;
}
function readGreeting(said: Buffer): Greeting | 'unfinished' | 'unknown' {
  const [first] = said;
  if (first !== undefined && first !== BIG_END_FIRST && first !== LITTLE_END_FIRST) return 'unknown';
  if (said.length < HEAD_BYTES) return 'unfinished';
  const short = (at: number): number => (first === BIG_END_FIRST ? said.readUInt16BE(at) : said.readUInt16LE(at));
  const [name, length] = [short(6), short(8)];
  if (name > PART_MOST_BYTES || length > PART_MOST_BYTES) return 'unknown';
  const at = HEAD_BYTES + padded(name);
  if (said.length < at + padded(length)) return 'unfinished';
  return { name: said.toString('latin1', HEAD_BYTES, HEAD_BYTES + name), at, length };
}
const isProof = (said: Buffer, { name, at, length }: Greeting, cookie: Buffer): boolean =>
  name === DISPLAY_PROTOCOL && length === cookie.length && timingSafeEqual(said.subarray(at, at + length), cookie);

/** What a display answers to whom it does not let in. */
function refusal(bigEndFirst: boolean, why: string): Buffer {
  const words = Buffer.from(why, 'latin1').subarray(0, 255);
  const head = Buffer.alloc(8);
  const short = (value: number, at: number) =>
    bigEndFirst ? head.writeUInt16BE(value, at) : head.writeUInt16LE(value, at);
  head.writeUInt8(words.length, 1);
  short(11, 2);
  short(padded(words.length) / 4, 6);
  return Buffer.concat([head, words, Buffer.alloc(padded(words.length) - words.length)]);
}
