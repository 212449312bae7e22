// Real shells on this machine, through the real connector.
import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import type { ConnectError } from '../../../ports/reach.ts';
import type { Target } from '../../../ports/servers.ts';
import type { Shell, ShellExit } from '../../../ports/shell.ts';
import { createCommandMarks } from '../../command-marks.ts';
import { watchShell } from '../../shell-watch.testing.ts';
import { accountsFor } from './account.ts';
import { createLocalConnector } from './connector.ts';

const connector = createLocalConnector();
const own = userInfo();
const isRoot = own.uid === 0;
/** An account of Debian's postgresql package: a login shell, and a group beside its own. */
const other = isRoot ? await accountsFor(0)('postgres').catch(() => undefined) : undefined;
const target: Target = { id: 'here', hostname: 'this-machine', subKind: 'local', addr: '', hostKeys: [], labels: {} };
const request = { user: 'alice', sid: 's1', login: own.username, size: { cols: 97, rows: 31 }, ttlMs: 60_000 };
const open = (login = own.username): Promise<Shell> => connector.open(target, { ...request, login });

const shells: Shell[] = [];
afterEach(() => {
  for (const shell of shells.splice(0)) shell.close();
});

/** A shell that is closed after its test. */
function watch(shell: Shell) {
  shells.push(shell);
  return watchShell(shell);
}

/** Types one line without its echo and answers what came between the two marks. */
async function answer(login: string, line: string): Promise<string> {
  const shell = watch(await open(login));
  shell.type(`stty -echo; PS1=; echo BEG''IN; ${line}; echo EN''D; exit\r`);
  await shell.ended();
  return /BEGIN\r\n([\s\S]*?)END\r\n/.exec(shell.text())?.[1]?.replaceAll('\r\n', '\n') ?? shell.text();
}

test('a login shell of the gateway user, in the home folder, of the size asked for', async () => {
  const said = await answer(
    own.username,
    'id -un; pwd; stty size; shopt -q login_shell && echo login; umask; stty -a | grep -o "[-]*iutf8"',
  );
  expect(said).toBe(`${own.username}\n${own.homedir}\n31 97\nlogin\n0022\niutf8\n`);
});

test.runIf(other)('as root, another user gets their own uid, gid, further groups, home and terminal', async () => {
  const said = await answer(
    'postgres',
    'id -u; id -g; id -Gn; pwd; echo $HOME $USER $LOGNAME; stat -c "%U %G %a" $(tty)',
  );
  const groups = (await answer('root', 'id -Gn postgres')).trim();
  expect(groups.split(' ').length).toBeGreaterThan(1);
  expect(said).toBe(
    `${other?.uid}\n${other?.gid}\n${groups}\n${other?.home}\n${other?.home} postgres postgres\npostgres tty 620\n`,
  );
});

test('nothing of the gateway leaks into the shell: no variable, no open file, no other terminal', async () => {
  process.env.POSTERN_TEST_SECRET = 'hunter2';
  const first = watch(await open());
  first.type('echo RE""ADY\r');
  await first.sees(/READY\r\n/);
  const login = other ? 'postgres' : own.username;
  const said = await answer(
    login,
    'tr "\\0" "\\n" </proc/$$/environ; for f in /proc/$$/fd/*; do readlink $f; done | sort -u; tty',
  );
  delete process.env.POSTERN_TEST_SECRET;
  expect(said).not.toContain('hunter2');
  expect(said).not.toContain('ptmx');
  const [names, files] = [said.match(/^[A-Z_]+(?==)/gm), said.match(/^\/.*$/gm)];
  expect(names?.sort()).toEqual(['HOME', 'LANG', 'LOGNAME', 'PATH', 'PROMPT_COMMAND', 'SHELL', 'TERM', 'USER']);
  // Standard input, output and error are this terminal, and so is its name.
  expect(new Set(files).size).toBe(1);
});

test('bash marks its prompts and commands, and passes that on to nobody', async () => {
  const shell = watch(await open());
  const marks = createCommandMarks(request.size.cols);
  for (const [index, line] of ['false', 'env | grep -c PROMPT_COMMAND', 'exit'].entries()) {
    await shell.sees(new RegExp(`(?:133;B[^]*){${index + 1}}`));
    shell.type(`${line}\r`);
  }
  await shell.ended();
  marks.push(Buffer.from(shell.text()), 0);
  expect(shell.text()).not.toContain('PS1');
  expect(marks.marks().map(({ text, source, status }) => [text, source, status])).toEqual([
    ['false', 'shell', 1],
    // None was found.
    ['env | grep -c PROMPT_COMMAND', 'shell', 1],
    ['exit', 'shell', null],
  ]);
});

test('a program that writes into a closed pipe dies of it, as in any shell', async () => {
  expect(await answer(own.username, 'yes | head -1; echo $PIPESTATUS')).toBe('y\n141\n');
});

test('an account that does not exist, or is named by its number, has no shell', async () => {
  for (const login of ['no-such-login', isRoot ? '0' : '65534', '', '-s', 'root:x', 'ro\not', 'x'.repeat(300)]) {
    const error: ConnectError = await open(login).then(
      () => expect.fail(`${login} got a shell`),
      each => each,
    );
    expect(error.reason).toBe(isRoot ? 'no_such_login' : 'not_permitted');
    expect(error.message).not.toContain('x'.repeat(100));
  }
});

const nobody = isRoot ? await accountsFor(0)('nobody').catch(() => undefined) : undefined;
test.runIf(nobody?.shell.endsWith('/nologin'))(
  'an account without home and login shell is told so by its own login shell',
  async () => {
    const shell = watch(await open('nobody'));
    expect(await shell.ended()).toEqual({ code: 1, signal: null, error: null });
    expect(shell.text()).toContain(`Could not enter the home folder ${nobody?.home}, starting in /`);
    expect(shell.text()).toContain('not available');
  },
);

