// Looks at what answers on a desktop's port, without logging in: VNC speaks first (RFC 6143, 7.1.1); RDP answers a request for a connection
// with how it wants to be secured (MS-RDPBCGR, 2.2.1.1 and 2.2.1.2).
import type { Duplex } from 'node:stream';

/** What answers there. `rdp-nla`: who logs in must prove it before anything is drawn. `rdp-plain`: it knows no TLS. */
export type Answering = 'rdp-nla' | 'rdp-tls' | 'rdp-plain' | 'vnc' | 'other' | 'nothing';

/** VNC servers greet at once; RDP servers wait to be spoken to, ms. */
const GREETING_MS = 1000;
/** What has said nothing by then says nothing, ms. */
const ANSWER_MS = 5000;
/** No answer that is looked at is longer, bytes. */
const ANSWER_MOST_BYTES = 512;
/** Bits of the protocols that are asked for: TLS, and CredSSP over TLS. */
const ASKED = 3;
const HYBRID = 2;
/** Codes of a refusal: the server's certificate is missing, it takes TLS not at all, or nothing but CredSSP. */
const REFUSED = { tlsNotAllowed: 2, noCertificate: 3, hybridRequired: 5 } as const;

/** TPKT, X.224 connection request, RDP_NEG_REQ. */
const connectionRequest = Buffer.from([
  ...[3, 0, 0, 19],
  ...[14, 0xe0, 0, 0, 0, 0, 0],
  ...[1, 0, 8, 0, ASKED, 0, 0, 0],
]);

/** Destroys the stream. */
export async function probeDesktop(stream: Duplex): Promise<Answering> {
  const heard = listen(stream);
  try {
    const greeting = await heard(bytes => bytes.length >= 4, GREETING_MS);
    if (greeting.length > 0) return greeting.subarray(0, 4).toString('latin1') === 'RFB ' ? 'vnc' : 'other';
    stream.write(connectionRequest);
    const answer = await heard(bytes => bytes.length >= 4 && bytes.length >= bytes.readUInt16BE(2), ANSWER_MS);
    return answer.length === 0 ? 'nothing' : readConfirm(answer);
  } finally {
    stream.destroy();
  }
}

function readConfirm(answer: Buffer): Answering {
  // TPKT, and a connection confirm behind it.
  if (answer.length < 11 || answer[0] !== 3 || answer[5] !== 0xd0) return 'other';
  const type = answer[11];
  if (type === undefined || answer.length < 19) return 'rdp-plain';
  const said = answer.readUInt32LE(15);
  if (type === 2) return said === 0 ? 'rdp-plain' : (said & HYBRID) !== 0 ? 'rdp-nla' : 'rdp-tls';
  if (type !== 3) return 'other';
  if (said === REFUSED.hybridRequired) return 'rdp-nla';
  return said === REFUSED.tlsNotAllowed || said === REFUSED.noCertificate ? 'rdp-plain' : 'other';
}

/** Answers what has come once it is enough, the stream is over, or the time is up: '' when nothing came. */
function listen(stream: Duplex): (isEnough: (bytes: Buffer) => boolean, ms: number) => Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => undefined;
  stream.on('data', (piece: Buffer) => {
    if (bytes.length < ANSWER_MOST_BYTES) bytes = Buffer.concat([bytes, piece]).subarray(0, ANSWER_MOST_BYTES);
    wake();
  });
  const over = (): void => {
    isOver = true;
    wake();
  };
  stream.on('error', over).on('end', over).on('close', over);
  return (isEnough, ms) =>
    new Promise(done => {
      const finish = (): void => {
        clearTimeout(timer);
        wake = () => undefined;
        done(bytes);
      };
      const timer = setTimeout(finish, ms);
      wake = () => {
        if (isOver || bytes.length >= ANSWER_MOST_BYTES || isEnough(bytes)) finish();
      };
      wake();
    });
}
