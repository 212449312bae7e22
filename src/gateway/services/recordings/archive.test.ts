// Recordings in a bucket, over a line that breaks a third of the requests.
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openStore } from '../../store/open.ts';
import type { Settings } from '../../store/store.ts';
import { type BucketRig, openBucketRig } from '../breaking-bucket.testing.ts';
import type { Bucket } from '../bucket.ts';
import { type Archive, createArchive } from './archive.ts';
import { PIECE_BYTES } from './pieces.ts';
import { headOf } from './recordings.testing.ts';
import { createRecordings, type Recordings } from './recordings.ts';

/** Small, so that a small recording has several. */
const PART_BYTES = 64 * 1024;

let rig: BucketRig;
const folders: string[] = [];
const opened: Recordings[] = [];
beforeAll(async () => {
  rig = await openBucketRig();
});
afterEach(async () => {
  rig.breakEach(0);
  await Promise.all(opened.splice(0).map(one => one.close()));
  for await (const { key } of rig.straight.list()) await rig.straight.remove(key);
});
afterAll(async () => {
  await rig.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Gateway {
  readonly folder: string;
  readonly archive: Archive;
  readonly recordings: Recordings;
  /** Ids as the audit log was told that they are stored. */
  readonly stored: string[];
  readonly problems: string[];
}
/** A gateway's recordings over the rig's bucket. */
function gateway(
  more: { folder?: string; bucket?: Bucket; copiesMostBytes?: number; settings?: Settings } = {},
): Gateway {
  const folder = more.folder ?? mkdtempSync(join(tmpdir(), 'postern-archive-'));
  folders.push(folder);
  const stored: string[] = [];
  const problems: string[] = [];
  const report = (problem: string, error: unknown) => void problems.push(`${problem}: ${String(error)}`);
  const archive = createArchive({
    bucket: more.bucket ?? rig.open(),
    folder,
    place: 's3://acme/night/',
    copiesMostBytes: more.copiesMostBytes ?? 1e9,
    stored: async sid => void stored.push(sid),
    report,
    partBytes: PART_BYTES,
  });
  const { settings } = more;
  const recordings = createRecordings({ folder, archive, report, clock: () => 0, ...(settings && { settings }) });
  opened.push(recordings);
  return { folder, archive, recordings, stored, problems };
}
/** Records text of which nothing can be packed away; answers the session. */
async function record({ recordings }: Gateway, bytes: number): Promise<string> {
  const sid = randomUUID();
  const recorder = await recordings.open(headOf({ sid }), 'strict');
  recorder.output(Buffer.from('needle in the haystack\r\n'));
  for (let left = bytes; left > 0; left -= 30_000)
    recorder.output(Buffer.from(randomBytes(Math.ceil((Math.min(left, 30_000) * 3) / 4)).toString('base64')));
  await recorder.end();
  await recorder.settle();
  return sid;
}
/** SHA-256 of the file that a gateway has of a recording: it no longer changes once it is sent. */
const digestAt = ({ folder }: Gateway, sid: string): string =>
  hash('sha256', readFileSync(join(folder, `${sid}.rec`)), 'hex');
const sent = ({ archive, stored }: Gateway, count: number) =>
  vi.waitFor(() => expect([archive.waiting(), stored.length]).toEqual([0, count]), { timeout: 28_000, interval: 20 });
const digestIn = async (sid: string): Promise<string> => {
  const size = await rig.straight.size(`${sid}.rec`);
  return size === null ? 'none' : hash('sha256', await rig.straight.read(`${sid}.rec`, 0, size), 'hex');
};
const keys = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of rig.straight.list()) found.push(key);
  return found;
};

test('with a third of the requests cut off, refused or never answered, every recording arrives whole, once', async () => {
  rig.breakEach(3);
  const one = gateway({ bucket: rig.open({}, 300) });
  const made = [await record(one, 250_000)];
  for (let count = 0; count < 6; count += 1) made.push(await record(one, 3000));
  await sent(one, 7);
  for (const sid of made) expect(await digestIn(sid)).toBe(digestAt(one, sid));
  expect((await keys()).filter(key => key.endsWith('.rec')).sort()).toEqual(made.map(sid => `${sid}.rec`).sort());
  expect([...one.stored].sort()).toEqual(made.toSorted());
  expect(await one.archive.delivery.next()).toBeGreaterThan(0);
  expect(readdirSync(one.folder).filter(name => name.includes('.upload'))).toEqual([]);
}, 30_000);

test('where the word that all has arrived is lost, nothing is sent twice', async () => {
  const bucket = rig.open();
  const begin = vi.fn(bucket.begin);
  const complete = vi.fn(async (...given: Parameters<Bucket['complete']>) => {
    await bucket.complete(...given);
    throw new Error('the line was cut');
  });
  const one = gateway({ bucket: { ...bucket, begin, complete } });
  const sid = await record(one, 200_000);
  await sent(one, 1);
  expect([begin.mock.calls.length, complete.mock.calls.length, await digestIn(sid)]).toEqual([
    1,
    1,
    digestAt(one, sid),
  ]);
});

