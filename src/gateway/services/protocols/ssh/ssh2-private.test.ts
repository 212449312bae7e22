// Log-in by certificate stands on fields of ssh2 that are nobody's promise: this says which version was tried.
import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Client, type ClientChannel } from 'ssh2';
import { expect, test } from 'vitest';
import { openSshd } from '../../../../../e2e/rigs/sshd.ts';
import { createDirectReach } from '../../reach/direct.ts';
import { createAuthority } from './authority.ts';
import { openConnection } from './connection.ts';
import { algorithmsFor } from './host-key.ts';
import { gatherPackets, logInWithKey, missingFields, missingTuning, terminateAll } from './ssh2-private.ts';

const login = userInfo().username;
const authority = createAuthority(generateKeyPairSync('ed25519').privateKey, 'test');

test('ssh2 is the version whose inner fields we know', () => {
  expect(createRequire(import.meta.url)('ssh2/package.json')).toMatchObject({ version: '1.17.0' });
});

test('after a handshake with a real host every field is there, and the certificate logs in', async () => {
  const sshd = await openSshd({ trustedUserCa: authority.trustedUserCaLine(), config: ['SetEnv HOME=/nonexistent'] });
  const names = await new Promise<readonly string[]>((done, fail) => {
    const { client } = openConnection({
      reach: createDirectReach(),
      target: '',
      address: { host: '127.0.0.1', port: sshd.port },
      login,
      hostKeyAlgorithms: algorithmsFor([]),
      mayLogIn: true,
      accept: () => true,
    });
    client.on('error', fail);
    client.once('handshake', () => {
      const missing = missingFields(client);
      if (missing.length > 0) return fail(new Error(`ssh2 has no ${missing.join(', ')}`));
      logInWithKey(client, authority.issue({ user: 'alice', sid: 's', login, ttlMs: 60_000 }));
    });
    client.once('ready', () =>
      client.shell((error, channel) => {
        if (error) return fail(error);
        done(missingTuning(client, channel));
        client.end();
      }),
    );
  }).finally(() => sshd.dispose());
  expect(names).toEqual([]);
});

test('however what a host sends is cut up on its way, it arrives whole', async () => {
  const sshd = await openSshd({ trustedUserCa: authority.trustedUserCaLine(), config: ['SetEnv HOME=/nonexistent'] });
  const direct = createDirectReach();
  let [cut, isEncrypted] = [0, false];
  const said = await new Promise<string>((done, fail) => {
    const { client } = openConnection({
      reach: {
        ...direct,
        open: (to, receive) =>
          direct.open(to, bytes => {
            for (let at = 0; at < bytes.length; ) {
              const end = isEncrypted ? at + 1 + (cut++ % 41) ** 2 : bytes.length;
              receive(bytes.subarray(at, end));
              at = end;
            }
          }),
      },
      target: '',
      address: { host: '127.0.0.1', port: sshd.port },
      login,
      hostKeyAlgorithms: algorithmsFor([]),
      mayLogIn: true,
      accept: () => true,
    });
    client.on('error', fail);
    client.once('handshake', () => {
      isEncrypted = true;
      logInWithKey(client, authority.issue({ user: 'alice', sid: 's', login, ttlMs: 60_000 }));
    });
    client.once('ready', () =>
      client.exec('seq 1 50000', (error, channel) => {
        if (error) return fail(error);
        text(channel).then(done, fail);
        channel.once('close', () => client.end());
      }),
    );
  }).finally(() => sshd.dispose());
  expect(said).toBe(Array.from({ length: 50_000 }, (_, index) => `${index + 1}\n`).join(''));
});

test('a client that has not met its host, or is another version, is told apart by name', () => {
  expect(missingFields(new Client())).toEqual([
    '_protocol._kex.sessionID',
    '_protocol._packetRW.write',
    '_protocol._cipher.encrypt',
    '_protocol._kexinit',
    '_protocol._authsQueue',
    '_protocol.authNone',
    '_protocol.ping',
    '_protocol.signal',
    '_callbacks',
  ]);
});

test('packets that are sent in one turn leave together, and the next turn waits for none', async () => {
  const sent: string[] = [];
  const socket = new Writable({
    write: (bytes, _encoding, done) => done(void sent.push(String(bytes))),
    writev: (pieces, done) => done(void sent.push(pieces.map(({ chunk }) => String(chunk)).join(''))),
  });
  const cipher = {
    encrypt(packet: Buffer): void {
      socket.write('length ');
      socket.write(packet);
    },
  };
  gatherPackets({ _protocol: { _cipher: cipher } } as unknown as Client, socket);
  for (const packet of ['one ', 'two ']) cipher.encrypt(Buffer.from(packet));
  await setImmediate();
  cipher.encrypt(Buffer.from('three'));
  await setImmediate();
  expect(sent).toEqual(['length one length two ', 'length three']);
});

test('a command is told to end while its channel is open, also once its input has ended', () => {
  const sent: unknown[] = [];
  const client = {
    _protocol: { signal: (...signal: unknown[]) => sent.push(signal) },
    exec: (_line: string, opened: (error: Error) => void) => opened(new Error('no more channels')),
  } as unknown as Client;
  for (const [id, state] of ['open', 'eof', 'closing', 'closed'].entries())
    terminateAll(client, { outgoing: { id, state } } as unknown as ClientChannel, () => sent.push('done'));
  expect(sent).toEqual([[0, 'TERM'], 'done', [1, 'TERM'], 'done', 'done', 'done']);
});
