// A real gateway that is killed while it sends a recording to its bucket.
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endProcesses, gatewayOn } from './main.testing.ts';
import { type BucketRig, openBucketRig } from './services/breaking-bucket.testing.ts';
import { headOf } from './services/recordings/recordings.testing.ts';
import { createRecordings } from './services/recordings/recordings.ts';
import { openStore } from './store/open.ts';

let rig: BucketRig;
let folder: string;
beforeEach(async () => {
  rig = await openBucketRig();
  folder = mkdtempSync(join(tmpdir(), 'postern-killed-'));
});
afterEach(async () => {
  endProcesses();
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A recording of two parts whose gateway died between its seal and the audit log. */
async function leave(): Promise<string> {
  const recordings = createRecordings({ folder: join(folder, 'recordings') });
  const sid = randomUUID();
  const recorder = await recordings.open(headOf({ sid }), 'strict');
  for (let count = 0; count < 9; count += 1) recorder.output(randomBytes(1_000_000));
  await recorder.end();
  await recordings.close();
  return sid;
}

test('killed between two parts, it goes on where it was: the recording arrives whole, and is noted once', async () => {
  const sid = await leave();
  const { name, prefix, endpoint } = rig.place;
  const start = () => gatewayOn(folder, '--recordings-bucket', `s3://${name}/${prefix}?endpoint=${endpoint}`);
  const killed = start();
  const parts: string[] = [];
  rig.onRequest(line => {
    const [part] = /(?<=partNumber=)\d/.exec(line) ?? [];
    if (part) parts.push(part);
    if (part === '2') killed.child.kill('SIGKILL');
  });
  await killed.ended;
  expect(await rig.straight.size(`${sid}.rec`)).toBeNull();
  const again = start();
  await vi.waitFor(() => expect(existsSync(join(folder, 'recordings', `${sid}.stored`))).toBe(true), 50_000);
  again.child.kill('SIGKILL');
  await again.ended;
  expect(parts).toEqual(['1', '2', '2']);
  const size = Number(await rig.straight.size(`${sid}.rec`));
  expect(hash('sha256', await rig.straight.read(`${sid}.rec`, 0, size), 'hex')).toBe(
    hash('sha256', readFileSync(join(folder, 'recordings', `${sid}.rec`)), 'hex'),
  );
  const store = await openStore({ kind: 'sqlite', folder });
  const { events } = await store.events.search({
    from: new Date(0),
    to: new Date(),
    limit: 10,
    types: ['session.upload'],
    descending: false,
  });
  await store.close();
  expect(events.map(({ raw }) => raw)).toMatchObject([
    { code: 'T2005I', sid, user: 'alice', server_hostname: 'db-3', url: `s3://acme/night/${sid}.rec` },
  ]);
}, 120_000);
