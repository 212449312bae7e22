import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { presenceMessage, SEEN_WINDOW_BYTES } from '../../../contract/terminal.ts';
import type { AuditEntry } from '../../ports/audit.ts';
import { ConnectError } from '../../ports/reach.ts';
import { createRecordings } from '../recordings/recordings.ts';
import type { BrokerPorts } from './broker.ts';
import { PIECE_BYTES } from './fan-out.ts';
import { brokerOver, connectorOf, createShell, createSubscriber, person, server, size } from './sessions.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-broker-'));
const recordings = createRecordings({ folder });
afterAll(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});

function rig(more: Partial<BrokerPorts> = {}, shell = createShell()) {
  const log: AuditEntry[] = [];
  const problems: string[] = [];
  const audit = { emit: async (entry: AuditEntry) => void log.push(entry) };
  const connector = connectorOf(shell, createShell(), createShell());
  const broker = brokerOver(connector, { recordings, audit, report: problem => problems.push(problem), ...more });
  const codes = () => log.map(({ code }) => code);
  const open = (who = person('alice')) => broker.open({ who, target: server, login: 'root', size });
  return { broker, shell, log, codes, problems, open, connector };
}
/** Lets all that was said in this turn be heard. */
const turn = setImmediate;
const ended = (log: readonly AuditEntry[]) =>
  vi.waitFor(() => {
    const end = log.find(({ code }) => code === 'T2004I');
    if (!end) throw new Error('not ended yet');
    return end;
  });

test('a server is asked for a shell with the certificate extensions that the roles give', async () => {
  const { connector, open, broker } = rig();
  const who = person('alice');
  const certExtensions = { 'login@github.com': 'alice' };
  const { sid } = await open({ ...who, rights: { ...who.rights, options: { ...who.rights.options, certExtensions } } });
  expect(connector.asked).toMatchObject([[{ id: server.id }, { user: 'alice', login: 'root', certExtensions }]]);
  broker.end(sid, 'The test is over.');
});

