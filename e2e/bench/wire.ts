// The least that a client of the terminal socket can be: it counts output without gathering it, so that what is measured is the
// gateway. Node's own WebSocket copies every message several times, which costs about as much as the gateway itself.
import { connect } from 'node:net';
import type { WireClient } from '../rigs/client.ts';
import type { Line } from './ssh.ts';

const HEAD_END = '\r\n\r\n';
const READ_BYTES = 256 * 1024;
/** Bytes of the gateway's envelope before the length of its payload: `0A 01 31 12 01 <type> 1A`. */
const ENVELOPE_BYTES = 7;
const RAW = 'r'.charCodeAt(0);
const ERROR = 'e'.charCodeAt(0);
const SESSION = 's'.charCodeAt(0);

export interface CountingShell extends Line {
  readonly sid: string;
  /** Ends the session. */
  close(): Promise<void>;
}

/** Opens a session on a server, or joins one, and resolves when its session frame is there. Rejects when it is refused. */
export function openCountingShell(
  url: string,
  client: WireClient,
  params: { readonly server_id: string; readonly login: string; readonly sid?: string; readonly mode?: string },
): Promise<CountingShell> {
  const wire = { sid: '', mode: '', ...params, term: { h: 24, w: 80 } };
  const path = `/v1/webapi/sites/${client.cluster}/connect?access_token=${client.bearer}&params=${encodeURIComponent(JSON.stringify(wire))}&traceparent=`;
  const { hostname, port, host } = new URL(url);
  const request = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Cookie: ${client.cookie}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  let listener: (bytes: Uint8Array) => void = () => undefined;
  let answer = '';
  let upgraded = false;
  let ready: (shell: CountingShell) => void;
  let refused: (error: Error) => void;
  const opened = new Promise<CountingShell>((done, fail) => {
    ready = done;
    refused = fail;
  });

  /** Head of the message that is being read: of the frame and the envelope. It may come in pieces. */
  let head: number[] = [];
  let type = 0;
  let left = 0;

  /** Reads a head on by one byte; true when it is whole. */
  function takeHead(byte: number): boolean {
    head.push(byte);
    const short = (head[1] ?? 0) & 0x7f;
    const frameBytes = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
    if (head.length < frameBytes) return false;
    const length = short < 126 ? short : head.slice(2, frameBytes).reduce((sum, one) => sum * 256 + one, 0);
    // What is no message of the gateway's own kind (ping, close) has no envelope.
    if (((head[0] ?? 0) & 0x0f) !== 2) {
      type = 0;
      left = length;
      return true;
    }
    const inEnvelope = head.length - frameBytes;
    if (inEnvelope <= ENVELOPE_BYTES || byte >= 0x80) return false;
    type = head[frameBytes + 5] ?? 0;
    left = length - inEnvelope;
    return true;
  }
  let said = '';
  function takeSession(piece: Buffer): void {
    said += piece.toString('latin1');
    if (left > 0) return;
    const { session } = JSON.parse(said) as { session: { id: string } };
    said = '';
    ready({ ...shell, sid: session.id });
  }
  function take(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (left === 0) {
        if (!takeHead(bytes[at++] ?? 0)) continue;
        head = [];
        continue;
      }
      const piece = bytes.subarray(at, at + left);
      at += piece.length;
      left -= piece.length;
      if (type === RAW) listener(piece);
      else if (type === SESSION) takeSession(piece);
      else if (type === ERROR) refused(new Error(piece.toString()));
    }
  }
  function receive(bytes: Buffer): void {
    if (upgraded) {
      take(bytes);
      return;
    }
    answer += bytes.toString('latin1');
    const end = answer.indexOf(HEAD_END);
    if (end < 0) return;
    upgraded = answer.startsWith('HTTP/1.1 101');
    if (!upgraded) {
      refused(new Error(answer));
      return;
    }
    take(Buffer.from(answer.slice(end + HEAD_END.length), 'latin1'));
  }

  const memory = Buffer.allocUnsafeSlow(READ_BYTES);
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: memory,
      callback(length) {
        receive(memory.subarray(0, length));
        return true;
      },
    },
  });
  const closed = new Promise<void>(done => socket.once('close', () => done()));
  socket.on('error', error => refused(error));
  socket.write(`${request.join('\r\n')}${HEAD_END}`);
  closed.then(() => refused(new Error('the connection ended')));
  /** A masked frame, as clients must send; a mask of zeros leaves the payload as it is. */
  const frame = (opcode: number, payload: Uint8Array): void =>
    void socket.write(Buffer.concat([Buffer.of(0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0), payload]));
  const shell: Omit<CountingShell, 'sid'> = {
    write(bytes) {
      // Short enough for one length byte in the frame and in the envelope.
      for (let at = 0; at < bytes.length; at += 100) {
        const piece = bytes.subarray(at, at + 100);
        frame(2, Buffer.concat([Buffer.of(0x0a, 1, 0x31, 0x12, 1, RAW, 0x1a, piece.length), piece]));
      }
    },
    onOutput: to => {
      listener = to;
    },
    close() {
      frame(8, Buffer.of(1000 >> 8, 1000 & 0xff));
      return closed;
    },
  };
  return opened;
}
