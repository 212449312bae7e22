// Commands of a signed-in person against a gateway on a port.
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { problems } from '../../../commands/problems.ts';
import { shellCommands } from '../../../commands/shell.ts';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { Refused, UsageError } from '../verb.ts';
import type { Signed } from './session-file.ts';
import { resumeSession } from './signed.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Of the key that the rig's servers show. */
const HOST_KEY_FINGERPRINT = 'SHA256:TGpm+jk+fcy4sca2tK90k2LL+C9xjhG+5UTbKEW4JuI';
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPja2pIn49HyQ0lct+dOVKduyMCpHWWWBgoX7bzBw+LQ';

let rig: CommandLineRig;
beforeAll(async () => {
  rig = await openCommandLine();
  await rig.gateway.addUser('ada', ['access', 'editor', 'auditor'], ['root', 'ada']);
  await rig.gateway.addUser('bob', ['access'], ['bob']);
  for (const name of ['db-1', 'db-2', 'twin', 'twin']) await rig.gateway.addServer(name, { env: 'prod' });
});
afterAll(() => rig.dispose());
beforeEach(() => rig.signIn('ada'));

const kept = async (): Promise<Signed> => JSON.parse(await readFile(rig.file, 'utf8'));
const change = async (more: Partial<Signed>): Promise<void> =>
  writeFile(rig.file, JSON.stringify({ ...(await kept()), ...more }));
const refusal = (words: readonly string[], says?: boolean | null) =>
  rig.run(words, says).then(
    printed => Promise.reject(new Error(`it was not refused: ${printed}`)),
    (error: unknown) => error as Error,
  );

describe('signing in', () => {
  const wrong = async (text: string, ...more: readonly string[]): Promise<string> => {
    const file = join(rig.folder, 'other');
    await writeFile(file, text);
    return (await refusal(['sign-in', '--url', rig.url, '--user', 'ada', '--password-file', file, ...more])).message;
  };

  test('keeps the session where only its owner reads it, and never the password', async () => {
    expect((await stat(rig.file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(rig.folder, 'config', 'postern'))).mode & 0o777).toBe(0o700);
    expect(await readFile(rig.file, 'utf8')).not.toContain('correct horse');
  });
  test('a wrong password is told, and leaves the session as it was', async () => {
    const before = await kept();
    expect(await wrong('not it\n')).toMatch(/^invalid credentials: the user name or the password is wrong/);
    expect(await kept()).toEqual(before);
  });
  test('an empty password is not sent', async () => expect(await wrong('\n')).toContain('holds no password'));
  test.each([
    [['--user', 'ada'], '--url URL is needed'],
    [
      ['--url', 'https://x', '--user', 'ada', '--password', 'x'],
      '--password: no such flag; did you mean --password-file?',
    ],
    [['--url', 'http://postern.example.com', '--user', 'ada'], 'in the clear'],
    [['--url', 'ftp://x', '--user', 'ada'], 'an address such as'],
    [['--url', 'https://ada:x@y', '--user', 'ada'], 'do not go into the address'],
    [['--url', 'https://x', '--user', 'ada', '--yes'], 'it has no --yes'],
  ])('%j is mistyped', async (words, what) => {
    const error = await refusal(['sign-in', ...words]);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(what);
  });
  test('a gateway that does not run is told', async () => {
    rig.network.cut();
    try {
      expect((await refusal(['servers', 'list'])).message).toContain(`${rig.url} cannot be reached`);
    } finally {
      rig.network.mend();
      // Connections that were cut are noticed when they are used.
      await vi.waitFor(() => rig.run(['clusters', 'list']));
    }
  });
  test('the password comes through a pipe, and the process ends with 0', async () => {
    const ran = await rig.spawn(['sign-in', '--url', rig.url, '--user', 'bob'], 'correct horse battery\n');
    expect(ran).toMatchObject({ status: 0, error: '' });
    expect((await kept()).user).toBe('bob');
  });
});

