// What is said before a MySQL session, and how it is refused. Numbers are little-endian; a packet is its length, its number and its body.
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { readBytes } from '../../read-bytes.ts';
import { Malformed, textAt } from '../frames.ts';

export const HEAD_BYTES = 4;
/** No hand-shake has a longer packet, bytes. */
const HANDSHAKE_MOST_BYTES = 64 * 1024;
/** What clients believe they speak to: the greeting goes out before anything is known of the database. */
const VERSION = '8.0.36-postern';
const PLUGIN = 'mysql_native_password';
const SCRAMBLE_BYTES = 20;
/** utf8mb4_general_ci, and that no transaction is open. */
const CHARSET = 45;
const AUTOCOMMIT = 2;
export const ERROR = 0xff;
export const OK = 0;
export const EOF = 0xfe;

/** Capabilities of a connection. */
const CAN = {
  longPassword: 1,
  foundRows: 2,
  longFlag: 4,
  withDatabase: 8,
  ignoreSpace: 0x100,
  protocol41: 0x200,
  interactive: 0x400,
  tls: 0x800,
  transactions: 0x2000,
  secureConnection: 0x8000,
  multiStatements: 0x10000,
  multiResults: 0x20000,
  preparedMultiResults: 0x40000,
  pluginAuthentication: 0x80000,
  attributes: 0x100000,
  longAuthentication: 0x200000,
} as const;
/**
 * What clients are offered: without compression, which would hide what passes, without reading files of the client, and without what changes
 * the shape of answers.
 */
const OFFERED = Object.values(CAN).reduce((all, one) => all | one, 0) & ~CAN.tls;
/** What the gateway's own client can. */
export const PROMPT_CAPABILITIES = CAN.longPassword | CAN.longFlag | CAN.transactions | CAN.multiResults;
/** MariaDB clears the first to show what it is; every server has the others. */
const UNCOMPARED = CAN.longPassword | CAN.attributes | CAN.interactive;
const NEEDED = CAN.protocol41 | CAN.secureConnection | CAN.pluginAuthentication;

/** Error numbers and SQLSTATE of refusals. Clients take numbers from 2000 to 2999 for their own. */
export const REFUSAL = {
  denied: [1045, '28000'],
  database: [1044, '42000'],
  unreachable: [1429, 'HY000'],
  protocol: [1835, '08S01'],
  ended: [1927, '70100'],
  tooMuch: [1461, '42000'],
  notRelayed: [1227, '42000'],
  guarded: [1142, '42000'],
  cancelled: [1317, '70100'],
} as const;

export function packet(sequence: number, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + body.length);
  bytes.writeUIntLE(body.length, 0, 3);
  bytes[3] = sequence;
  bytes.set(body, HEAD_BYTES);
  return bytes;
}
export function errorPacket(sequence: number, [code, state]: readonly [number, string], text: string): Buffer {
  const head = Buffer.from([ERROR, code & 0xff, code >> 8]);
  return packet(sequence, Buffer.concat([head, Buffer.from(`#${state}Postern: ${text}`)]));
}
/** The message of an error packet, and its SQLSTATE where it has one. */
export function errorText(body: Buffer): string {
  const text = body.toString('utf8', 3);
  return text.startsWith('#') ? `${text.slice(6)} (${text.slice(1, 6)})` : text;
}

/** One packet of a hand-shake. Rejects with Malformed for one that is too long. */
export async function readPacket(from: Duplex): Promise<{ readonly sequence: number; readonly body: Buffer }> {
  const head = await readBytes(from, HEAD_BYTES);
  const length = head.readUIntLE(0, 3);
  if (length > HANDSHAKE_MOST_BYTES) throw new Malformed(`a packet of ${length} bytes in a hand-shake`);
  return { sequence: head[3] ?? 0, body: length > 0 ? await readBytes(from, length) : Buffer.alloc(0) };
}

/** A number of one to nine bytes, and where the next field begins. Throws Malformed. */
export function numberAt(body: Buffer, at: number): readonly [value: number, next: number] {
  const first = body[at] ?? ERROR;
  const bytes = { 252: 2, 253: 3, 254: 8 }[first] ?? 0;
  if ((first > 250 && bytes === 0) || at + 1 + bytes > body.length) throw new Malformed('a number that is none');
  if (bytes === 0) return [first, at + 1];
  return [bytes === 8 ? Number(body.readBigUInt64LE(at + 1)) : body.readUIntLE(at + 1, bytes), at + 1 + bytes];
}

