// A shell of the command line in a real terminal: a pty with `sh` around the command, which then says how the terminal was left.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { asBefore, type CommandTerminal, soon, startInTerminal } from '../../../e2e/rigs/command-terminal.ts';
import { PASSWORD, type ScriptedShell } from '../../gateway/app.testing.ts';
import { roleResource } from '../../gateway/services/rights/source.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let rig: CommandLineRig;
beforeAll(async () => {
  rig = await openCommandLine();
  await rig.gateway.addUser('ada', ['access', 'editor', 'auditor'], ['root']);
  await rig.gateway.store.resources.create(
    roleResource(`kind: role
version: v5
metadata: {name: watcher}
spec:
  allow:
    node_labels: {'*': '*'}
    join_sessions: [{name: all, kinds: [ssh], roles: ['*'], modes: [observer]}]
`),
  );
  await rig.gateway.addUser('eve', ['watcher']);
  await rig.gateway.addServer('db-1');
  await rig.signIn('ada');
});
afterAll(() => rig.dispose());

const start = (...words: readonly string[]): CommandTerminal => startInTerminal(rig, words);

/** Starts a command that opens a shell, and waits for the shell at the other end. */
async function open(...words: readonly string[]): Promise<CommandTerminal & { readonly shell: ScriptedShell }> {
  const before = rig.gateway.shells.length;
  const terminal = start(...words);
  const shell = await vi.waitFor(() => {
    const found = rig.gateway.shells[before];
    if (found === undefined) throw new Error(`no shell was opened:\n${terminal.printed()}`);
    return found;
  }, soon);
  return { ...terminal, shell };
}

test('what is typed reaches the shell and what it prints is shown; its size follows, and its status is passed on', async () => {
  const terminal = await open('ssh', 'root@db-1');
  terminal.shell.print('hello from db-1\r\n$ ');
  await terminal.until('hello from db-1');
  terminal.type('ls\r\x03');
  await vi.waitFor(() => expect(terminal.shell.typed()).toBe('ls\r\x03'), soon);
  terminal.resize(77, 22);
  await vi.waitFor(() => expect(terminal.shell.sizes).toContain('77:22'), soon);
  terminal.shell.exit(7);
  expect(await terminal.left).toEqual({ status: 7, modes: asBefore });
});

