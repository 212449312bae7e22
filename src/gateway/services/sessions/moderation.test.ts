// Sessions that may not go on with their owner alone: pending, paused, ended; and whose keys count.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import type { Mode } from '../../../contract/live-sessions.ts';
import type { AuditEntry } from '../../ports/audit.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { JoinPolicy } from '../../ports/rights.ts';
import { createRecordings } from '../recordings/recordings.ts';
import { brokerOver, connectorOf, createShell, createSubscriber, person, server, size } from './sessions.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-moderation-'));
const recordings = createRecordings({ folder });
afterAll(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});

const demand = (onLeave: JoinPolicy['onLeave']) => [
  { role: 'prod', policies: [{ name: 'leads', filter: null, modes: ['moderator' as const], count: 1, onLeave }] },
];
const every: readonly Mode[] = ['observer', 'moderator', 'peer'];

async function opened(onLeave: JoinPolicy['onLeave'] | null, connector = connectorOf(createShell())) {
  const log: AuditEntry[] = [];
  const broker = brokerOver(connector, { recordings, audit: { emit: async entry => void log.push(entry) } });
  const ann = person('ann', onLeave ? { demands: demand(onLeave) } : {});
  const { sid } = await broker.open({ who: ann, target: server, login: 'root', size });
  const attach = (user: string, mode: Mode | '') => {
    const subscriber = createSubscriber();
    const who = user === 'ann' ? ann : person(user, { modes: every });
    return { subscriber, participant: broker.attach(sid, { who, mode, size, subscriber }) };
  };
  return { broker, connector, sid, log, attach, owner: attach('ann', '') };
}
const sessionState = ({ subscriber }: { subscriber: ReturnType<typeof createSubscriber> }) =>
  (subscriber.events.at(-1)?.sessionState ?? subscriber.frames.at(-1)?.sessionState) as unknown;

test('a session that demands a moderator reaches no server before one is there, and nothing typed meanwhile arrives', async () => {
  const shell = createShell();
  const { owner, attach, broker, connector, sid } = await opened('pause', connectorOf(shell));
  const why = 'The session begins when those are here who must be: 1 moderator (leads).';
  expect(owner.subscriber.frames[0]?.sessionState).toEqual({ state: 'pending', why, writer: '' });
  expect(owner.subscriber.text()).toBe(`\r\n${why}\r\n`);
  expect(broker.get(sid)?.session).toMatchObject({ moderated: true, state: 'pending' });
  owner.participant.input(Buffer.from('too early'));
  attach('eve', 'observer');
  attach('ann', 'moderator');
  expect(connector.asked).toEqual([]);
  attach('bob', 'moderator');
  await turn();
  expect(connector.asked).toHaveLength(1);
  expect(sessionState(owner)).toEqual({ state: 'running', why: '', writer: '' });
  shell.print('$ ');
  owner.participant.input(Buffer.from('ls'));
  await turn();
  expect(shell.typed()).toBe('ls');
  expect(owner.subscriber.text()).toContain('Everybody is here: the session begins.\r\n$ ');
  await broker.close('over');
});

test('what is typed while the shell of a session that has just begun is being reached is the first thing it reads', async () => {
  const shell = createShell();
  const connector = connectorOf(shell);
  let reached = (): void => {};
  const way = new Promise<void>(go => {
    reached = go;
  });
  const { owner, attach, broker } = await opened('pause', {
    ...connector,
    open: async (...asked) => way.then(() => connector.open(...asked)),
  });
  attach('bob', 'moderator');
  expect(sessionState(owner)).toMatchObject({ state: 'running' });
  const typed = Buffer.from('ls');
  owner.participant.input(typed);
  typed.fill('x');
  owner.participant.input(Buffer.from('\r'));
  expect(shell.typed()).toBe('');
  reached();
  await vi.waitFor(() => expect(shell.typed()).toBe('ls\r'));
  owner.participant.input(Buffer.from('pwd'));
  expect(shell.typed()).toBe('ls\rpwd');
  await broker.close('over');
});

test('it stands still while the moderator is away, and what was printed meanwhile follows once one is back', async () => {
  const shell = createShell();
  const { owner, attach, broker } = await opened('pause', connectorOf(shell));
  const bob = attach('bob', 'moderator');
  await turn();
  bob.participant.drop();
  expect(shell.paused()).toBe(true);
  expect(sessionState(owner)).toMatchObject({ state: 'paused' });
  owner.participant.input(Buffer.from('rm'));
  shell.print('from before the pause');
  await turn();
  expect([shell.typed(), owner.subscriber.text().includes('from before')]).toEqual(['', false]);
  attach('bob', 'moderator');
  await turn();
  expect(shell.paused()).toBe(false);
  expect(owner.subscriber.text()).toMatch(/The session goes on\.\r\nfrom before the pause$/);
  await broker.close('over');
});

