// Log-in by certificate stands on fields of ssh2 that are nobody's promise: this says which version was tried.
import { createRequire } from 'node:module';
import { Client } from 'ssh2';
import { expect, test } from 'vitest';
import { missingFields } from './engine.ts';

test('ssh2 is the version whose inner fields we know', () => {
  expect(createRequire(import.meta.url)('ssh2/package.json')).toMatchObject({ version: '1.17.0' });
});

// That the fields are all there after a handshake is shown by every log-in of connector.test.ts: logInWithCertificate asks first.
test('a client that has not met its host, or is another version, is told apart by name', () => {
  expect(missingFields(new Client())).toEqual([
    '_protocol._kex.sessionID',
    '_protocol._packetRW.write',
    '_protocol._cipher.encrypt',
    '_protocol._kexinit',
    '_protocol._authsQueue',
    '_protocol.authNone',
    '_protocol.ping',
    '_callbacks',
  ]);
});
