import { describe, expect, test } from 'vitest';
import { exportRecording } from '../src/contract/audit.ts';
import { endSession } from '../src/contract/live-sessions.ts';
import { listNodes } from '../src/contract/nodes.ts';
import { search } from '../src/contract/search.ts';
import { deployment } from '../src/features/person.testing.ts';
import { Cancelled, choiceOf, textChoice } from './answer.ts';
import type { Facts, Thing, Tools } from './command.ts';
import { NO_LOGIN } from './gates.ts';
import { commandById } from './index.ts';
import { wrongLogin } from './login.ts';
import { factsWith, type Made, recorder } from './tools.testing.ts';

const server: Thing = { kind: 'server', id: 'n1', title: 'db-3', logins: ['root', 'ada'] };
const argument = (command: string, name: string) => commandById(command)?.args?.find(arg => arg.name === name);

describe('opening a shell', () => {
  test('opens it on the picked server with the picked login', async () => {
    const { tools, done } = recorder();
    await commandById('shell.open')?.run({ server: choiceOf(server), login: textChoice('ada') }, factsWith(), tools);
    expect(done).toEqual(['open {"serverId":"n1","hostname":"db-3","login":"ada"}']);
  });

  test('the logins are those of the server, narrowed to what is typed', async () => {
    const { tools } = recorder();
    const logins = await argument('shell.open', 'login')?.choices(
      'r',
      { server: choiceOf(server) },
      factsWith(),
      tools,
    );
    expect(logins?.map(({ value }) => value)).toEqual(['root']);
  });

  test('a shell that did not connect counts as not used, and its terminal says why', async () => {
    const given = { server: textChoice('n1'), login: textChoice('root') };
    const { tools, done } = recorder(undefined, true, false);
    await expect(commandById('shell.open')?.run(given, factsWith(), tools)).rejects.toThrow(Cancelled);
    expect(done).toEqual(['open {"serverId":"n1","hostname":"n1","login":"root"}']);
    await expect(commandById('shell.open')?.run(given, factsWith(), recorder().tools)).resolves.toBeUndefined();
  });

  test('a server known by its id alone has its logins asked for', async () => {
    const { tools } = recorder(({ call }) =>
      call === listNodes
        ? {
            items: [
              { id: 'n9', sshLogins: ['x'] },
              { id: 'n1', sshLogins: ['deploy'] },
            ],
            startKey: '',
            totalCount: 2,
          }
        : undefined,
    );
    const logins = await argument('shell.open', 'login')?.choices('', { server: textChoice('n1') }, factsWith(), tools);
    expect(logins?.map(({ value }) => value)).toEqual(['deploy']);
  });

  test('the server marked on screen is offered first', async () => {
    const item = (id: string, hostname: string) => ({ id, hostname, addr: '', tunnel: false, tags: [], sshLogins: [] });
    const { tools, made } = recorder(() => ({
      server: { items: [item('n0', 'db-0'), item('n1', 'db-3')], complete: true },
    }));
    const choices = await argument('shell.open', 'server')?.choices(
      'db',
      {},
      factsWith({ selection: [server] }),
      tools,
    );
    expect(choices?.map(({ title }) => title)).toEqual(['db-3', 'db-0']);
    // Nobody gets a shell without a login: the server stays among the choices, with the reason.
    expect(choices?.map(({ refused }) => refused)).toEqual([undefined, NO_LOGIN]);
    expect(made).toMatchObject([
      { call: search, params: { clusterId: 'main' }, query: { nouns: 'server', search: 'db', limit: 50 } },
    ]);
  });

  test.each(['', 'a b', 'a@b', 'x'.repeat(256), 'a\u0000'])('"%s" is no login', typed =>
    expect(wrongLogin(typed)).toContain('A login has'),
  );
  test.each(['root', 'ada.l', 'DOMAIN\\ada', 'ünï'])('"%s" is one', typed => expect(wrongLogin(typed)).toBeUndefined());
});