test('where the policy says nothing else, it ends when the moderator leaves', async () => {
  const { owner, attach, log } = await opened('terminate');
  const bob = attach('bob', 'moderator');
  await turn();
  bob.participant.input(Buffer.from([3]));
  expect(owner.subscriber.end()).toEqual({
    kind: 'ended',
    text: 'The session was ended, because it may not go on without 1 moderator (leads).',
  });
  await expect.poll(() => log.at(-1)?.code).toBe('T2004I');
  const joined = log.filter(({ code }) => code === 'T2001I' || code === 'T2003I');
  expect(joined.map(({ code, user, mode }) => [code, user, mode])).toEqual([
    ['T2001I', 'bob', 'moderator'],
    ['T2003I', 'bob', 'moderator'],
    ['T2003I', 'ann', 'peer'],
  ]);
});

test('roles that change count at once, those of the owner and those of the others', async () => {
  const shell = createShell();
  const { broker, sid, owner, attach } = await opened(null, connectorOf(shell));
  attach('bob', 'moderator');
  const rights = person('ann', {
    demands: [
      {
        role: 'prod',
        policies: [
          {
            name: 'leads',
            filter: {
              kind: 'call',
              name: 'contains',
              args: [
                { kind: 'field', path: ['user', 'spec', 'roles'] },
                { kind: 'literal', value: 'lead' },
              ],
            },
            modes: ['moderator'],
            count: 1,
            onLeave: 'pause',
          },
        ],
      },
    ],
  }).rights;
  const follow = (roles: readonly string[]) => broker.follow(sid, { roles: ['prod'], rights, rolesOf: () => roles });
  follow(['dev']);
  expect(sessionState(owner)).toMatchObject({ state: 'paused' });
  follow(['lead']);
  expect(sessionState(owner)).toMatchObject({ state: 'running' });
  await broker.close('over');
});

test('a server that cannot be reached once everybody is there is told in its own words', async () => {
  const refusing = {
    ...connectorOf(),
    open: () => Promise.reject(new ConnectError('unreachable', 'db-3 cannot be reached')),
  };
  const { owner, attach } = await opened('pause', refusing);
  attach('bob', 'moderator');
  await turn();
  expect(owner.subscriber.end()).toEqual({ kind: 'lost', text: 'db-3 cannot be reached' });
});

test('moderators pause and resume; nobody else does, the owner least of all', async () => {
  const shell = createShell();
  const { broker, owner, attach } = await opened(null, connectorOf(shell));
  const [bob, own, eve] = [attach('bob', 'moderator'), attach('ann', 'moderator'), attach('eve', 'observer')];
  expect(bob.participant.control({ action: 'pause', party: '' })).toBeNull();
  expect(sessionState(owner)).toEqual({
    state: 'paused',
    why: 'The session was paused by bob, a moderator.',
    writer: '',
  });
  for (const { participant } of [own, eve, owner])
    expect(participant.control({ action: 'resume', party: '' })).toMatch(/moderate|moderators/);
  bob.participant.leave();
  expect(shell.paused()).toBe(true);
  const dan = attach('dan', 'moderator');
  expect(dan.participant.control({ action: 'resume', party: '' })).toBeNull();
  expect(shell.paused()).toBe(false);
  await broker.close('over');
});

test('one types once the keys are taken; they are handed over, returned, freed by leaving, and always the owner\u2019s to take', async () => {
  const shell = createShell();
  const { broker, owner, attach } = await opened(null, connectorOf(shell));
  const [bob, eve, dan] = [attach('bob', 'peer'), attach('eve', 'peer'), attach('dan', 'observer')];
  const all = [owner, bob, eve, dan];
  const control = (one: typeof bob, action: 'take' | 'give' | 'return', party = '') =>
    one.participant.control({ action, party });
  let before = '';
  const typed = (): string => {
    for (const one of all) one.participant.input(Buffer.from(String(all.indexOf(one))));
    const now = shell.typed().slice(before.length);
    before = shell.typed();
    return now;
  };
  expect(typed()).toBe('012');
  expect([control(bob, 'take'), typed()]).toEqual([null, '1']);
  expect(all.map(one => (sessionState(one) as { writer: string }).writer)).toEqual(['bob', 'bob', 'bob', 'bob']);
  expect([control(eve, 'take'), control(eve, 'return'), control(dan, 'take'), typed()]).toEqual([
    'bob has the keys.',
    'bob has the keys.',
    'Only who types here can have the keys.',
    '1',
  ]);
  expect([control(bob, 'give', dan.participant.id), control(bob, 'give', eve.participant.id), typed()]).toEqual([
    'The keys can only be given to somebody who types here.',
    null,
    '2',
  ]);
  expect([control(owner, 'take'), typed(), control(owner, 'return'), typed()]).toEqual([null, '0', null, '012']);
  control(eve, 'take');
  eve.participant.drop();
  expect(typed()).toBe('01');
  await broker.close('over');
});
