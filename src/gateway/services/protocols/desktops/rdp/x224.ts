// The first messages of RDP, before anything is encrypted (MS-RDPBCGR, 2.2.1.1 and 2.2.1.2): how the connection is to be secured.
import { Malformed } from '../passing.ts';

/** What a connection is secured by. `credSsp`: over TLS, and whoever logs in proves it first. */
export const SECURED = { tls: 1, credSsp: 2 } as const;
const NEGOTIATION = { request: 1, answer: 2, refusal: 3 } as const;
const CODE = { request: 0xe0, confirm: 0xd0 } as const;
/** TPKT, X.224, and what is negotiated. */
const LENGTH = 19;

const message = (code: number, kind: number, flags: number, value: number): Buffer => {
  const bytes = Buffer.from([3, 0, 0, LENGTH, 14, code, 0, 0, 0, 0, 0, kind, flags, 8, 0, 0, 0, 0, 0]);
  bytes.writeUInt32LE(value, 15);
  return bytes;
};
/** Asks for TLS, with CredSSP or without: the server chooses. */
export const connectionRequest = (): Buffer =>
  message(CODE.request, NEGOTIATION.request, 0, SECURED.tls | SECURED.credSsp);
/** Tells a client that its connection is secured by TLS alone. `flags`: as the server said them. */
export const connectionConfirm = (flags: number): Buffer =>
  message(CODE.confirm, NEGOTIATION.answer, flags, SECURED.tls);

/** The protocols that a client asked for, as bits. Throws Malformed. */
export function readRequested(request: Buffer): number {
  // A cookie may stand before what is negotiated: that comes last.
  const at = request.length - 8;
  if (request[0] !== 3 || at < 11 || request[at] !== NEGOTIATION.request)
    throw new Malformed('the client asked for no connection that can be secured');
  return request.readUInt32LE(at + 4);
}

/** What the server says to a request. `flags` are bits that its clients are told of. */
export type Confirmed =
  | { readonly secured: number; readonly flags: number }
  /** Code of MS-RDPBCGR 2.2.1.2.2; 0: it knows of no security at all. */
  | { readonly refused: number };

/** Throws Malformed. */
export function readConfirm(answer: Buffer): Confirmed {
  if (answer[0] !== 3 || answer[5] !== CODE.confirm) throw new Malformed('the server does not speak RDP');
  const kind = answer[11];
  if (kind === undefined || answer.length < LENGTH) return { refused: 0 };
  const said = answer.readUInt32LE(15);
  if (kind === NEGOTIATION.refusal) return { refused: said };
  if (kind !== NEGOTIATION.answer) throw new Malformed('the server does not speak RDP');
  return { secured: said, flags: answer[12] ?? 0 };
}
