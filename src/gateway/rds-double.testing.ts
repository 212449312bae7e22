// What databases of RDS are that others are not, for tests: over TLS they ask for a password in the clear, and take the one that AWS's signature
// (Signature Version 4, presigned, service rds-db) makes for that server and user alone. Behind the PostgreSQL one is a real server.
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { GIVEN } from './aws-oidc-double.testing.ts';
import { readBytes } from './services/protocols/read-bytes.ts';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** AWS, "Create a signed AWS API request": what is wrong with a password, or null. */
function wrongPassword(shown: string, host: string, dbUser: string): string | null {
  const [place = '', text = ''] = shown.split('/?');
  if (place !== host) return `it is for ${place}`;
  const all = text.split('&').map(word => word.split('=', 2) as [string, string]);
  const words = new Map(all.map(([name, value]) => [name, decodeURIComponent(value)]));
  if (words.get('DBUser') !== dbUser || words.get('Action') !== 'connect') return `it is for ${words.get('DBUser')}`;
  const [id, day = '', region = '', service = ''] = (words.get('X-Amz-Credential') ?? '').split('/');
  if (id !== GIVEN.id || words.get('X-Amz-Security-Token') !== GIVEN.token || service !== 'rds-db') return 'of nobody';
  const query = all.filter(([name]) => name !== 'X-Amz-Signature').sort(([one], [other]) => (one < other ? -1 : 1));
  const canonical = `GET\n/\n${query.map(pair => pair.join('=')).join('&')}\nhost:${host}\n\nhost\n${hash('')}`;
  const scope = `${day}/${region}/${service}/aws4_request`;
  const signed = ['AWS4-HMAC-SHA256', words.get('X-Amz-Date'), scope, hash(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${GIVEN.secret}`);
  return hmac(key, signed).toString('hex') === words.get('X-Amz-Signature') ? null : 'its signature is another';
}

export interface RdsDouble {
  readonly port: number;
  /** What was wrong with the passwords that came; null: nothing. */
  readonly judged: (string | null)[];
  close(): void;
}
interface Shown {
  readonly certificate: string;
  readonly key: string;
}
async function listen(judged: (string | null)[], serve: (socket: Socket, host: string) => Promise<void>) {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    serve(socket, `127.0.0.1:${(server.address() as AddressInfo).port}`).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, judged, close: () => void server.close() };
}
function secured(raw: Socket, { certificate, key }: Shown): TLSSocket {
  const socket = new TLSSocket(raw, { isServer: true, cert: certificate, key });
  socket.on('error', () => undefined);
  return socket;
}

/** In front of a PostgreSQL that lets in over loopback whoever says who they are. You must close it. */
export function openRdsPostgres(shown: Shown, behind: number): Promise<RdsDouble> {
  const judged: (string | null)[] = [];
  return listen(judged, async (raw, host) => {
    await readBytes(raw, 8);
    raw.write('S');
    const client = secured(raw, shown);
    const head = await readBytes(client, 4);
    const startup = await readBytes(client, head.readInt32BE(0) - 4);
    const [, dbUser = ''] = /user\0([^\0]+)\0/.exec(startup.toString()) ?? [];
    client.write(Buffer.from('R\0\0\0\x08\0\0\0\x03', 'latin1'));
    const asked = await readBytes(client, 5);
    const password = (await readBytes(client, asked.readInt32BE(1) - 4)).toString().replace(/\0$/, '');
    const wrong = wrongPassword(password, host, dbUser);
    judged.push(wrong);
    if (wrong !== null) {
      const body = `SFATAL\0VFATAL\0C28000\0MPAM authentication failed for user "${dbUser}"\0\0`;
      const message = Buffer.alloc(5 + body.length);
      message.write('E');
      message.writeInt32BE(4 + body.length, 1);
      message.write(body, 5);
      return void client.end(message);
    }
    const server = connect(behind, '127.0.0.1');
    server.on('error', () => client.destroy());
    client.on('close', () => server.destroy());
    server.write(Buffer.concat([head, startup]));
    client.pipe(server).pipe(client);
  });
}

/** A MySQL that knows how to log in, and answers everything after that with OK. You must close it. */
export function openRdsMysql(shown: Shown): Promise<RdsDouble> {
  const judged: (string | null)[] = [];
  return listen(judged, async (raw, host) => {
    const packet = (sequence: number, body: Buffer): Buffer =>
      Buffer.concat([Buffer.from([body.length & 255, body.length >> 8, 0, sequence]), body]);
    const read = async (from: Socket): Promise<readonly [number, Buffer]> => {
      const head = await readBytes(from, 4);
      return [head[3] ?? 0, await readBytes(from, head.readUIntLE(0, 3))];
    };
    const capabilities = Buffer.alloc(4);
    capabilities.writeUInt32LE(0x01ffffdf & ~0x20 & ~0x01000000);
    const greeting = Buffer.concat([
      Buffer.from('\x0a8.0.36\0\x07\0\0\0abcdefgh\0', 'latin1'),
      capabilities.subarray(0, 2),
      Buffer.from([45, 2, 0]),
      capabilities.subarray(2),
      Buffer.from([21]),
      Buffer.alloc(10),
      Buffer.from('ijklmnopqrst\0mysql_native_password\0'),
    ]);
    raw.write(packet(0, greeting));
    await read(raw);
    const client = secured(raw, shown);
    const [sequence, body] = await read(client);
    const dbUser = body.toString('utf8', 32, body.indexOf(0, 32));
    client.write(packet(sequence + 1, Buffer.from('\xfemysql_clear_password\0', 'latin1')));
    const [answered, password] = await read(client);
    const wrong = wrongPassword(password.toString().replace(/\0$/, ''), host, dbUser);
    judged.push(wrong);
    const ok = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
    if (wrong !== null)
      return void client.end(
        packet(answered + 1, Buffer.from(`\xff\x15\x04#28000Access denied for user '${dbUser}'`, 'latin1')),
      );
    client.write(packet(answered + 1, ok));
    for (;;) {
      await read(client);
      client.write(packet(1, ok));
    }
  });
}