test('a gateway that is not root opens shells for its own user only, and says so', async () => {
  const find = accountsFor(1000);
  expect(await find(own.username)).toMatchObject({ uid: own.uid, home: own.homedir });
  await expect(find('somebody')).rejects.toMatchObject({
    reason: 'not_permitted',
    message: expect.stringContaining(`runs as ${own.username}`),
  });
});

test('exit status and signal are told apart', async () => {
  const left = watch(await open());
  left.type('exit 42\r');
  expect(await left.ended()).toEqual({ code: 42, signal: null, error: null });
  const killed = watch(await open());
  killed.type('kill -9 $$\r');
  expect(await killed.ended()).toEqual({ code: null, signal: 'SIGKILL', error: null });
});

test('output that is held back at the exit is delivered later, all of it, and the exit after it', async () => {
  const shell = await open();
  shells.push(shell);
  let bytes = 0;
  const order: string[] = [];
  const over = new Promise<ShellExit>(done =>
    shell.onExit(exit => {
      order.push('exit');
      done(exit);
    }),
  );
  shell.onOutput(chunk => {
    bytes += chunk.length;
    if (order.at(-1) !== 'output') order.push('output');
  });
  // Ends while paused: the kernel holds what fits, and nobody may throw it away.
  shell.write(Buffer.from('stty raw -echo; PS1=; echo RE""ADY; head -c 2000 /dev/zero; kill -9 $$\r'));
  shell.pause();
  await new Promise<void>(done => shell.onGone(done));
  expect(order).toEqual([]);
  shell.resume();
  expect(await over).toEqual({ code: null, signal: 'SIGKILL', error: null });
  expect(order).toEqual(['output', 'exit']);
  expect(bytes).toBeGreaterThan(2000);
});

test('a program that does not read its input does not hold up the gateway', async () => {
  const shell = watch(await open());
  shell.type('stty raw -echo; echo RE""ADY; sleep 1000\r');
  await shell.sees(/READY\r?\n/);
  // Far more than a terminal takes; a blocking write would never return.
  shell.shell.write(Buffer.alloc(1_000_000, 'x'));
  const free = watch(await open());
  free.type('exit 3\r');
  expect(await free.ended()).toMatchObject({ code: 3 });
  shell.shell.write(Buffer.alloc(16_000_000, 'x'));
  expect((await shell.ended())?.error).toContain('does not read its input');
});

test('a megabyte that is typed arrives whole and in order', async () => {
  const shell = watch(await open());
  shell.type('stty raw -echo; echo RE""ADY; head -c 1000000 | sha256sum; exit\r');
  await shell.sees(/READY\r?\n/);
  const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => 97 + (at % 26)));
  shell.shell.write(bytes);
  await shell.ended();
  expect(shell.text()).toContain(createHash('sha256').update(bytes).digest('hex'));
});

test('a new size reaches the program', async () => {
  const shell = watch(await open());
  shell.type('echo RE""ADY\r');
  await shell.sees(/READY\r\n/);
  shell.shell.resize({ cols: 140, rows: 44 });
  shell.type('stty size\r');
  await shell.sees(/44 140/);
});

test('hanging up ends the shell and what runs in it, once; afterwards everything is ignored', async () => {
  const shell = watch(await open());
  shell.type('trap "" HUP; echo RE""ADY $$; exec tail -f /dev/null\r');
  await shell.sees(/READY (\d+)\r\n/);
  shell.shell.pause();
  shell.shell.close();
  shell.shell.close();
  expect(await shell.ended()).toMatchObject({ error: null });
  shell.type('x');
  shell.shell.resize({ cols: 10, rows: 10 });
  shell.shell.pause();
  shell.shell.resume();
  await expect(shell.shell.roundTrip()).rejects.toThrow('ended');
});

test('a shell survives being written to at the moment it ends', async () => {
  const shell = watch(await open());
  shell.type('exit\r');
  const ended = shell.ended();
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over) {
    shell.type('echo more\r');
    await new Promise(setImmediate);
  }
  expect(await ended).toMatchObject({ error: null });
});

const run = async (command: string) => watch(await connector.open(target, { ...request, command }));

test('a command has no terminal and nothing to read, keeps its errors apart and ends with its status', async () => {
  const shell = await run('tty; cat; id -un; pwd; echo oops >&2; exit 7');
  expect(await shell.ended()).toEqual({ code: 7, signal: null, error: null });
  expect(shell.text('stdout')).toBe(`not a tty\n${own.username}\n${own.homedir}\n`);
  expect(shell.text('stderr')).toBe('oops\n');
  expect(await (await run('kill -TERM $$')).ended()).toEqual({ code: null, signal: 'SIGTERM', error: null });
});

test('a command prints megabytes whole through pauses, and hanging up ends all that it started', async () => {
  const flood = await run('head -c 3000000 /dev/zero | tr "\\0" x');
  flood.shell.pause();
  flood.shell.resume();
  await flood.ended();
  expect(flood.bytes().length).toBe(3_000_000);
  const sleeping = await run('sleep 1000 & echo $!; trap "" TERM; wait');
  await sleeping.sees(/^\d+\n/);
  const child = Number(sleeping.text());
  sleeping.shell.close();
  await sleeping.ended();
  // It was killed with the shell; whoever inherits it clears it away a moment later.
  await expect.poll(() => isThere(child), { timeout: 10_000 }).toBe(false);
});
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