test('what arrives as other bytes is sent again, and not taken for stored meanwhile', async () => {
  const bucket = rig.open();
  const put = vi.fn(bucket.put);
  put.mockImplementationOnce((key, bytes) => bucket.put(key, Buffer.from(bytes).reverse()));
  const one = gateway({ bucket: { ...bucket, put } });
  const sid = await record(one, 3000);
  await sent(one, 1);
  expect([put.mock.calls.length, await digestIn(sid)]).toEqual([2, digestAt(one, sid)]);
  expect(one.problems.join()).toContain('what arrived in the bucket is not what was sent');
});

test('recordings that the bucket does not take, more than are sent at once, hold up no other', async () => {
  const bucket = rig.open();
  const refused = new Set<string>();
  const put: Bucket['put'] = async (key, bytes) => {
    if (refused.size < 5) refused.add(key);
    if (refused.has(key)) throw new Error('not this one');
    await bucket.put(key, bytes);
  };
  const one = gateway({ bucket: { ...bucket, put } });
  for (let count = 0; count < 8; count += 1) await record(one, 3000);
  await vi.waitFor(() => expect([one.stored.length, one.archive.waiting()]).toEqual([3, 5]), 10_000);
  await expect(one.archive.delivery.next()).rejects.toThrow('not this one');
});

test('what is in the bucket alone is listed, played, searched, saved and checked by another gateway, and removed for all', async () => {
  const one = gateway();
  const sid = await record(one, 200_000);
  await sent(one, 1);
  const two = gateway({ copiesMostBytes: 1 });
  await rig.straight.put('notes/of-others.rec', Buffer.from('not a recording'));
  await two.recordings.recover();
  expect((await two.recordings.stored()).map(stored => stored.sid)).toEqual([sid]);
  expect(await two.recordings.summary(sid)).toEqual(await one.recordings.summary(sid));
  expect(await two.recordings.segment(sid, 0)).toEqual(await one.recordings.segment(sid, 0));
  expect(digestAt(two, sid)).toBe(digestAt(one, sid));
  let cast = '';
  for await (const line of (await two.recordings.asciicast(sid)) ?? []) cast += line;
  expect(cast).toContain('needle in the haystack');
  await vi.waitFor(async () => {
    const query = { from: 0, to: Number.MAX_SAFE_INTEGER, after: null };
    const [found] = await two.recordings.text.find('haystack', query);
    expect(found?.sid).toBe(sid);
    expect(found && (await two.recordings.text.hits(found, 'haystack', 10))).toMatchObject([{ ms: 0 }]);
  }, 10_000);
  expect(await two.recordings.verify(sid)).toEqual({ ok: true });
  await two.recordings.remove(sid);
  expect(await keys()).toEqual(['notes/of-others.rec']);
  expect([await two.recordings.summary(sid), readdirSync(two.folder).filter(name => name.startsWith(sid))]).toEqual([
    null,
    [],
  ]);
  // The first gateway has a copy that it believes in for a minute, but not where it is asked to check.
  expect([await one.recordings.verify(sid), await one.recordings.summary(sid)]).toEqual([null, null]);
}, 30_000);

test('a long recording plays from any moment without being fetched whole; what was changed in the bucket is not played', async () => {
  const kept = mkdtempSync(join(tmpdir(), 'postern-archive-'));
  folders.push(kept);
  const store = await openStore({ kind: 'sqlite', folder: kept });
  const { settings } = store;
  const one = gateway({ settings });
  const sid = await record(one, 4_000_000);
  await sent(one, 1);
  const size = Number(await rig.straight.size(`${sid}.rec`));
  expect(size).toBeGreaterThan(2_000_000);
  const hasCopy = ({ folder }: Gateway): boolean => existsSync(join(folder, `${sid}.rec`));

  const bucket = rig.open();
  let fetched = 0;
  const read: Bucket['read'] = (key, from, to) => {
    if (key.endsWith('.rec')) fetched += to - from;
    return bucket.read(key, from, to);
  };
  const two = gateway({ settings, bucket: { ...bucket, read } });
  const whole = await one.recordings.summary(sid);
  const keyframes = whole?.keyframes.length ?? 0;
  expect(await two.recordings.summary(sid)).toEqual({ ...whole, integrity: { ok: true, unread: true } });
  expect(fetched).toBe(0);
  for (const number of [keyframes - 1, 0, keyframes >> 1])
    expect(await two.recordings.segment(sid, number)).toEqual(await one.recordings.segment(sid, number));
  expect(await two.recordings.segment(sid, keyframes)).toBeNull();
  expect(await two.recordings.lastScreen(sid)).toEqual(await one.recordings.lastScreen(sid));
  expect([hasCopy(two), fetched > 0, fetched < size]).toEqual([false, true, true]);
  const textOf = async ({ recordings }: Gateway): Promise<string> => {
    let text = '';
    for await (const part of (await recordings.file(sid, 'text')) ?? []) text += part;
    return hash('sha256', text, 'hex');
  };
  expect([await textOf(two), hasCopy(two)]).toEqual([await textOf(one), false]);
  // To check all of it is to have all of it.
  expect([await two.recordings.verify(sid), hasCopy(two)]).toEqual([{ ok: true }, true]);

  const bytes = Buffer.from(await rig.straight.read(`${sid}.rec`, 0, size));
  bytes[size - 100_000] = (bytes[size - 100_000] ?? 0) ^ 1;
  await rig.straight.put(`${sid}.rec`, bytes);
  const three = gateway({ settings });
  expect(await three.recordings.summary(sid)).toMatchObject({ integrity: { ok: true, unread: true } });
  expect(await three.recordings.segment(sid, 0)).toEqual(await one.recordings.segment(sid, 0));
  await expect(three.recordings.segment(sid, keyframes - 1)).rejects.toMatchObject({ code: 'changed' });
  expect(await three.recordings.summary(sid)).toMatchObject({ integrity: { ok: false } });
  await store.close();
}, 60_000);