describe('joining', () => {
  const session: Thing = { kind: 'session', id: 's1', title: 'root@db-3', modes: ['observer', 'moderator'] };
  test('every mode is offered, and those that the person may not join with say so', async () => {
    const { tools } = recorder();
    const modes = await argument('session.join', 'mode')?.choices(
      '',
      { session: choiceOf(session) },
      factsWith(),
      tools,
    );
    expect(modes?.map(({ value, refused }) => [value, refused])).toEqual([
      ['observer', undefined],
      ['moderator', undefined],
      ['peer', 'None of your roles lets you join as a peer'],
    ]);
  });
  // Rule 2: a console session takes an optional mode
  test('joins as picked', async () => {
    const { tools, done } = recorder();
    await commandById('session.join')?.run(
      { session: choiceOf(session), mode: textChoice('observer') },
      factsWith(),
      tools,
    );
    expect(done).toEqual(['join {"sid":"s1","title":"root@db-3","mode":"observer"}']);
  });
  test('an unknown mode is refused before anything is opened', async () => {
    const { tools, done } = recorder();
    expect(() =>
      commandById('session.join')?.run({ session: choiceOf(session), mode: textChoice('root') }, factsWith(), tools),
    ).toThrow('observer');
    expect(done).toEqual([]);
  });
  test('a session that offers no mode is refused with the reason', async () => {
    const listed = {
      id: 's2',
      kind: 'ssh',
      login: '',
      server_hostname: '',
      kubernetes_cluster_name: '',
      desktop_name: '',
      parties: [],
      participantModes: [],
    };
    const { tools } = recorder(({ call }) =>
      call === search ? { session: { items: [listed], complete: true } } : undefined,
    );
    const choices = await argument('session.join', 'session')?.choices('', {}, factsWith(), tools);
    expect(choices).toMatchObject([
      { value: 's2', title: 's2', refused: expect.stringContaining('None of your roles') },
    ]);
  });
  test('is not there when sessions are recorded where nobody can join', () => {
    const facts = factsWith();
    expect(commandById('session.join')?.when?.({ ...facts, config: { ...facts.config, canJoinSessions: false } })).toBe(
      false,
    );
  });
  test('ending one asks first and says that it has ended', async () => {
    const { tools, made, done } = recorder();
    await commandById('session.end')?.run({ session: choiceOf(session) }, factsWith(), tools);
    expect(made).toMatchObject([
      { call: endSession, params: { clusterId: 'main', sid: 's1' } } satisfies Partial<Made>,
    ]);
    expect(done[1]).toBe('notify The session root@db-3 has ended');
  });
});

test('a recording is played with its type and length', async () => {
  const { tools, done } = recorder();
  const play = commandById('recording.play');
  await play?.run(
    {
      recording: choiceOf({
        kind: 'recording',
        id: 'r1',
        title: 'db-3',
        recording: { type: 'desktop', durationMs: 61_000.4 },
      }),
    },
    factsWith(),
    tools,
  );
  await play?.run({ recording: textChoice('r2') }, factsWith(), tools);
  expect(done).toEqual([
    'go player {"clusterId":"main","sid":"r1"} {"recordingType":"desktop","durationMs":"61000"}',
    'go player {"clusterId":"main","sid":"r2"} {"recordingType":"ssh"}',
  ]);
});

test('a recording is exported as a file named after its session, in the console as on the command line', async () => {
  const saved: unknown[] = [];
  const { tools } = recorder();
  const save: Tools['save'] = async (...given) => void saved.push(given);
  const row = commandById('recording.export');
  await row?.run({ recording: textChoice('r1') }, factsWith(), { ...tools, save });
  expect(saved).toEqual([[exportRecording, { params: { clusterId: 'main', sid: 'r1' } }, 'r1.cast']]);
  expect(['console', 'shell'].map(surface => row?.when?.(factsWith({ surface: surface as Facts['surface'] })))).toEqual(
    [true, true],
  );
});

test('while active sessions are locked, nobody joins one, the page is still gone to, and it has no list to move in', () => {
  const billed = { config: deployment({ isUsageBasedBilling: true }), feature: 'activeSessions' as const };
  const join = commandById('session.join');
  expect(join?.blocked?.(factsWith(billed))).toBe("Active Sessions is not part of this cluster's plan");
  expect(join?.blocked?.(factsWith())).toBeUndefined();
  expect(commandById('goto.activeSessions')?.when?.(factsWith(billed))).toBe(true);
  const filters = (more: Partial<Facts>) => commandById('list.filter')?.when?.(factsWith(more));
  expect([filters(billed), filters({ feature: 'activeSessions' })]).toEqual([false, true]);
});
