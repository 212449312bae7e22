// What is said before a PostgreSQL session, and how it is refused.
import { Malformed, textAt } from '../frames.ts';

export const SSL_REQUEST = 80877103;
export const GSS_REQUEST = 80877104;
export const CANCEL_REQUEST = 80877102;
const PROTOCOL_3 = 3;
/** The bound that servers have, bytes. */
const STARTUP_MOST_BYTES = 10_000;

/** SQLSTATE of refusals. */
export const STATE = {
  denied: '28000',
  unreachable: '08006',
  protocol: '08P01',
  ended: '57P01',
  tooMuch: '54000',
  unsupported: '0A000',
  guarded: '42501',
  cancelled: '57014',
  warning: '01000',
} as const;

/** A message of eight bytes: length and code. */
export function request(code: number, rest: Uint8Array = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(8 + rest.length);
  bytes.writeInt32BE(bytes.length, 0);
  bytes.writeInt32BE(code, 4);
  bytes.set(rest, 8);
  return bytes;
}

/** A message: type, 32-bit length that counts itself, body. */
export function message(type: string, body: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.from(body as string);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
/** ErrorResponse, FATAL. */
export const fatal = (state: string, text: string): Buffer => report('E', 'FATAL', state, text);
/** ErrorResponse to one statement. */
export const refusal = (state: string, text: string): Buffer => report('E', 'ERROR', state, text);
/** NoticeResponse. */
export const notice = (text: string): Buffer => report('N', 'NOTICE', '00000', text);
/** NoticeResponse that warns. */
export const warning = (state: string, text: string): Buffer => report('N', 'WARNING', state, text);
const report = (
  type: 'E' | 'N',
  severity: 'ERROR' | 'FATAL' | 'WARNING' | 'NOTICE',
  state: string,
  text: string,
): Buffer => message(type, `S${severity}\0V${severity}\0C${state}\0M${text.replaceAll('\0', '')}\0\0`);

/** Throws Malformed for a length that no start-up packet has. */
export function startupLength(head: Buffer): number {
  const length = head.readInt32BE(0);
  if (length < 8 || length > STARTUP_MOST_BYTES) throw new Malformed(`a start-up packet of ${length} bytes`);
  return length;
}

/** Parameters of a start-up packet without its length. Throws Malformed. */
export function startupParameters(body: Buffer): ReadonlyMap<string, string> {
  if (body.readInt16BE(0) !== PROTOCOL_3) throw new Malformed('a start-up packet of another protocol');
  const parameters = new Map<string, string>();
  let at = 4;
  while (at < body.length && body[at] !== 0) {
    const [name, valueAt] = textAt(body, at);
    const [value, next] = textAt(body, valueAt);
    if (valueAt >= body.length || body[next - 1] !== 0)
      throw new Malformed('a start-up packet that ends in the middle');
    // A server takes the last of several: whoever is asked for must be who comes in.
    parameters.set(name, value);
    at = next;
  }
  if (at !== body.length - 1) throw new Malformed('a start-up packet with something behind its end');
  return parameters;
}

/** Of an ErrorResponse: its message with the SQLSTATE, and whether the connection ends with it. */
export function readError(body: Buffer): { readonly text: string; readonly isFatal: boolean } {
  const fields = new Map<string, string>();
  for (let at = 0; at < body.length && body[at] !== 0; ) {
    const [value, next] = textAt(body, at + 1);
    fields.set(String.fromCharCode(body[at] ?? 0), value);
    at = next;
  }
  const [text = '', state = ''] = [fields.get('M'), fields.get('C')];
  return { text: state === '' ? text : `${text} (${state})`, isFatal: /^(FATAL|PANIC)$/.test(fields.get('V') ?? '') };
}
