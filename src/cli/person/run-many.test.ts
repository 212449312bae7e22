// One command on many servers from the command line, against a real gateway with a shell of this machine behind it.
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import type { ScriptedShell } from '../../gateway/app.testing.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 30_000, interval: 10 };

let rig: CommandLineRig;
beforeAll(async () => {
  rig = await openCommandLine();
  await rig.gateway.addUser('ada', ['access', 'auditor'], ['root', userInfo().username]);
  for (const name of ['db-1', 'db-2', 'web-1']) await rig.gateway.addServer(name, { tier: name.replace(/-\d/, '') });
  await rig.signIn('ada');
});
afterAll(() => rig.dispose());

/** Starts the command line, and answers the shells of its run once there are so many. */
async function start(count: number, ...words: readonly string[]) {
  const before = rig.gateway.shells.length;
  const done = rig.spawn([...words.slice(0, 1), '--session-file', rig.file, ...words.slice(1)]);
  const shells = () => rig.gateway.shells.slice(before);
  await vi.waitFor(() => expect(shells().filter(shell => hostOf(shell) !== '')).toHaveLength(count), soon);
  return { done, shells: shells() };
}
const hostOf = ({ sid }: ScriptedShell): string =>
  rig.gateway.services.sessions.get(sid)?.session.server_hostname ?? '';

test('each line has its server before it, and the worst status is the status', async () => {
  const { done, shells } = await start(2, 'run', 'labels["tier"] == "db"', '--login', 'root', '--', 'uname', '-a');
  expect(shells.map(({ command }) => command)).toEqual(['uname -a', 'uname -a']);
  const named = Object.fromEntries(shells.map(shell => [hostOf(shell), shell]));
  named['db-1']?.print('Linux\nha');
  named['db-1']?.print('lf\x1b[2Jway');
  named['db-2']?.print('not well\n', 'stderr');
  named['db-1']?.exit(0);
  named['db-2']?.exit(3);
  const { status, out, error } = await done;
  expect(out.split('\n')).toEqual(['db-1: Linux', 'db-1: half\ufffd[2Jway', '']);
  expect(error).toBe('db-2: not well\npostern: 1 of 2 failed: db-2 (3)\n');
  expect(status).toBe(3);
});

test('as JSON each server is a line with its output; a login that is not allowed is told as its error', async () => {
  const { done, shells } = await start(1, 'run', 'name == "db-1"', '--login', 'root', '--json', 'uname');
  const [shell] = shells;
  shell?.print('Linux\n');
  shell?.exit(0);
  expect(JSON.parse((await done).out)).toEqual({
    host: 'db-1',
    login: 'root',
    session: shell?.sid,
    code: 0,
    signal: null,
    error: '',
    stdout: 'Linux\n',
    stderr: '',
  });
  const refused = await start(0, 'run', 'name == "db-1"', '--login', 'nobody', '--json', 'uname');
  const { status, out } = await refused.done;
  expect([status, JSON.parse(out).error]).toEqual([255, 'You may not log in to db-1 as nobody.']);
});

test('what the gateway refuses as a whole is said once', async () => {
  const told = async (...words: string[]) => {
    const { status, error } = await rig.spawn(['run', '--session-file', rig.file, '--login', 'root', ...words]);
    return `${status} ${error.trim()}`;
  };
  expect(await told('name ==', 'uname')).toMatch(/^255 postern: .*predicate/);
  expect(await told('name == "nowhere"', 'uname')).toBe(
    '255 postern: run: no server that you may see is selected by that query',
  );
  expect(await told('name == "db-1"', '--parallel', 'many', 'uname')).toMatch(/^2 postern: run: --parallel/);
  expect(await told('name == "db-1"')).toMatch(/^2 /);
});

test('ssh with a command is byte for byte what it printed, with its status', async () => {
  const { done, shells } = await start(1, 'ssh', 'root@web-1', 'cat', 'notes');
  expect(shells[0]?.command).toBe('cat notes');
  shells[0]?.print('a\tb\r\n\x1b[1mno end');
  shells[0]?.print('oops', 'stderr');
  shells[0]?.exit(7);
  expect(await done).toEqual({ status: 7, out: 'a\tb\r\n\x1b[1mno end', error: 'oops' });
});

test('ssh with a command as JSON is one line with its output and status', async () => {
  const { done, shells } = await start(1, 'ssh', 'root@web-1', '--output', 'json', '--', 'cat', 'notes');
  shells[0]?.print('out');
  shells[0]?.print('oops', 'stderr');
  shells[0]?.exit(7);
  const { status, out } = await done;
  expect([status, JSON.parse(out)]).toMatchObject([7, { host: 'web-1', code: 7, stdout: 'out', stderr: 'oops' }]);
});

test('stopping the command line stops the run', async () => {
  const before = rig.gateway.shells.length;
  const { spawn } = await import('node:child_process');
  const { file, args, env } = rig.program([
    'run',
    '--json',
    '--session-file',
    rig.file,
    '--login',
    'root',
    'name == "db-1"',
    'sleep',
  ]);
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const told = text(child.stdout);
  const exited = new Promise<number | null>(done => child.once('exit', done));
  await vi.waitFor(() => expect(rig.gateway.shells.length).toBe(before + 1), soon);
  child.kill('SIGINT');
  expect(await exited).toBe(255);
  expect(JSON.parse(await told)).toMatchObject({ host: 'db-1', code: null, error: 'The run was stopped.' });
  await vi.waitFor(() => expect(rig.gateway.services.sessions.list()).toEqual([]), soon);
});