describe('the session', () => {
  test('is asked for when there is none', async () => {
    await rig.run(['sign-out']);
    expect((await refusal(['servers', 'list'])).message).toContain('you are not signed in: postern sign-in');
    expect(await rig.run(['servers', 'list', '--help'])).toContain('Sign in to see whether you may run it.');
  });
  test('is not used when others may read it', async () => {
    await chmod(rig.file, 0o640);
    expect((await refusal(['servers', 'list'])).message).toContain('may be read by others');
  });
  test('is renewed when its token has little left', async () => {
    const before = await kept();
    await change({ bearerEnds: Date.now() + 170_000 });
    await rig.run(['clusters', 'list']);
    expect((await kept()).bearer).not.toBe(before.bearer);
    await change({ bearerEnds: Date.now() + 190_000 });
    const later = await kept();
    await rig.run(['clusters', 'list']);
    expect(await kept()).toEqual(later);
  });
  test('goes on by its cookie when its token has ended', async () => {
    await change({ bearer: 'gone', bearerEnds: Date.now() - 1000 });
    expect(await rig.run(['users', 'list'])).toContain('ada');
    expect((await kept()).bearer).not.toBe('gone');
  });
  test('that another command renewed meanwhile goes on from there', async () => {
    const little = { bearerEnds: Date.now() + 60_000 };
    await change(little);
    const long = await resumeSession(rig.file);
    for (let times = 0; times < 3; times++) {
      await change(little);
      await rig.run(['clusters', 'list']);
    }
    expect(await long.bearer()).toBe((await kept()).bearer);
    await rig.run(['sign-out']);
  });
  test('that was replaced by another person meanwhile goes on, and leaves their file alone', async () => {
    await change({ bearerEnds: Date.now() + 5000 });
    const { bearer } = await kept();
    const long = resumeSession(rig.file);
    await rig.signIn('bob');
    const bobs = await kept();
    const renewed = await long.bearer();
    expect([bearer, bobs.bearer]).not.toContain(renewed);
    expect(await kept()).toEqual(bobs);
  });
  test('that has ended says how to sign in again', async () => {
    const ada = await rig.gateway.store.users.get('ada');
    await rig.gateway.services.identity.sessions.endOf(ada?.id ?? '');
    const error = await refusal(['servers', 'list']);
    expect(error).toBeInstanceOf(Refused);
    expect(error.message).toBe(
      `your session has ended: sign in again with postern sign-in --url ${rig.url} --user ada`,
    );
    await change({ bearerEnds: 0 });
    expect((await refusal(['servers', 'list'])).message).toContain('your session has ended');
  });
  test.each([
    ['in use', {}],
    ['with an ended token', { bearerEnds: 0 }],
  ])('%s ends at the gateway when the person signs out', async (_what, more) => {
    const { ofPage } = rig.gateway.services.identity.sessions;
    await change(more);
    const { cookie } = await kept();
    expect(await ofPage({ cookie, remoteAddr: '127.0.0.1:1' })).not.toBeNull();
    expect(await rig.run(['sign-out'])).toContain('Signed out');
    expect(await ofPage({ cookie, remoteAddr: '127.0.0.1:1' })).toBeNull();
    await expect(stat(rig.file)).rejects.toThrow('ENOENT');
  });
});

