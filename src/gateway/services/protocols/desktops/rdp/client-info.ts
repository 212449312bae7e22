// The message by which a client logs in (MS-RDPBCGR, 2.2.1.11): the gateway writes the login and its password there, which the browser never has.
import { Malformed } from '../passing.ts';

/** Who logs in. `password`: null where the desktop's own screen is to ask for it. */
export interface Credentials {
  readonly domain: string;
  readonly user: string;
  readonly password: string | null;
}

const SECURITY_BYTES = 4;
const IS_INFO = 0x40;
const FLAG = {
  autoLogOn: 0x8,
  isUnicode: 0x10,
  compressed: 0x80,
  compressions: 0x1e00,
  oneProgram: 0x8000,
  pin: 0x4_0000,
} as const;
/** Code page, flags, and the lengths of five texts. */
const HEAD_BYTES = 18;
const TEXTS = 5;

/** What a login says of its domain: `EXAMPLE\alice`; all of `alice@example.com` is the user. */
export function credentialsOf(login: string, password: string | null): Credentials {
  const [, domain = '', user = login] = /^([^\\]*)\\(.+)$/.exec(login) ?? [];
  return { domain, user, password };
}

/** `data`: what is sent on the channel. Nothing that the client says of who it is or what it wants to run goes on. Throws Malformed. */
export function writeCredentials(data: Buffer, { domain, user, password }: Credentials): Buffer {
  if (data.length < SECURITY_BYTES + HEAD_BYTES || (data.readUInt16LE(0) & IS_INFO) === 0)
    throw new Malformed('the client did not log in where it has to');
  const info = data.subarray(SECURITY_BYTES);
  const flags = info.readUInt32LE(4);
  if ((flags & FLAG.isUnicode) === 0) throw new Malformed('the client logs in with texts that are not Unicode');
  let end = HEAD_BYTES;
  for (let index = 0; index < TEXTS; index += 1) end += info.readUInt16LE(8 + 2 * index) + 2;
  if (end > info.length) throw new Malformed('the client logged in with less than it says');
  const texts = [domain, user, password ?? '', '', ''].map(text => Buffer.from(`${text}\0`, 'utf16le'));
  const head = Buffer.from(info.subarray(0, HEAD_BYTES));
  // Compressed pictures cannot be mended.
  const without = FLAG.autoLogOn | FLAG.compressed | FLAG.compressions | FLAG.oneProgram | FLAG.pin;
  head.writeUInt32LE(((flags & ~without) | (password === null ? 0 : FLAG.autoLogOn)) >>> 0, 4);
  for (const [index, text] of texts.entries()) head.writeUInt16LE(text.length - 2, 8 + 2 * index);
  return Buffer.concat([data.subarray(0, SECURITY_BYTES), head, ...texts, info.subarray(end)]);
}
