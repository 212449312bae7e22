// What the log holds is told at least once and in order, though the receiver fails half the time and the gateway is killed again and again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { happenedOf, wants } from './services/plugins/happened.ts';
import { messageOf } from './services/plugins/message.ts';
import { httpSenders } from './services/plugins/senders.ts';
import { type Fate, openVendors } from './services/plugins/vendors.testing.ts';
import type { ChainedEvent } from './store/store.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const fates: readonly Fate[] = ['taken', 'refused', 'taken, then cut', 'taken', 'cut', 'taken'];

test('none is lost over kill -9, each comes at least once and first in the order of the log', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-told-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  let asked = 0;
  let killAt = Number.POSITIVE_INFINITY;
  let child: ChildProcess | undefined;
  const vendors = await openVendors(() => {
    asked += 1;
    // In the middle of a delivery: before it is answered.
    if (asked === killAt) child?.kill('SIGKILL');
    return fates[asked % fates.length] ?? 'taken';
  });
  closing.push(() => vendors.close());
  const begin = (count: number): ChildProcess => {
    const begun = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('./plugin-delivery.testing.ts', import.meta.url)),
        folder,
        vendors.specOf('webhook').url ?? '',
        String(count),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    closing.push(async () => begun.kill('SIGKILL'));
    return begun;
  };
  for (const after of [3, 7, 4]) {
    killAt = asked + after;
    child = begin(8);
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
  }
  killAt = Number.POSITIVE_INFINITY;
  child = begin(2);
  const [printed] = child.stdout === null ? [] : await once(child.stdout, 'data');
  const written = JSON.parse(String(printed)) as string[];
  const told = () => [...new Set(vendors.taken.map(({ headers }) => headers['x-postern-event']))];
  await expect.poll(() => told().length, { timeout: 30_000 }).toBe(written.length);
  expect(written.length).toBeGreaterThan(8);
  expect(told()).toEqual(written);
});

const event = (code: string, fields: object): ChainedEvent => ({
  position: 1,
  code,
  time: new Date(1_800_000_000_000),
  json: JSON.stringify({ uid: 'u1', code, ...fields }),
});
const asks = event('T5000I', { id: 'r 1', user: 'ann', roles: ['dba'], reason: 'incident' });

test('a plugin tells of the kinds and the roles that it is for, and of nothing else', () => {
  expect(wants({}, asks)).toBe(true);
  expect(wants({ kinds: ['lock'] }, asks)).toBe(false);
  expect(wants({ roles: ['web'] }, asks)).toBe(false);
  expect(wants({ roles: ['dba', 'web'], kinds: ['request'] }, asks)).toBe(true);
  expect(wants({ roles: ['web'] }, event('TLK00I', { target: 'user: bob', user: 'ed' }))).toBe(true);
  expect(wants({}, event('T1000I', { user: 'ann' }))).toBe(false);
  expect(wants({}, event('TNT00I', { notification_kind: 'nothing', message: 'x' }))).toBe(false);
});

test('what it says is worded by its template, and leads to the page', () => {
  const happened = happenedOf(asks, 'https://console.example.com');
  expect(happened).toMatchObject({
    title: 'ann asks for dba',
    link: 'https://console.example.com/web/accessrequest?request=r%201',
  });
  if (happened === null) return;
  expect(messageOf(happened, 'here').words).toBe(
    'ann asks for dba\nincident\nhttps://console.example.com/web/accessrequest?request=r%201',
  );
  const said = happenedOf(
    event('T5000I', {
      id: 'r',
      user: 'ann',
      roles: ['dba'],
      annotations: { service: ['shop', 'bank'], team: ['ops'] },
    }),
    '',
  );
  if (said === null) throw new Error('nothing is told');
  const about = messageOf(said, 'here');
  expect(about.words).toBe('ann asks for dba\nservice: shop, bank; team: ops\n/web/accessrequest?request=r');
  const bodyOf = (kind: 'webhook' | 'pagerduty' | 'opsgenie') =>
    JSON.parse(httpSenders[kind].request(about, { url: 'https://x.example.com', token: 't' }, new Date()).body ?? '');
  expect(bodyOf('webhook').annotations).toEqual({ service: ['shop', 'bank'], team: ['ops'] });
  expect(bodyOf('pagerduty').payload.custom_details.annotations).toEqual({ service: ['shop', 'bank'], team: ['ops'] });
  expect(bodyOf('opsgenie').details).toEqual({ service: 'shop, bank', team: 'ops' });
  expect(messageOf(happened, 'here', '{user} {kind} {cluster}').words).toBe('ann Access requests to review here');
  // What somebody has typed is put in once, and never read as a template.
  expect(messageOf({ ...happened, text: '{link}' }, 'here', '{text}').words).toBe('{link}');
});

test('no text that somebody types can call anybody, or hide a link', () => {
  const hostile = happenedOf(
    event('T5000I', {
      user: '<!channel>',
      roles: ['dba'],
      reason: '[x](https://evil.example.com) @everyone <@U1> *b*',
    }),
    '',
  );
  if (hostile === null) throw new Error('nothing is told');
  const message = messageOf(hostile, 'here', '{title} {text}');
  const bodyOf = (kind: keyof typeof httpSenders) =>
    httpSenders[kind].request(message, { url: 'https://x.example.com', token: 't', repository: 'a/b' }, new Date())
      .body;
  expect(bodyOf('slack')).not.toMatch(/<[!@]/);
  for (const kind of ['mattermost', 'discord', 'msteams'] as const) {
    expect(bodyOf(kind)).not.toMatch(/[^\\]\]\(https/);
    expect(bodyOf(kind)).not.toMatch(/@(everyone|U1)/);
  }
  expect(JSON.parse(bodyOf('discord'))).toMatchObject({ allowed_mentions: { parse: [] } });
});