test('a text is found in a long recording by the pieces that it stands in, and where one of them was changed, by what can be read of it', async () => {
  const bucket = rig.open();
  const ranges: { from: number; to: number }[] = [];
  const read: Bucket['read'] = (key, from, to) => {
    if (key.endsWith('.rec')) ranges.push({ from, to });
    return bucket.read(key, from, to);
  };
  const kept = mkdtempSync(join(tmpdir(), 'postern-archive-'));
  folders.push(kept);
  const store = await openStore({ kind: 'sqlite', folder: kept });
  // No copy stays here once it is sent.
  const one = gateway({ settings: store.settings, bucket: { ...bucket, read }, copiesMostBytes: 1 });
  const sid = await record(one, 2_000_000);
  await sent(one, 1);
  const hasCopy = (): boolean => existsSync(join(one.folder, `${sid}.rec`));
  await vi.waitFor(() => expect(hasCopy()).toBe(false), 10_000);
  ranges.length = 0;
  const search = async () => {
    const [found] = await one.recordings.text.find('haystack', { from: 0, to: Number.MAX_SAFE_INTEGER, after: null });
    return found && one.recordings.text.hits(found, 'haystack', 5);
  };
  const hits = [{ ms: 0, line: 'needle in the haystack' }];
  expect(await search()).toEqual(hits);
  // The pack that holds it was of 896 KiB, and is random text, which packs to three quarters.
  expect(ranges.map(({ from }) => from)).toEqual([0, 1, 2].map(piece => piece * PIECE_BYTES));
  expect(hasCopy()).toBe(false);
  // A part that was read already is not fetched again.
  expect([await search(), ranges.length]).toEqual([hits, 3]);

  const size = Number(await rig.straight.size(`${sid}.rec`));
  const bytes = Buffer.from(await rig.straight.read(`${sid}.rec`, 0, size));
  const last = Math.max(...ranges.map(({ to }) => to)) - 1;
  bytes[last] = (bytes[last] ?? 0) ^ 1;
  await rig.straight.put(`${sid}.rec`, bytes);
  const two = gateway({ settings: store.settings, folder: one.folder });
  const [found] = await one.recordings.text.find('haystack', { from: 0, to: Number.MAX_SAFE_INTEGER, after: null });
  expect(found && (await two.recordings.text.hits(found, 'haystack', 5))).toEqual(hits);
  expect(hasCopy()).toBe(true);
  await store.close();
}, 60_000);

test('what somebody changed in the bucket is found, although a good copy is here', async () => {
  const one = gateway();
  const sid = await record(one, 3000);
  await sent(one, 1);
  const size = Number(await rig.straight.size(`${sid}.rec`));
  const bytes = Buffer.from(await rig.straight.read(`${sid}.rec`, 0, size));
  bytes[size >> 1] = (bytes[size >> 1] ?? 0) ^ 1;
  await rig.straight.put(`${sid}.rec`, bytes);
  expect(await one.recordings.verify(sid)).toMatchObject({ ok: false });
  expect(await one.recordings.summary(sid)).toMatchObject({ integrity: { ok: false } });
});

test('what the bucket refuses is said in words, and recordings stay here and play', async () => {
  for (const [place, keys, words] of [
    [{ name: 'nowhere' }, {}, 'there is no bucket "nowhere"'],
    [{}, { AWS_ACCESS_KEY_ID: 'nobody' }, 'the access key is not known there'],
    [{}, { AWS_SECRET_ACCESS_KEY: 'wrong' }, 'the secret of the access key is wrong'],
  ] as const) {
    for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value);
    const one = gateway({ bucket: rig.open(place) });
    await one.recordings.recover();
    const sid = await record(one, 3000);
    await vi.waitFor(() => expect(one.problems.join()).toContain(sid), 10_000);
    expect(one.problems.at(-1)).toContain(words);
    await expect(one.archive.delivery.next()).rejects.toThrow(words);
    expect([one.archive.waiting(), await one.recordings.summary(sid)]).toMatchObject([1, { integrity: { ok: true } }]);
    vi.unstubAllEnvs();
  }
});