/** What the gateway says first. The scramble is for form's sake: who it is, a client shows by its certificate. */
export function greeting(connectionId: number, offersTls: boolean): Buffer {
  const capabilities = OFFERED | (offersTls ? CAN.tls : 0);
  const scramble = randomBytes(SCRAMBLE_BYTES).map(byte => byte & 0x7f || 1);
  const fixed = Buffer.alloc(44);
  fixed.writeUInt32LE(connectionId, 0);
  fixed.set(scramble.subarray(0, 8), 4);
  fixed.writeUInt16LE(capabilities & 0xffff, 13);
  fixed[15] = CHARSET;
  fixed.writeUInt16LE(AUTOCOMMIT, 16);
  fixed.writeUInt16LE(capabilities >>> 16, 18);
  fixed[20] = SCRAMBLE_BYTES + 1;
  fixed.set(scramble.subarray(8), 31);
  return packet(0, Buffer.concat([Buffer.from(`\x0a${VERSION}\0`), fixed, Buffer.from(`${PLUGIN}\0`)]));
}

/** A server's greeting: its number for the connection, and what it can. Throws Malformed; an Error with its words for a refusal. */
export function readGreeting(body: Buffer): { readonly thread: number; readonly capabilities: number } {
  if (body[0] === ERROR) throw new Error(`it says: ${errorText(body)}`);
  const [, at] = textAt(body, 1);
  if (body[0] !== 10 || body[at - 1] !== 0 || body.length < at + 20) throw new Malformed('a greeting that is none');
  return {
    thread: body.readUInt32LE(at),
    capabilities: (body.readUInt16LE(at + 13) | (body.readUInt16LE(at + 18) << 16)) >>> 0,
  };
}
/** What a server lacks for a client that was offered more; null: nothing. */
export function lackOf(capabilities: number, wanted: number): string | null {
  if ((capabilities & CAN.tls) === 0) return 'the server does not offer TLS (ssl_cert, ssl_key)';
  const lacking = (wanted | NEEDED) & ~UNCOMPARED & ~capabilities;
  return lacking === 0 ? null : `the server is too old (it lacks ${lacking.toString(16)})`;
}

/** A client's log-in. */
export interface Login {
  readonly capabilities: number;
  readonly charset: number;
  readonly user: string;
  /** '' for none. */
  readonly database: string;
  /** Attributes of the connection, as they came. */
  readonly attributes: Buffer;
}
const FIXED_BYTES = 32;
/** Whether it is the client's wish for TLS, before it logs in. */
export const wantsTls = (body: Buffer): boolean =>
  body.length === FIXED_BYTES && (body.readUInt32LE(0) & CAN.tls) !== 0;

/** Throws Malformed. */
export function readLogin(body: Buffer): Login {
  if (body.length <= FIXED_BYTES || (body.readUInt32LE(0) & CAN.protocol41) === 0)
    throw new Malformed('a log-in that is none');
  const capabilities = (body.readUInt32LE(0) & OFFERED) >>> 0;
  const text = (at: number): readonly [string, number] => {
    const [found, next] = textAt(body, at);
    if (body[next - 1] !== 0 || next <= at) throw new Malformed('a log-in that ends in the middle');
    return [found, next];
  };
  let [user, at] = text(FIXED_BYTES);
  if ((capabilities & CAN.longAuthentication) !== 0) {
    const [length, next] = numberAt(body, at);
    at = next + length;
  } else at += 1 + (body[at] ?? 0);
  let database = '';
  if ((capabilities & CAN.withDatabase) !== 0 && at < body.length) [database, at] = text(at);
  if ((capabilities & CAN.pluginAuthentication) !== 0 && at < body.length) [, at] = text(at);
  const hasAttributes = (capabilities & CAN.attributes) !== 0 && at < body.length;
  return {
    capabilities,
    charset: body[8] ?? CHARSET,
    user,
    database,
    attributes: Buffer.from(hasAttributes ? body.subarray(at) : []),
  };
}

/** What the gateway's own connections say beside their names: texts are UTF-8. */
export const PLAIN_LOGIN = { capabilities: PROMPT_CAPABILITIES, charset: CHARSET, attributes: Buffer.alloc(0) };

/** The gateway's own log-in, in two parts: the wish for TLS, and within that the whole. It has no password: the certificate is what counts. */
export function writeLogin({ capabilities, charset, user, database, attributes }: Login): readonly [Buffer, Buffer] {
  let flags = (capabilities | CAN.tls | NEEDED) & ~CAN.longAuthentication & ~CAN.withDatabase & ~CAN.attributes;
  if (database !== '') flags |= CAN.withDatabase;
  if (attributes.length > 0) flags |= CAN.attributes;
  const fixed = Buffer.alloc(FIXED_BYTES);
  fixed.writeUInt32LE(flags >>> 0, 0);
  // The longest packet, which the server bounds by itself.
  fixed.writeUInt32LE(0x40000000, 4);
  fixed[8] = charset;
  const names = `${user}\0\0${database === '' ? '' : `${database}\0`}${PLUGIN}\0`;
  return [packet(1, fixed), packet(2, Buffer.concat([fixed, Buffer.from(names), attributes]))];
}
