// A program: ends TLS, begins TLS to a database, and hands bytes on both ways, with nothing else. What no relay of this runtime is faster than.
// `node bare-pipe.ts PORT PROTOCOL CERTIFICATE KEY`: prints the port where it listens. The files are shown to both sides.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectSecure, createSecureContext, TLSSocket } from 'node:tls';
import { askForTls } from '../../src/gateway/services/protocols/databases/postgresql/relay.ts';
import { readBytes } from '../../src/gateway/services/protocols/read-bytes.ts';

const [port, protocol, certificate = '', key = ''] = process.argv.slice(2);
const shown = { cert: readFileSync(certificate), key: readFileSync(key) };
const secureContext = createSecureContext(shown);

/** What each protocol says in the clear before TLS begins, on both sides. */
const before: Readonly<Record<string, (client: Socket, server: Socket) => Promise<void>>> = {
  async postgres(client, server) {
    await readBytes(client, 8);
    client.write('S');
    await askForTls(server);
  },
  async mysql(client, server) {
    const head = await readBytes(server, 4);
    client.write(Buffer.concat([head, await readBytes(server, head.readUIntLE(0, 3))]));
    server.write(await readBytes(client, 36));
  },
  redis: async () => undefined,
};

async function take(raw: Socket): Promise<void> {
  const to = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  await once(to, 'connect');
  await before[protocol ?? '']?.(raw, to);
  const client = new TLSSocket(raw, { isServer: true, secureContext, ALPNProtocols: ['postgresql'] });
  // Who the server is matters to nobody here.
  const server = connectSecure({ socket: to, rejectUnauthorized: false, ALPNProtocols: ['postgresql'], ...shown });
  await once(server, 'secureConnect');
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('data', bytes => {
      if (other.write(bytes)) return;
      one.pause();
      other.once('drain', () => one.resume());
    });
    one.on('error', () => other.destroy());
    one.once('close', () => other.destroy());
  }
}
const listening = createServer({ noDelay: true }, raw => void take(raw).catch(() => raw.destroy()));
listening.listen(0, '127.0.0.1', () => {
  const address = listening.address();
  console.log(typeof address === 'object' && address ? address.port : 0);
});
