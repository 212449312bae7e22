import { expect, test } from 'vitest';
import type { JoinDemand } from '../../ports/rights.ts';
import { createFileRequests } from './file-requests.ts';
import type { Attendee } from './policy/attendance.ts';

const one = (user: string, mode: Attendee['mode']): Attendee => ({ userId: `id of ${user}`, user, roles: [], mode });
const [ann, bob, eve, dan] = [
  one('ann', 'peer'),
  one('bob', 'moderator'),
  one('eve', 'moderator'),
  one('dan', 'observer'),
];
const moderators = (count: number): readonly JoinDemand[] => [
  { role: 'prod', policies: [{ name: 'leads', filter: null, modes: ['moderator'], count, onLeave: 'pause' }] },
];
const place = { serverId: 'db-3', login: 'root' };
const transfer = { download: true, location: '/etc/hosts', filename: '' };
const copy = (more = {}) => ({ ...place, does: 'copy' as const, transfer: { ...transfer, ...more } });

function rig(demands = moderators(2)) {
  const events: Readonly<Record<string, unknown>>[] = [];
  const there = [ann, bob, eve, dan];
  const requests = createFileRequests({
    sid: 's',
    place,
    ownerId: ann.userId,
    demands: () => demands,
    attendees: () => there,
    tell: event => events.push(event),
  });
  const ask = () => requests.ask(ann, transfer);
  return { requests, events, there, ask, id: () => String(events.at(-1)?.requestID) };
}
const told = (events: readonly Readonly<Record<string, unknown>>[]) =>
  events.map(({ event, approvers }) => `${String(event).replace('file_transfer_request', '') || 'asked'} ${approvers}`);

test('a transfer is approved by as many as the policies ask for, and done once, by who asked and as asked', () => {
  const { requests, events, ask, id } = rig();
  expect(ask()).toBeNull();
  const request = id();
  expect(events[0]).toEqual({
    event: 'file_transfer_request',
    sid: 's',
    requestID: request,
    requester: 'ann',
    approvers: [],
    location: '/etc/hosts',
    download: true,
  });
  requests.decide(bob, request, true);
  requests.decide(bob, request, true);
  expect(requests.take(ann.userId, request, copy())).toBeNull();
  expect(requests.pending()).toHaveLength(1);
  requests.decide(eve, request, true);
  expect(told(events)).toEqual(['asked ', 'asked bob', 'asked bob', 'asked bob,eve', '_approve bob,eve']);
  expect(requests.pending()).toEqual([]);
  expect(requests.take(bob.userId, request, copy())).toBeNull();
  expect(requests.take(ann.userId, request, copy({ location: '/etc/shadow' }))).toBeNull();
  expect(requests.take(ann.userId, request, copy({ download: false }))).toBeNull();
  const taken = requests.take(ann.userId, request, copy());
  expect([taken?.signal.aborted, requests.take(ann.userId, request, copy())]).toEqual([false, null]);
  requests.end('Ended by bob.');
  expect(taken?.signal.reason).toMatchObject({ code: 'denied', message: 'Ended by bob.' });
});

test('any denial removes it, also after its approval, and whoever asked may take it back', () => {
  for (const by of [bob, ann]) {
    const { requests, events, ask, id } = rig(moderators(1));
    ask();
    requests.decide(eve, id(), true);
    expect(requests.decide(by, id(), false)).toBeNull();
    expect(told(events).at(-1)).toBe('_deny eve');
    expect(requests.take(ann.userId, id(), copy())).toBeNull();
    expect(requests.decide(eve, id(), true)).toMatch(/no such/);
  }
});

test('nobody approves their own, observers decide nothing, and who has left does not count', () => {
  const { requests, events, ask, id, there } = rig();
  ask();
  expect([
    requests.decide(ann, id(), true),
    requests.decide(dan, id(), true),
    requests.decide(dan, id(), false),
  ]).toEqual(Array(3).fill('You may not decide about this file transfer.'));
  requests.decide(bob, id(), true);
  there.splice(there.indexOf(bob), 1);
  requests.decide(eve, id(), true);
  expect(told(events).at(-1)).toBe('asked eve');
});

test('requests are for those who type where somebody must be asked, and they are few', () => {
  const { requests, ask } = rig();
  expect(requests.ask(bob, transfer)?.message).toMatch(/Only who types/);
  expect(rig([]).ask()?.message).toMatch(/asks nobody/);
  for (let count = 0; count < 10; count += 1) ask();
  expect(ask()).toMatchObject({
    event: 'file_transfer_request_deny',
    requester: 'ann',
    ...{ location: '/etc/hosts', download: true, message: 'There are 10 file transfer requests already.' },
  });
  expect(requests.pending()).toHaveLength(10);
});
