// As much of SPDY/3.1 as a kubelet needs to forward ports: streams that come in pairs, one for errors and one for bytes.
import type { Duplex } from 'node:stream';
import { constants, createDeflate, createInflate } from 'node:zlib';

/** What headers are packed with, by the text of that protocol: words behind their lengths, then words that are not looked up by those. */
const words =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie keep-alive origin';
const rest =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const dictionary = Buffer.concat([
  ...words.split(' ').flatMap(word => [number(word.length), Buffer.from(word.replace('_', ' '))]),
  Buffer.from(rest),
]);
const types = { open: 1, reply: 2, reset: 3, ping: 6 };
const LAST = 1;
const HEAD_BYTES = 8;

const control = (type: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.of(0x80, 3, 0, type), number(payload.length), payload]);
const data = (stream: number, flags: number, payload: Buffer): Buffer => {
  const head = Buffer.concat([number(stream), number(payload.length)]);
  head[4] = flags;
  return Buffer.concat([head, payload]);
};

/** Forwards what a client wants forwarded over `client`; `dial` connects to a port. */
export function forwardPorts(client: Duplex, dial: (port: number) => Duplex): void {
  const inflate = createInflate({ dictionary });
  const deflate = createDeflate({ dictionary });
  const errors = new Map<string, number>();
  const targets = new Map<number, Duplex>();
  const unpacked: Buffer[] = [];
  const packed: Buffer[] = [];
  inflate.on('data', (piece: Buffer) => unpacked.push(piece));
  deflate.on('data', (piece: Buffer) => packed.push(piece));

  async function headersOf(block: Buffer): Promise<ReadonlyMap<string, string>> {
    await new Promise(done => inflate.write(block, done));
    await new Promise(done => inflate.flush(constants.Z_SYNC_FLUSH, () => done(undefined)));
    const bytes = Buffer.concat(unpacked.splice(0));
    let at = 4;
    const text = (): string => {
      const length = bytes.readUInt32BE(at);
      at += 4 + length;
      return bytes.subarray(at - length, at).toString();
    };
    const headers = new Map<string, string>();
    for (let left = bytes.readUInt32BE(0); left > 0; left -= 1) headers.set(text().toLowerCase(), text());
    return headers;
  }
  async function reply(stream: number): Promise<void> {
    await new Promise(done => deflate.write(number(0), done));
    await new Promise(done => deflate.flush(constants.Z_SYNC_FLUSH, () => done(undefined)));
    client.write(control(types.reply, Buffer.concat([number(stream), ...packed.splice(0)])));
  }
  async function open(payload: Buffer): Promise<void> {
    const stream = payload.readUInt32BE(0);
    const headers = await headersOf(payload.subarray(10));
    const pair = headers.get('requestid') ?? '';
    await reply(stream);
    if (headers.get('streamtype') === 'error') {
      errors.set(pair, stream);
      return;
    }
    const target = dial(Number(headers.get('port')));
    targets.set(stream, target);
    target.on('data', (bytes: Buffer) => client.write(data(stream, 0, bytes)));
    target.once('error', error => client.write(data(errors.get(pair) ?? 0, 0, Buffer.from(error.message))));
    target.once('close', () => {
      client.write(data(stream, LAST, Buffer.alloc(0)));
      client.write(data(errors.get(pair) ?? 0, LAST, Buffer.alloc(0)));
    });
  }
  async function hear(head: Buffer, payload: Buffer): Promise<void> {
    const isControl = ((head[0] ?? 0) & 0x80) !== 0;
    if (!isControl) {
      const target = targets.get(head.readUInt32BE(0));
      if (payload.length > 0) target?.write(payload);
      if (((head[4] ?? 0) & LAST) !== 0) target?.end();
    } else if (head[3] === types.open) await open(payload);
    else if (head[3] === types.reset) targets.get(payload.readUInt32BE(0))?.destroy();
    else if (head[3] === types.ping) client.write(control(types.ping, payload));
  }
  let waiting: Buffer = Buffer.alloc(0);
  let turn = Promise.resolve();
  client.on('error', () => undefined);
  client.once('close', () => {
    for (const target of targets.values()) target.destroy();
  });
  client.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    while (waiting.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + (waiting.readUInt32BE(4) & 0xffffff);
      if (waiting.length < end) return;
      const [head, payload] = [waiting.subarray(0, HEAD_BYTES), waiting.subarray(HEAD_BYTES, end)];
      waiting = waiting.subarray(end);
      turn = turn.then(() => hear(head, payload));
    }
  });
}