test('the only login goes without saying, and ~. leaves a shell that does not listen', async () => {
  const terminal = await open('ssh', 'db');
  terminal.shell.print('\x1b[?1049hfull screen');
  await terminal.until('full screen');
  terminal.type('\r');
  await vi.waitFor(() => expect(terminal.shell.typed()).toBe('\r'), soon);
  terminal.type('~.');
  expect(await terminal.left).toEqual({ status: 0, modes: asBefore });
  expect(terminal.printed()).toMatch(/\x1b\[\?1049l[\s\S]*Left\./);
  expect(terminal.shell.typed()).toBe('\r');
  await vi.waitFor(() => expect(rig.gateway.services.sessions.list()).toEqual([]), soon);
});

test('a lost connection comes back by itself, with what was printed and typed meanwhile', async () => {
  const terminal = await open('ssh', 'root@db-1');
  terminal.shell.print('before ');
  await terminal.until('before');
  rig.network.cut();
  await terminal.until('trying again');
  terminal.shell.print('meanwhile ');
  terminal.type('typed');
  rig.network.mend();
  await terminal.until('connected again');
  await terminal.until('meanwhile');
  await vi.waitFor(() => expect(terminal.shell.typed()).toBe('typed'), soon);
  expect(terminal.printed().match(/before|meanwhile/g)).toEqual(['before', 'meanwhile']);
  terminal.shell.exit(0);
  expect(await terminal.left).toEqual({ status: 0, modes: asBefore });
});

test('a command line that is killed leaves the terminal as it was', async () => {
  const terminal = await open('ssh', 'root@db-1');
  terminal.shell.print('ready');
  await terminal.until('ready');
  terminal.kill('SIGTERM');
  expect(await terminal.left).toEqual({ status: 143, modes: asBefore });
  terminal.shell.exit(0);
});

test('a session that is ended by another is told, with status 1', async () => {
  const terminal = await open('ssh', 'root@db-1');
  terminal.shell.print('ready');
  await terminal.until('ready');
  await rig.run(['session', 'end', terminal.shell.sid, '--yes']);
  expect((await terminal.left).status).toBe(1);
  expect(terminal.printed()).toMatch(/postern: .*ended/);
});

test('a running session is joined, and both are told the status it ends with', async () => {
  const owner = await open('ssh', 'root@db-1');
  owner.shell.print('mine ');
  await owner.until('mine');
  expect(await rig.run(['sessions', 'list', 'root@db-1'])).toContain(owner.shell.sid);
  const guest = start('session', 'join', owner.shell.sid, 'peer');
  await guest.until('mine');
  guest.type('from the guest');
  await vi.waitFor(() => expect(owner.shell.typed()).toBe('from the guest'), soon);
  owner.shell.exit(5);
  expect([(await owner.left).status, (await guest.left).status]).toEqual([5, 5]);
});

test('whoever watches leaves with Ctrl-C, and nothing has failed', async () => {
  const owner = await open('ssh', 'root@db-1');
  owner.shell.print('watch me');
  await owner.until('watch me');
  await rig.signIn('eve');
  try {
    const watcher = start('session', 'join', owner.shell.sid);
    await watcher.until('watch me');
    watcher.type('ls\x03');
    expect(await watcher.left).toEqual({ status: 0, modes: asBefore });
    expect(owner.shell.typed()).toBe('');
  } finally {
    await rig.signIn('ada');
  }
  owner.shell.exit(0);
  expect((await owner.left).status).toBe(0);
});

test('what a shell printed is listed as a recording and exported to a file, never over another', async () => {
  const terminal = await open('ssh', 'root@db-1');
  terminal.shell.print('kept for later\r\n');
  await terminal.until('kept for later');
  terminal.shell.exit(0);
  await terminal.left;
  const { sid } = terminal.shell;
  await vi.waitFor(async () => expect(await rig.run(['recordings', 'list', 'db-1'])).toContain(sid), soon);
  const file = join(rig.folder, 'it.cast');
  expect(await rig.run(['recording', 'export', sid, '--to', file])).toBe(`Written to ${file}`);
  const text = await readFile(file, 'utf8');
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ version: 3, term: { cols: 91, rows: 33 } });
  expect(text).toContain('kept for later');
  await expect(rig.run(['recording', 'export', sid, '--to', file])).rejects.toThrow('exists already');
  expect(await rig.spawn(['recording', 'export', sid])).toEqual({ status: 0, out: text, error: '' });
});

test('a password is typed unseen, and can be called off', async () => {
  const signIn = ['sign-in', '--url', rig.url, '--user', 'ada'];
  const terminal = start(...signIn);
  await terminal.until('Password of ada: ');
  terminal.type(`x\x15wrong\x7f\x7f\x7f\x7f\x7f${PASSWORD}\r`);
  expect(await terminal.left).toEqual({ status: 0, modes: asBefore });
  expect(terminal.printed()).not.toMatch(/wrong|correct/);
  const second = start(...signIn);
  await second.until('Password of ada: ');
  second.type('cor\x03');
  expect(await second.left).toEqual({ status: 1, modes: asBefore });
});

test('what is missing is asked for with its choices, and what cannot be undone is asked about', async () => {
  await rig.gateway.addUser('bob', ['access']);
  const terminal = start('users', 'remove');
  await terminal.until('  2) bob  access');
  await terminal.until('User: ');
  terminal.type('2\r');
  await terminal.until('Delete bob? This user is signed out everywhere and cannot sign in again. [y/N] ');
  terminal.type('y\r');
  await terminal.until('bob has been deleted');
  expect((await terminal.left).status).toBe(0);
  expect(await rig.run(['users', 'list', 'bob'])).toBe('There are none.');
});