test('a session goes from the start event to the end event, recorded', async () => {
  const { broker, shell, log, codes, open } = rig();
  const who = person('alice');
  const { sid, session } = await open(who);
  expect(codes()).toEqual(['T2000I']);
  expect(session).toMatchObject({
    id: sid,
    kind: 'ssh',
    owner: 'alice',
    login: 'root',
    server_id: 'server-1',
    server_hostname: 'db-3',
    terminal_params: { w: 80, h: 24 },
    parties: [],
  });
  const subscriber = createSubscriber();
  const participant = broker.attach(sid, { who, mode: '', size, subscriber });
  expect(participant.mode).toBe('peer');
  expect(subscriber.frames).toMatchObject([
    {
      session: { id: sid, parties: [{ id: participant.id, user: 'alice', mode: 'peer' }] },
      output: { offset: 0, fresh: true },
      recording: 'strict',
    },
  ]);
  shell.print('$ ');
  await turn();
  participant.input(Buffer.from('ls\r'));
  shell.print('ls\r\n');
  shell.print('a b\r\n');
  shell.exit();
  expect(subscriber.text()).toBe('$ ls\r\na b\r\n');
  expect(subscriber.end()).toEqual({ kind: 'exited', text: '' });
  expect(shell.typed()).toBe('ls\r');
  const end = await ended(log);
  expect(codes()).toEqual(['T2000I', 'T2003I', 'T2006I', 'T2004I']);
  expect(log[2]).toMatchObject({ tx: 11, rx: 3 });
  expect(end).toMatchObject({
    user: 'alice',
    login: 'root',
    sid,
    server_id: 'server-1',
    server_hostname: 'db-3',
    server_addr: '10.0.0.3:22',
    'addr.remote': '10.1.1.1:5000',
    proto: 'ssh',
    size: '80:24',
    interactive: true,
    enhanced_recording: false,
    session_recording: 'node',
    participants: ['alice'],
    recording_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(end.recording_key).toBe(log[0]?.recording_key);
  expect(Buffer.from((await recordings.stream(sid, 0, 100)) ?? []).toString()).toBe('$ ls\r\na b\r\n');
  await broker.close('The gateway is stopping.');
  expect(readdirSync(folder).filter(name => name.endsWith('.open'))).toEqual([]);
  expect([broker.list(), broker.get(sid), broker.ended(sid)]).toEqual([[], null, { kind: 'exited', text: '' }]);
});

test('what a shell says while its session is being opened is neither lost nor early', async () => {
  const shell = createShell();
  const seen: number[] = [];
  const { broker, open } = rig(
    {
      audit: {
        emit: async () => {
          shell.print('motd\r\n');
          seen.push(broker.list().length);
        },
      },
    },
    shell,
  );
  const { sid } = await open();
  const subscriber = createSubscriber();
  broker.attach(sid, { who: person('alice'), mode: '', size, subscriber });
  expect([subscriber.text(), seen]).toEqual(['motd\r\n', [0]]);
  shell.exit();
});

test('a shell that ends while its session is being opened ends the session', async () => {
  const shell = createShell();
  const log: AuditEntry[] = [];
  const { broker, open } = rig(
    {
      audit: {
        emit: async entry => {
          log.push(entry);
          shell.exit({ code: 3 });
        },
      },
    },
    shell,
  );
  const { sid } = await open();
  expect(broker.ended(sid)).toEqual({ kind: 'exited', text: 'The program ended with 3.' });
  await ended(log);
});

test('without a start event in the audit log there is no session and no recording', async () => {
  const shell = createShell();
  const before = readdirSync(folder);
  const { broker, open } = rig({ audit: { emit: () => Promise.reject(new Error('disk full')) } }, shell);
  await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
  expect([shell.closed(), broker.list(), readdirSync(folder)]).toEqual([true, [], before]);
});

test('a dropped session is kept with its screen and a left one ends', async () => {
  const { broker, shell, log, open } = rig();
  const who = person('alice');
  const { sid } = await open(who);
  const first = createSubscriber();
  const participant = broker.attach(sid, { who, mode: '', size, subscriber: first });
  shell.print('one ');
  await turn();
  participant.drop();
  shell.print('two ');
  await turn();
  expect(broker.get(sid)).not.toBeNull();
  const second = createSubscriber();
  const again = broker.attach(sid, { who, mode: '', size, have: first.offset(), subscriber: second });
  expect([first.text(), second.frames[0]?.output, second.text()]).toEqual([
    'one ',
    { offset: 4, fresh: false },
    'two ',
  ]);
  const third = createSubscriber();
  broker.attach(sid, { who, mode: '', size, have: 999, subscriber: third });
  expect([third.frames[0]?.output, third.text()]).toEqual([{ offset: 0, fresh: true }, 'one two ']);
  again.leave();
  expect(broker.get(sid)).not.toBeNull();
  again.leave();
  expect(broker.list()[0]?.session.parties).toHaveLength(1);
  expect(broker.end(sid, 'The session was ended by bob.')).toBe(true);
  expect(third.end()).toEqual({ kind: 'ended', text: 'The session was ended by bob.' });
  expect(await ended(log)).toMatchObject({ message: 'The session was ended by bob.' });
  expect(broker.end(sid, 'The session was ended by bob.')).toBe(false);
  expect(() => broker.attach(sid, { who, mode: '', size, subscriber: createSubscriber() })).toThrow(
    'The session was ended by bob.',
  );
});

test('when the last peer leaves on purpose the shell is hung up', async () => {
  const { broker, shell, log, open } = rig();
  const who = person('alice');
  const { sid } = await open(who);
  broker.attach(sid, { who, mode: '', size, subscriber: createSubscriber() }).leave();
  expect(shell.closed()).toBe(true);
  expect(await ended(log)).toMatchObject({ message: 'alice closed the session.' });
});

test('a session that nobody comes back to ends after the time to keep it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { broker, shell, open } = rig({ keepMs: 60_000 });
    const who = person('alice');
    const { sid } = await open(who);
    const participant = broker.attach(sid, { who, mode: '', size, subscriber: createSubscriber() });
    vi.advanceTimersByTime(300_000);
    expect(shell.closed()).toBe(false);
    participant.drop();
    vi.advanceTimersByTime(59_000);
    broker.attach(sid, { who, mode: '', size, subscriber: createSubscriber() }).drop();
    vi.advanceTimersByTime(59_000);
    expect(shell.closed()).toBe(false);
    vi.advanceTimersByTime(1000);
    expect([shell.closed(), broker.ended(sid)]).toEqual([
      true,
      { kind: 'abandoned', text: 'The session was ended: nobody came back within 1 min.' },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('whoever lists sessions hears of a command that was run, once, and of no line that is none', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const heard: string[] = [];
    const { broker, shell, open } = rig({ changes: { emit: ({ kind }) => void heard.push(kind) } });
    const who = person('alice');
    const { sid } = await open(who);
    const participant = broker.attach(sid, { who, mode: '', size, subscriber: createSubscriber() });
    const told = async (typed: string, printed: string): Promise<number> => {
      heard.length = 0;
      participant.input(Buffer.from(typed));
      shell.print(printed);
      await vi.advanceTimersByTimeAsync(2000);
      return heard.length;
    };
    expect(await told('uptime\r', 'alice@db-3:~$ uptime\r\n12:00 up 1 day\r\nalice@db-3:~$ ')).toBe(1);
    expect(broker.list()[0]?.session.last_command).toBe('uptime');
    expect(await told('\r\r', '\r\nalice@db-3:~$ ')).toBe(0);
    expect(await told('x', 'x')).toBe(0);
    participant.leave();
  } finally {
    vi.useRealTimers();
  }
});

test('a session without input ends after the idle time of its owner, and input puts it off', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    const { broker, shell, open } = rig();
    const who = person('alice', { options: { clientIdleTimeoutMs: 60_000 } });
    const { sid } = await open(who);
    const subscriber = createSubscriber();
    const participant = broker.attach(sid, { who, mode: '', size, subscriber });
    vi.advanceTimersByTime(50_000);
    participant.input(Buffer.from('x'));
    shell.print('output is no input');
    vi.advanceTimersByTime(50_000);
    expect(shell.closed()).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(subscriber.end()).toEqual({ kind: 'idle', text: 'The session was ended after 1 min without input.' });
  } finally {
    vi.useRealTimers();
  }
});

test('where the roles ask for it, a session ends with the sign-in it was opened with, and otherwise outlives it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    const { broker, shell, open } = rig();
    // Longer than one timer of Node can wait.
    const expires = new Date(Date.now() + 30 * 86_400_000);
    const who = person('alice', { expires, options: { disconnectExpired: true } });
    const { sid } = await open(who);
    const subscriber = createSubscriber();
    broker.attach(sid, { who, mode: '', size, subscriber });
    const other = await open(person('bob', { expires }));
    broker.attach(other.sid, { who: person('bob', { expires }), mode: '', size, subscriber: createSubscriber() });
    vi.advanceTimersByTime(30 * 86_400_000 - 1000);
    expect(shell.closed()).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(subscriber.end()).toEqual({
      kind: 'forbidden',
      text: 'The session was ended: the sign-in that it was opened with has expired.',
    });
    expect(broker.get(other.sid)).not.toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('who may join decides how: the owner as peer, others as their roles say', async () => {
  const { broker, shell, codes, log, open } = rig();
  const alice = person('alice');
  const bob = person('bob', { modes: ['observer', 'moderator'] });
  const { sid } = await open(alice);
  const mine = createSubscriber();
  broker.attach(sid, { who: alice, mode: '', size, subscriber: mine });
  const attach = (who = bob, mode: '' | 'peer' | 'observer' | 'moderator' = '') =>
    broker.attach(sid, { who, mode, size: { cols: 10, rows: 10 }, subscriber: createSubscriber() });
  expect(() => attach(person('eve'))).toThrow('You may not join this session.');
  expect(() => attach(bob, 'peer')).toThrow('You may not join this session as peer.');
  expect(broker.modesFor(person('eve'), sid)).toEqual([]);
  expect(broker.modesFor(bob, sid)).toEqual(['observer', 'moderator']);
  const watching = attach();
  expect([watching.mode, broker.list()[0]?.session.parties.map(({ user, mode }) => `${user} ${mode}`)]).toEqual([
    'observer',
    ['alice peer', 'bob observer'],
  ]);
  watching.input(Buffer.from('rm -rf /\r'));
  watching.resize({ cols: 5, rows: 5 });
  expect([shell.typed(), shell.sizes]).toEqual(['', []]);
  watching.input(Buffer.from('\x03'));
  expect(broker.list()[0]?.session.parties).toHaveLength(1);
  await vi.waitFor(() => expect(codes()).toEqual(['T2000I', 'T2001I', 'T2003I']));
  expect(log[1]).toMatchObject({ user: 'bob', sid });
  expect(mine.events.map(({ event, user }) => [event, user])).toEqual([
    ['session.join', 'bob'],
    ['session.leave', 'bob'],
  ]);
  const moderating = attach(bob, 'moderator');
  moderating.input(Buffer.from('ls'));
  expect(shell.closed()).toBe(false);
  moderating.input(Buffer.from('t'));
  expect(mine.end()).toEqual({ kind: 'ended', text: 'The session was ended by bob, a moderator.' });
  expect((await ended(log)).participants).toEqual(['alice', 'bob']);
});

test('the newest size of a peer wins, and the others are told', async () => {
  const { broker, shell, log, open } = rig();
  const who = person('alice');
  const { sid } = await open(who);
  const [one, two] = [createSubscriber(), createSubscriber()];
  broker.attach(sid, { who, mode: '', size, subscriber: one });
  const participant = broker.attach(sid, { who, mode: '', size: { cols: 100, rows: 30 }, subscriber: two });
  participant.resize({ cols: 100, rows: 30 });
  expect([shell.sizes, two.events]).toEqual([[{ cols: 100, rows: 30 }], []]);
  expect(one.events.at(-1)).toMatchObject({ event: 'resize', size: '100:30' });
  // A flood of sizes becomes its last one.
  for (let cols = 1; cols <= 500; cols += 1) participant.resize({ cols, rows: 30 });
  await vi.waitFor(() =>
    expect(shell.sizes).toEqual([
      { cols: 100, rows: 30 },
      { cols: 500, rows: 30 },
    ]),
  );
  await vi.waitFor(() =>
    expect(log.filter(({ code }) => code === 'T2002I').map(entry => entry.size)).toEqual(['100:30', '500:30']),
  );
  expect(broker.get(sid)?.session.terminal_params).toEqual({ w: 500, h: 30 });
  shell.exit();
});

test('at most so many sessions as the roles allow, also when they are opened at once', async () => {
  const { log, open } = rig();
  const who = person('alice', { options: { maxSessions: 2 } });
  const results = await Promise.allSettled([open(who), open(who), open(who)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(log.find(({ code }) => code === 'T1006W')).toMatchObject({
    user: 'alice',
    login: 'root',
    server_id: 'server-1',
    max: 2,
  });
});

test('a login that the roles do not give is refused and noted', async () => {
  const { broker, log, connector } = rig();
  await expect(broker.open({ who: person('alice'), target: server, login: 'oracle', size })).rejects.toMatchObject({
    code: 'denied',
  });
  expect(log).toMatchObject([
    { code: 'T3007W', user: 'alice', login: 'oracle', success: false, error: 'You may not log in to db-3 as oracle.' },
  ]);
  expect(connector.asked).toEqual([]);
});

test('a refused connection keeps its sentence in the audit log, and no recording', async () => {
  const before = readdirSync(folder);
  const refusing = {
    open: () => Promise.reject(new ConnectError('host_key_changed', 'The host key of db-3 changed.')),
  };
  const { log, open } = rig({ connectors: { ssh: refusing } });
  await expect(open()).rejects.toBeInstanceOf(ConnectError);
  expect(log).toMatchObject([
    { code: 'T3007W', success: false, error: 'The host key of db-3 changed.', server_id: 'server-1' },
  ]);
  expect(readdirSync(folder)).toEqual(before);
});

test('a certificate lives no longer than five minutes and no longer than the web session', async () => {
  const now = new Date('2026-03-01T10:00:00Z');
  const { connector, open } = rig({ now: () => now });
  await open(person('alice', { expires: new Date('2026-03-01T12:00:00Z') }));
  await open(person('alice', { expires: new Date('2026-03-01T10:01:00Z') }));
  expect(connector.asked.map(([, { ttlMs }]) => ttlMs)).toEqual([300_000, 60_000]);
  await expect(open(person('alice', { expires: now }))).rejects.toMatchObject({ code: 'denied' });
});

test('a recording that cannot be written ends a strict session before anything more is shown', async () => {
  const store: BrokerPorts['recordings'] = {
    async open(head, mode) {
      const recorder = await recordings.open(head, mode);
      let outputs = 0;
      return {
        ...recorder,
        output(bytes) {
          outputs += 1;
          if (outputs > 1) throw new Error('ENOSPC');
          recorder.output(bytes);
        },
      };
    },
  };
  const { broker, shell, log, problems, open } = rig({ recordings: store });
  const who = person('alice');
  const { sid } = await open(who);
  const subscriber = createSubscriber();
  broker.attach(sid, { who, mode: '', size, subscriber });
  shell.print('recorded');
  await turn();
  shell.print('secret');
  await turn();
  expect([subscriber.text(), subscriber.end()?.kind, shell.closed()]).toEqual(['recorded', 'unrecorded', true]);
  expect((await ended(log)).error).toMatch('its recording could not be written');
  expect(problems).toHaveLength(1);
});

test('when a recording cannot be started a strict session does not start and a best-effort one says so', async () => {
  const broken = { open: () => Promise.reject(new Error('EROFS')) };
  const strict = rig({ recordings: broken });
  await expect(strict.open()).rejects.toMatchObject({ code: 'unavailable' });
  expect(strict.shell.closed()).toBe(true);
  const lax = rig({ recordings: broken });
  const who = person('alice', { options: { recordSsh: 'best_effort' } });
  const { sid } = await lax.open(who);
  const subscriber = createSubscriber();
  lax.broker.attach(sid, { who, mode: '', size, subscriber });
  expect([subscriber.frames[0]?.recording, lax.log[0]?.session_recording]).toEqual(['off', 'off']);
  lax.shell.exit();
  expect(await ended(lax.log)).toMatchObject({ session_recording: 'off' });
});

test('a broken connection is told as such', async () => {
  const { broker, shell, log, open } = rig();
  const who = person('alice');
  const { sid } = await open(who);
  const subscriber = createSubscriber();
  broker.attach(sid, { who, mode: '', size, subscriber });
  shell.exit({ code: null, error: 'the server closed the connection' });
  expect(subscriber.end()).toEqual({
    kind: 'lost',
    text: 'The connection to db-3 was lost: the server closed the connection',
  });
  expect(await ended(log)).toMatchObject({
    error: 'The connection to db-3 was lost: the server closed the connection',
  });
});

test('closing tells everybody, seals every recording and lets nobody in', async () => {
  const { broker, shell, log, open } = rig();
  const who = person('alice');
  const { sid } = await open(who);
  const subscriber = createSubscriber();
  broker.attach(sid, { who, mode: '', size, subscriber });
  shell.print('last words');
  await broker.close('The gateway is stopping.');
  expect([subscriber.text(), subscriber.end()]).toEqual([
    'last words',
    { kind: 'shutdown', text: 'The gateway is stopping.' },
  ]);
  expect(log.at(-1)).toMatchObject({ code: 'T2004I', message: 'The gateway is stopping.' });
  expect(await recordings.summary(sid)).toMatchObject({ state: 'sealed', bytes: 10 });
  await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
});

test('a session whose start is being noted while the gateway stops gets its end noted as well', async () => {
  const log: AuditEntry[] = [];
  const noting = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { broker, shell, open } = rig({
    audit: {
      async emit(entry) {
        noting.resolve();
        await gate.promise;
        log.push(entry);
      },
    },
  });
  const opening = open();
  await noting.promise;
  const closing = broker.close('The gateway is stopping.');
  gate.resolve();
  const { sid } = await opening;
  await closing;
  expect([shell.closed(), log.map(({ code }) => code)]).toEqual([true, ['T2000I', 'T2006I', 'T2004I']]);
  expect(readdirSync(folder)).not.toContain(`${sid}.open`);
});

test('a client that has stopped saying what it has shown does not keep a program that is gone from ending', async () => {
  const { broker, shell, open } = rig();
  const who = person('alice');
  const { sid } = await open(who);
  const subscriber = createSubscriber();
  broker.attach(sid, { who, mode: '', size, subscriber }).seen(0);
  shell.print(Buffer.alloc(SEEN_WINDOW_BYTES + PIECE_BYTES, 'y'));
  await turn();
  expect(shell.paused()).toBe(true);
  shell.vanish();
  expect(shell.paused()).toBe(false);
  shell.exit();
  expect(subscriber.end()).toEqual({ kind: 'exited', text: '' });
});

test('a participant is shown out with a sentence, and the session goes on for the others', async () => {
  const { broker, shell, codes, open } = rig();
  const who = person('alice');
  const { sid } = await open(who);
  const mine = createSubscriber();
  broker.attach(sid, { who, mode: '', size, subscriber: mine });
  const theirs = createSubscriber();
  const bob = person('bob', { modes: ['observer'] });
  const participant = broker.attach(sid, { who: bob, mode: '', size, subscriber: theirs });
  broker.showOut(sid, participant.id, 'You may no longer take part.');
  broker.showOut(sid, participant.id, 'Twice does nothing.');
  expect(theirs.end()).toEqual({ kind: 'forbidden', text: 'You may no longer take part.' });
  shell.print('still here');
  await turn();
  expect([mine.text(), theirs.text(), mine.end()]).toEqual(['still here', '', null]);
  const alice = { id: mine.frames[0]?.party, user: 'alice', mode: 'peer' };
  const watching = { id: participant.id, user: 'bob', mode: 'observer' };
  const sessionState = { state: 'running', why: '', writer: '' };
  expect(mine.events.map(event => z.parse(presenceMessage, event))).toEqual([
    { event: 'session.join', sid, user: 'bob', mode: 'observer', parties: [alice, watching], sessionState },
    { event: 'session.leave', sid, user: 'bob', mode: 'observer', parties: [alice], sessionState },
  ]);
  expect(theirs.frames[0]).toMatchObject({ party: participant.id, session: { parties: [alice, watching] } });
  expect(codes()).toContain('T2003I');
});

test('a person whose socket ends after the session did changes nothing', async () => {
  const { broker, shell, open } = rig();
  const who = person('alice');
  const { sid } = await open(who);
  const participant = broker.attach(sid, { who, mode: '', size, subscriber: createSubscriber() });
  shell.exit();
  participant.input(Buffer.from('x'));
  participant.resize({ cols: 1, rows: 1 });
  participant.seen(5);
  participant.drop();
  participant.leave();
  expect([shell.typed(), shell.sizes]).toEqual(['', []]);
});

test('the end of a session is written once the disk takes it: one end, with the seal, and nothing left for the next start', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const own = mkdtempSync(join(tmpdir(), 'postern-full-'));
    const files = createRecordings({ folder: own });
    let full = false;
    const store: BrokerPorts['recordings'] = {
      async open(head, mode) {
        const recorder = await files.open(head, mode);
        return { ...recorder, end: () => (full ? Promise.reject(new Error('ENOSPC')) : recorder.end()) };
      },
    };
    const log: AuditEntry[] = [];
    const audit = {
      async emit(entry: AuditEntry) {
        if (full && entry.code === 'T2004I') throw new Error('ENOSPC');
        log.push(entry);
      },
    };
    const { broker, shell, problems, open } = rig({ recordings: store, audit });
    const { sid } = await open();
    full = true;
    shell.exit();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([log.map(({ code }) => code), readdirSync(own).sort()]).toEqual([['T2000I'], [`${sid}.open`, `${sid}.rec`]]);
    full = false;
    await vi.advanceTimersByTimeAsync(60_000);
    const end = await ended(log);
    expect(log.map(({ code }) => code)).toEqual(['T2000I', 'T2006I', 'T2004I']);
    expect(end).toMatchObject({ sid, recording_key: expect.any(String), recording_digest: expect.any(String) });
    expect(end).not.toHaveProperty('error');
    await broker.close('the test is over');
    expect([problems, readdirSync(own).filter(name => name.endsWith('.open'))]).toEqual([
      [`session ${sid}: its end could not be written yet`],
      [],
    ]);
    await files.close();
    rmSync(own, { recursive: true });
  } finally {
    vi.useRealTimers();
  }
});

test('limits and ways to join follow what the owner has now', async () => {
  vi.useFakeTimers();
  try {
    const { broker, open } = rig();
    const alice = person('alice');
    const { sid } = await open(alice);
    const subscriber = createSubscriber();
    broker.attach(sid, { who: alice, mode: '', size, subscriber });
    const bob = person('bob');
    const joins = vi.spyOn(bob.rights, 'joinModes');
    broker.follow(sid, {
      rolesOf: () => undefined,
      roles: ['ops'],
      rights: person('alice', { options: { clientIdleTimeoutMs: 60_000 } }).rights,
    });
    broker.modesFor(bob, sid);
    expect(joins).toHaveBeenCalledWith(['ops'], 'ssh');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(subscriber.end()).toBeNull();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(subscriber.end()).toEqual({ kind: 'idle', text: 'The session was ended after 1 min without input.' });
  } finally {
    vi.useRealTimers();
  }
});