describe('what there is to do', () => {
  test('the rows of the command line fit together, and none takes a common flag for itself', () => {
    expect(problems(shellCommands)).toEqual([]);
    const names = shellCommands.flatMap(row => (row.args ?? []).map(arg => arg.name.toLowerCase()));
    expect(names.filter(name => ['help', 'output', 'to', 'yes', 'session-file'].includes(name))).toEqual([]);
  });
  test('is listed with what works here, and why some is not for this person', async () => {
    await rig.signIn('bob');
    const text = await rig.run(['verbs', 'list']);
    expect(text).toMatch(/^ssh \[LOGIN@\]SERVER +Open a shell$/m);
    expect(text).toMatch(/^users invite .*\(not for you: None of your roles allows "create" on users/m);
    const listed: { verb: string; refused?: string }[] = JSON.parse(
      await rig.run(['verbs', 'list', '--output', 'json']),
    );
    expect(listed.find(row => row.verb === 'users invite')?.refused).toContain('"create"');
  });
  test('the help of a command says whether this person may run it', async () => {
    expect(await rig.run(['ssh', '--help'])).toContain('\nSuch as: postern ssh root@db-3\nYou may run it.');
    expect(await rig.run(['users', 'remove', '--help'])).toContain(
      'It cannot be undone: it asks first, or give --yes.',
    );
    await rig.signIn('bob');
    expect(await rig.run(['users', 'remove', '--help'])).toContain('You cannot run it: None of your roles');
  });
});

describe('running one', () => {
  test('prints a table, or what the gateway answered', async () => {
    expect(await rig.run(['servers', 'list', 'db-1'])).toMatch(
      /^Hostname +Address +Logins +Id +Labels\ndb-1 +db-1:22 /,
    );
    const rows: { hostname: string }[] = JSON.parse(await rig.run(['servers', 'list', '--output=json']));
    expect(rows.map(row => row.hostname)).toEqual(['db-1', 'db-2', 'twin', 'twin']);
    expect(await rig.run(['roles', 'list', 'edit'])).toBe('Name\neditor');
    expect(await rig.run(['desktops', 'list'])).toBe('There are none.');
  });
  test.each([
    [['servrs', 'list'], 'did you mean servers list?'],
    [['servers', 'list', '--colour', 'x'], '--colour: no such flag'],
    [['servers', 'list', 'a', '--search', 'b'], '--search is given twice'],
    [['users', 'remove', 'a', 'b'], '"b" is one word too many'],
    [['users', 'remove', '--yes'], 'USER is needed; one of\n  ada'],
    [['users', 'remove', 'zoe', '--yes'], '"zoe": nothing there has that name'],
    [['users', 'remove', 'bob'], 'cannot be undone, and there is nobody to ask here: give --yes'],
    [['servers', 'remove', 'db-', '--yes'], 'may be any of these; give more of it\n  db-1'],
    [['servers', 'remove', 'twin', '--yes'], 'may be any of these'],
    [['users', 'invite', 'a b', 'access'], '"a b": A user name has no spaces'],
    [['servers', 'add', 'db-9:22'], `HOST-KEY is needed; one of\n  ${HOST_KEY_FINGERPRINT}`],
    [['servers', 'list', '--output', 'xml'], '"xml": json or table expected'],
  ])('%j is mistyped', async (words, what) => {
    const error = await refusal([...words]);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain(what);
  });
  test('what no role allows is refused with the rule', async () => {
    await rig.signIn('bob');
    const { message } = await refusal(['users', 'invite', 'zoe', 'access']);
    expect(message).toContain('None of your roles allows "create" on users');
    // The line that it ends with is one to run.
    const [, asked = ''] = /postern (can bob create user --why)$/.exec(message) ?? [];
    expect((await refusal(asked.split(' '))).message).toContain('No role allows "create" on user');
  });
  test('a server is added once its host key is named, and removed by the beginning of its name', async () => {
    expect(
      await rig.run([
        'servers',
        'add',
        'web-7:22',
        '--fingerprint',
        HOST_KEY_FINGERPRINT,
        '--label',
        'env=test',
        '--label',
        'team=x',
      ]),
    ).toBe('web-7 has been added');
    expect(await rig.run(['servers', 'list', 'web-7'])).toContain('env=test team=x');
    expect((await refusal(['servers', 'remove', 'web'], false)).message).toBe('nothing was done');
    expect(await rig.run(['servers', 'remove', '--server', 'web'], true)).toBe('web-7 has been removed');
    expect(await rig.run(['servers', 'list', 'web-7'])).toBe('There are none.');
  });
  test('the new host key of a server is trusted once a person has seen both', async () => {
    rig.gateway.showKey(OTHER_KEY);
    const { message } = await refusal(['servers', 'trust', 'db-1']);
    expect(message).toMatch(/Trusted until now:\n.*SHA256:.*\n\nShown by db-1:22 now:\n.*SHA256:/);
    expect(message).toContain('There is nobody to ask here: give --yes');
    expect((await refusal(['servers', 'trust', 'db-1'], false)).message).toBe('nothing was done');
    expect(await rig.run(['servers', 'trust', 'db-1'], true)).toBe('The new host key of db-1 is trusted');
    expect(await rig.run(['servers', 'trust', 'db-1'], true)).toBe('db-1 shows the host key that is trusted already');
  });
  test('one of two of a name is meant by its id', async () => {
    const rows: { id: string }[] = JSON.parse(await rig.run(['servers', 'list', 'twin', '--output', 'json']));
    expect(rows).toHaveLength(2);
    await rig.run(['servers', 'remove', rows[0]?.id ?? '', '--yes']);
    const left: { id: string }[] = JSON.parse(await rig.run(['servers', 'list', 'twin', '--output', 'json']));
    expect(left.map(row => row.id)).toEqual([rows[1]?.id]);
  });
  test('an invite prints its link, or tells it with what the gateway answered', async () => {
    expect(await rig.run(['users', 'invite', 'cy', 'access,auditor'])).toMatch(
      new RegExp(`^cy has been invited:\n${rig.url}/web/invite/\\w+\nPass this link on to cy`),
    );
    const { said, results } = JSON.parse(await rig.run(['users', 'invite', 'di', 'access', '--output', 'json']));
    expect(results).toMatchObject([{ name: 'di', roles: ['access'] }, { user: 'di' }]);
    expect(said[0]).toContain(results[1].tokenId);
  });
  test('exit codes: 0 done, 1 refused, 2 mistyped, and what was wrong on standard error', async () => {
    expect(await rig.spawn(['users', 'list', 'ada'])).toMatchObject({ status: 0, error: '' });
    expect(await rig.spawn(['ssh', 'root@db-1'])).toEqual({
      status: 1,
      out: '',
      error: 'postern: a shell needs a terminal to be shown in: its input and output may not be a file or a pipe\n',
    });
    expect(await rig.spawn(['users', 'lst'])).toMatchObject({ status: 2, out: '' });
  });
  test('"can" ends with 0 for a yes, 1 for a no, 3 when nobody could say, and why is a line each', async () => {
    const status = async (...words: string[]) => {
      try {
        await rig.run(['can', ...words]);
        return 0;
      } catch (error) {
        return error instanceof UsageError ? 2 : (error as Refused).status;
      }
    };
    expect(await status('bob', 'ssh', 'bob@db-1')).toBe(0);
    expect(await status('bob', 'ssh', 'root@db-1')).toBe(1);
    expect(await status('bob', 'ssh', 'root')).toBe(2);
    expect(await status('nobody', 'ssh', 'root@db-1')).toBe(3);
    expect(await rig.spawn(['can', 'bob', 'ssh', 'root@db-1', '--why'])).toMatchObject({
      status: 1,
      out: '',
      error: expect.stringMatching(/^postern: bob may not use root on db-1 \(ssh\)\.\npostern: {3}\S.*\n$/),
    });
    await rig.run(['sign-out']);
    const words = ['can', 'bob', 'ssh', 'bob@db-1', '--session-file', rig.file];
    expect(await rig.spawn(words)).toMatchObject({
      status: 3,
      error: expect.stringContaining('can: you are not signed in'),
    });
  });
  test('locks are made, listed with their end, and taken away by what they name or their id', async () => {
    expect(await rig.run(['lock', 'bob,login:deploy', '2h', 'left laptop in a taxi'])).toMatch(
      /^Locked user bob until .* UTC\nLocked login deploy until .* UTC$/,
    );
    expect(await rig.run(['locks', 'list', 'taxi'])).toMatch(
      /^Id +Locked +Until +By +Message\n[0-9a-f-]{36} +(user bob|login deploy) +20.* UTC +ada +left laptop/,
    );
    expect(await rig.run(['unlock', 'bob'])).toBe('The lock on user bob has been taken away');
    const [only] = JSON.parse(await rig.run(['locks', 'list', '--output', 'json'])) as { name: string }[];
    expect(await rig.run(['unlock', only?.name ?? ''])).toBe('The lock on login deploy has been taken away');
    expect(await rig.run(['locks', 'list'])).toBe('There are none.');
  });
});
