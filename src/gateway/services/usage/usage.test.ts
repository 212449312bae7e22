// People and sessions by the month, counted from an audit log that goes on being written, on both engines.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onBothEngines } from '../../store/store.testing.ts';
import type { Store, StoredEvent } from '../../store/store.ts';
import { createUsage } from './usage.ts';

const isBilled = { isCloud: true, isDashboard: false };
function event(time: string, type: string, user: string, more: Readonly<Record<string, unknown>> = {}): StoredEvent {
  const at = new Date(time);
  const base = { uid: randomUUID(), time: at, type, code: 'T0000I', user, sid: '' };
  return { ...base, raw: { uid: base.uid, time: at.toISOString(), event: type, code: base.code, user, ...more } };
}
const rig = (store: Store, now: () => string, deployment = isBilled) => {
  let read = 0;
  const usage = createUsage({
    ...store,
    events: {
      search: async query => {
        const page = await store.events.search(query);
        read += page.events.length;
        return page;
      },
    },
    deployment,
    clock: () => new Date(now()),
  });
  return { usage, read: () => read };
};
const append = async (store: Store, ...events: readonly StoredEvent[]): Promise<void> => {
  for (const one of events) await store.events.append(one);
};

onBothEngines(({ open }) => {
  // Rule 1: billing counts use
  test('a person counts once a month however often they come, a refused sign-in not at all, and sessions by what they reach', async () => {
    const store = await open();
    await append(
      store,
      event('2026-09-30T23:59:59.999Z', 'user.login', 'eve', { success: true }),
      event('2026-10-01T00:00:00.000Z', 'user.login', 'ann', { success: true }),
      event('2026-10-05T10:00:00.000Z', 'user.login', 'ann', { success: true }),
      event('2026-10-05T10:00:01.000Z', 'user.login', 'mallory', { success: false }),
      event('2026-10-05T10:01:00.000Z', 'session.start', 'ann', { proto: 'ssh' }),
      event('2026-10-05T10:02:00.000Z', 'session.start', 'bob', { proto: 'kube' }),
      event('2026-10-06T10:00:00.000Z', 'db.session.start', 'ann', { success: true }),
      event('2026-10-06T10:00:00.000Z', 'db.session.start', 'ann', { success: false }),
      event('2026-10-31T23:59:59.999Z', 'windows.desktop.session.start', 'cyd', { success: true }),
      event('2026-11-01T00:00:00.000Z', 'app.session.start', 'cyd'),
    );
    const { usage, read } = rig(store, () => '2026-11-20T00:00:00.000Z');
    const { months, resources } = await usage.of(3);
    expect(months).toEqual([
      {
        month: '2026-11',
        isOver: false,
        people: 1,
        sessions: { server: 0, database: 0, cluster: 0, application: 1, desktop: 0 },
      },
      {
        month: '2026-10',
        isOver: true,
        people: 3,
        sessions: { server: 1, database: 1, cluster: 1, application: 0, desktop: 1 },
      },
      expect.objectContaining({ month: '2026-09', people: 1 }),
    ]);
    expect(resources).toEqual({ servers: 0, databases: 0, clusters: 0, applications: 0, desktops: 0 });
    // What has been counted is not read again: of the month that runs, only what is new.
    expect(read()).toBe(10);
    await usage.of(3);
    expect(read()).toBe(10);
    await append(store, event('2026-11-19T23:59:59.500Z', 'session.start', 'dan'));
    const later = rig(store, () => '2026-11-20T00:00:10.000Z');
    expect((await later.usage.of(3)).months.map(({ people }) => people)).toEqual([2, 3, 1]);
    // Another gateway reads only the month that runs.
    expect(later.read()).toBe(2);
  });

  test('a month that has only just ended is counted again until its log is settled', async () => {
    const store = await open();
    let now = '2026-11-01T00:30:00.000Z';
    const { usage } = rig(store, () => now);
    expect((await usage.of(2)).months[1]).toMatchObject({ month: '2026-10', people: 0 });
    await append(store, event('2026-10-31T23:59:00.000Z', 'user.login', 'late', { success: true }));
    now = '2026-11-01T01:00:00.000Z';
    expect((await usage.of(2)).months[1]).toMatchObject({ month: '2026-10', people: 1 });
  });

  test('where nobody is billed there is nothing', async () => {
    const { usage } = rig(await open(), () => '2026-11-20T00:00:00.000Z', { isCloud: false, isDashboard: false });
    await expect(usage.of(1)).rejects.toThrow('this deployment has no billing');
  });
});
