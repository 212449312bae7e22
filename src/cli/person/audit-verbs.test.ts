// Audit log and recordings from the command line, against a real gateway.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { createScreenOnly } from './play.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 30_000, interval: 10 };

let rig: CommandLineRig;
beforeAll(async () => {
  rig = await openCommandLine();
  await rig.gateway.addUser('ada', ['access', 'auditor'], ['root']);
  await rig.gateway.addServer('db-1');
  await rig.signIn('ada');
});
afterAll(() => rig.dispose());

test('the log is searched as a table and as JSON, and exported whole as lines and as a table for others', async () => {
  expect(await rig.run(['audit', 'search', '--type', 'user.login'])).toMatch(/T1000I .*ada/);
  const found = JSON.parse(
    await rig.run(['audit', 'search', 'ada', '--user', 'ada', '--since', '1h', '--output', 'json']),
  );
  expect(found.at(-1)).toMatchObject({ event: 'user.login', user: 'ada' });
  for (const [format, first] of [
    ['ndjson', /^\{.*"event":"(user\.login|cert\.create)"/],
    ['csv', /^.*time/i],
  ] as const) {
    const file = join(rig.folder, `audit.${format}`);
    await rig.run(['audit', 'export', '--format', format, '--to', file]);
    expect((await readFile(file, 'utf8')).split('\n')[0]).toMatch(first);
  }
  await expect(rig.run(['audit', 'search', '--since', 'yesterday'])).rejects.toThrow('--since: "yesterday"');
  await expect(rig.run(['audit', 'search', '--limit', '0'])).rejects.toThrow('--limit');
  const asked = async (...query: string[]): Promise<{ event: string }[]> =>
    JSON.parse(await rig.run(['audit', 'search', '--output', 'json', ...query]));
  expect(await asked('user:ada', 'type:user.*', 'since:yesterday')).toEqual(
    found.filter(({ event }: { event: string }) => event === 'user.login'),
  );
  expect(await asked('user:ada -type:user.login -type:cert.create since:1h until:now')).toEqual([]);
  await expect(rig.run(['audit', 'search', 'usr:ada'])).rejects.toThrow('did you mean user:?');
  await expect(rig.run(['audit', 'tail', 'until:now'])).rejects.toThrow('no end');
});

test('tail prints what was there and then what comes, each once, until it is stopped', async () => {
  const { file, args, env } = rig.program([
    'audit',
    'tail',
    '--json',
    '--type',
    'user.login',
    '--session-file',
    rig.file,
  ]);
  const child = spawn(file, args, { env, stdio: 'pipe' });
  let out = '';
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString();
  });
  const exited = new Promise<number | null>(done => child.once('exit', done));
  const users = () =>
    out
      .split('\n')
      .filter(line => line !== '')
      .map(line => (JSON.parse(line) as { user: string }).user);
  await vi.waitFor(() => expect(users()).toEqual(['ada']), soon);
  await rig.gateway.addUser('bob', ['access']);
  await rig.gateway.signIn('bob');
  await vi.waitFor(() => expect(users()).toEqual(['ada', 'bob']), soon);
  await rig.gateway.signIn('bob');
  await vi.waitFor(() => expect(users()).toEqual(['ada', 'bob', 'bob']), soon);
  child.kill('SIGINT');
  expect(await exited).toBe(0);
});

test('a recording is played without what reaches beyond the screen, and told as text and as JSON', async () => {
  const before = rig.gateway.shells.length;
  const ran = rig.spawn(['ssh', '--session-file', rig.file, 'root@db-1', 'greet']);
  await vi.waitFor(() => expect(rig.gateway.shells[before]).toBeDefined(), soon);
  const shell = rig.gateway.shells[before];
  shell?.print('\x1b]0;title\x07\x1b[1mhello\x1b[0m\n');
  shell?.exit(0);
  await ran;
  const play = async (...flags: string[]) =>
    (await rig.spawn(['play', '--session-file', rig.file, ...flags, shell?.sid ?? ''])).out;
  expect(await play('--speed', '32')).toBe('\x1b[1mhello\x1b[0m\r\n');
  expect(await play('--text')).toBe('\ufffd]0;title\ufffd\ufffd[1mhello\ufffd[0m\n');
  const events = JSON.parse(await play('--json')) as { event: string }[];
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['session.start', 'print', 'session.end']));
});

test('strings that are cut into pieces are taken out whole, and drawing stays', () => {
  const text = 'a\x1b]52;c;AAAA\x1b\\b\x1bPq\x07c\x1b[31md\x1b\x1b[0me';
  for (const size of [1, 2, 3, 100]) {
    const onlyScreen = createScreenOnly();
    let shown = '';
    for (let at = 0; at < text.length; at += size)
      shown += Buffer.from(onlyScreen(Buffer.from(text.slice(at, at + size)))).toString();
    expect(shown).toBe('abc\x1b[31md\x1b\x1b[0me');
  }
});
