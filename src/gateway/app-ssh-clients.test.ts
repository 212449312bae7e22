// People's own SSH clients against a gateway in memory and a real sshd: OpenSSH's ssh, sftp, scp, rsync and git.
import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { freeDisplay } from '../../e2e/rigs/desktops.ts';
import { login, openClientsRig, type Ran } from './app-ssh-clients.testing.ts';
import { issueUserCertificate } from './services/protocols/ssh/certificate.ts';
import { roleResource } from './services/rights/source.ts';

const clients = await openClientsRig();
afterAll(clients.dispose);
const { rig, alice, port, ca, place, certify, optionsOf, ways, hostOf, start, run, ssh, eventsWith } = clients;
/** The same with a path, as clients take it that find a path behind a colon. */
const urlOf = (scheme: string, path: string): string =>
  `${scheme}://${encodeURIComponent(`alice:${login}@db-3`)}@127.0.0.1:${port}/${path}`;
const sshLine = (): string => ['ssh', ...ways()].join(' ');
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
/** Sessions are told to the log when they are over. */
const waitFor = (code: string, fields: Record<string, unknown>) =>
  expect
    .poll(() => eventsWith(code), { timeout: 15_000 })
    .toContainEqual(expect.objectContaining({ user: 'alice', login, server_hostname: 'db-3', ...fields }));

test('a command runs, reads what it is given, and its output, errors and status are kept apart', async () => {
  const ran = await ssh([hostOf(), 'cat; echo "$LC_MARK" >&2; exit 7'], {
    input: 'what was typed',
    env: { LC_MARK: 'language' },
  });
  expect(ran).toEqual({ out: 'what was typed', error: 'language\n', status: 7 });
});

test('a program that a signal ends is told so, and a client that goes ends what it ran', async () => {
  const ended = await ssh([hostOf(), 'kill -TERM $$']);
  expect(ended).toMatchObject({ status: 255 });
  const child = start('ssh', [...ways(), hostOf(), 'echo $$; exec sleep 1000']);
  const [pid] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  child.kill('SIGTERM');
  const isThere = () => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, { timeout: 15_000 }).toBe(false);
});

test('a terminal has the size and kind of the client, and is recorded, noted and joined as one of the console', async () => {
  const words = ['-tt', hostOf(), 'stty size; echo "$TERM"; exit 3'];
  const ran = await run(
    'script',
    ['-qec', `stty rows 33 cols 91; ${sshLine()} ${words.map(word => `'${word}'`).join(' ')}`, '/dev/null'],
    { env: { TERM: 'vt220', SHELL: '/bin/sh' } },
  );
  expect(ran.out).toContain('33 91\r\nvt220\r\n');
  expect(ran.status).toBe(3);
  await waitFor('T2000I', {
    initial_command: ['stty size; echo "$TERM"; exit 3'],
    session_recording: 'node',
    size: '91:33',
  });
  await waitFor('T3002E', { exitCode: '3' });
  await waitFor('T2004I', { interactive: true });
  const child = start('ssh', ['-F', '/dev/null', '-p', String(port), ...optionsOf('alice'), '-tt', hostOf()]);
  child.stdin?.write('echo seen-by-others\n');
  const sessionsNow = async () =>
    ((await alice.call('GET', '/v1/webapi/sites/here/sessions')).json as { sessions: { id: string; login: string }[] })
      .sessions;
  await expect.poll(async () => (await sessionsNow()).length, { timeout: 15_000 }).toBe(1);
  const [{ id = '' } = {}] = await sessionsNow();
  let shown = '';
  const who = await rig.services.sessions.get(id);
  expect(who?.session.login).toBe(login);
  child.stdout?.on('data', bytes => {
    shown += bytes;
  });
  await expect.poll(() => shown, { timeout: 15_000 }).toContain('seen-by-others');
  rig.services.sessions.end(id, 'An administrator ended it.');
  const [status] = await once(child, 'close');
  expect([status, shown]).toEqual([255, expect.stringContaining('An administrator ended it.')]);
});

test('megabytes go each way whole, through a pipe, sftp, both kinds of scp, rsync and git', async () => {
  const big = Buffer.alloc(process.env.POSTERN_TEST_FULL ? 100_000_000 : 10_000_000);
  for (let at = 0; at < big.length; at += 4) big.writeUInt32LE((at * 2_654_435_761) % 4_294_967_296, at);
  writeFileSync(place('big'), big);
  mkdirSync(place('there'));
  const wanted = hash(big);
  const sum = (name: string): string => hash(readFileSync(place(name)));
  const { out } = await ssh([hostOf(), 'sha256sum'], { input: big });
  expect(out.slice(0, 64)).toBe(wanted);
  const back = await run('sh', ['-c', `${sshLine()} ${hostOf()} 'cat ${place('big')}' > ${place('piped')}`]);
  expect([back.error, sum('piped')]).toEqual(['', wanted]);
  const copying = ['-F', '/dev/null', '-P', String(port), ...optionsOf('alice')];
  const batch = `put ${place('big')} ${place('there', 'sftp')}\nget ${place('there', 'sftp')} ${place('sftp-back')}\nmkdir ${place('there', 'folder')}\nrename ${place('there', 'sftp')} ${place('there', 'moved')}\nchmod 600 ${place('there', 'moved')}\nls ${place('there')}\nrm ${place('there', 'moved')}\n`;
  expect(await run('sftp', [...copying, '-b', '-', urlOf('sftp', '')], { input: batch })).toMatchObject({
    status: 0,
    error: '',
  });
  expect(sum('sftp-back')).toBe(wanted);
  for (const [name, kind] of [
    ['modern', []],
    ['legacy', ['-O']],
  ] as const) {
    expect(await run('scp', [...kind, ...copying, place('big'), urlOf('scp', place('there', name))])).toMatchObject({
      status: 0,
    });
    expect(
      await run('scp', [...kind, ...copying, urlOf('scp', place('there', name)), place(`${name}-back`)]),
    ).toMatchObject({ status: 0 });
    expect([sum(`there/${name}`), sum(`${name}-back`)]).toEqual([wanted, wanted]);
  }
  for (const [from, to] of [
    [place('big'), `${login}@db-3@127.0.0.1:${place('there', 'rsync')}`],
    [`${login}@db-3@127.0.0.1:${place('there', 'rsync')}`, place('rsync-back')],
  ] as const)
    expect(await run('rsync', ['-e', sshLine(), from, to])).toEqual({ out: '', error: '', status: 0 });
  expect(sum('rsync-back')).toBe(wanted);
  await waitFor('T3005I', { path: place('there', 'sftp'), attributes: { file_size: big.length } });
  await waitFor('T3004I', { path: place('there', 'sftp'), attributes: { file_size: big.length } });
  for (const code of ['TS001I', 'TS007I', 'TS010I', 'TS011I', 'TS012I', 'TS016I']) await waitFor(code, {});
  await waitFor('T3005I', { path: place('there', 'legacy') });
  await waitFor('T3004I', { path: place('there', 'rsync') });
}, 180_000);

test('git pushes and fetches', async () => {
  const git = (...words: string[]) =>
    run('git', ['-c', 'user.name=alice', '-c', 'user.email=a@example.com', ...words], {
      env: { GIT_SSH_COMMAND: sshLine(), GIT_TERMINAL_PROMPT: '0' },
    });
  execFileSync('git', ['init', '-q', '--bare', place('repo.git')]);
  execFileSync('git', ['init', '-q', '-b', 'main', place('work')]);
  writeFileSync(place('work', 'file'), 'content');
  await git('-C', place('work'), 'add', '.');
  await git('-C', place('work'), 'commit', '-qm', 'first');
  // Git takes the port for a part of the name where an address holds two signs of @: its host is said without a scheme.
  const url = `${login}@db-3@127.0.0.1:${place('repo.git')}`;
  expect((await git('-C', place('work'), 'push', '-q', url, 'main')).error).toBe('');
  expect((await git('clone', '-q', '-b', 'main', url, place('cloned'))).error).toBe('');
  expect(readFileSync(place('cloned', 'file'), 'utf8')).toBe('content');
});

test('ports are forwarded through the server, and an agent is lent, where roles let', async () => {
  const echo = createServer(socket => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port: target } = echo.address() as { port: number };
  const told = await ssh(['-W', `127.0.0.1:${target}`, hostOf()], { input: 'through the server' });
  expect(told.out).toBe('through the server');
  await waitFor('T3003I', { addr: `127.0.0.1:${target}` });
  echo.close();
  const refused = await ssh(['-o', 'LogLevel=INFO', '-W', '127.0.0.1:1', hostOf()]);
  expect(refused).toMatchObject({ status: 255, error: expect.stringContaining('refused') });
});

test('programs of the server show windows on the display that ssh -X and -Y lend, where a role lets, and nobody does without the cookie', async () => {
  const display = await freeDisplay();
  const authority = place('Xauthority');
  execFileSync('xauth', ['-f', authority, 'add', display, '.', randomBytes(16).toString('hex')], { stdio: 'ignore' });
  const screen = start('Xtigervnc', [
    display,
    '-auth',
    authority,
    '-rfbport',
    '-1',
    '-nolisten',
    'tcp',
    '-geometry',
    '640x480',
  ]);
  const own = { DISPLAY: display, XAUTHORITY: authority };
  await expect.poll(async () => (await run('xdpyinfo', [], { env: own })).status, { timeout: 15_000 }).toBe(0);
  await rig.store.resources.create(
    roleResource(
      `kind: role\nversion: v5\nmetadata: {name: windows}\nspec: {allow: {logins: [${login}], node_labels: {'*': '*'}}, options: {permit_x11_forwarding: true}}\n`,
    ),
  );
  await rig.addUser('carol', ['windows']);
  await certify(await rig.signIn('carol'), 'carol');
  const at = hostOf('db-3', login, 'carol');
  const shown = await ssh(['-Y', at, 'echo "$DISPLAY"; xdpyinfo | grep dimensions'], { env: own }, 'carol');
  expect([shown.out, shown.error]).toEqual([expect.stringMatching(/^\S+:1\d\.0\n +dimensions: +640x480 /), '']);
  const untrusted = await ssh(['-X', at, 'xdpyinfo | grep dimensions'], { env: own }, 'carol');
  expect([untrusted.out, untrusted.error]).toEqual([expect.stringContaining('640x480'), '']);
  const stranger = await ssh(['-Y', at, 'XAUTHORITY=/dev/null xdpyinfo'], { env: own }, 'carol');
  expect(stranger.error).toContain('it showed no cookie of this session');
  const note = expect.objectContaining({ user: 'carol', login, server_hostname: 'db-3', success: true, proto: 'ssh' });
  await expect.poll(() => eventsWith('T3008I'), { timeout: 15_000 }).toEqual([note, note, note]);
  const without = await ssh(['-Y', hostOf(), 'echo "[$DISPLAY]"'], { env: own });
  expect([without.out, without.error]).toEqual(['[]\n', expect.stringContaining('(permit_x11_forwarding)')]);
  await waitFor('T3008W', { success: false });
  screen.kill('SIGTERM');
});

test('what roles do not give is refused in words: files, ports, an agent, X11, sockets, ports of the client, other names and servers', async () => {
  await rig.store.resources.create(
    roleResource(
      `kind: role\nversion: v5\nmetadata: {name: bare}\nspec: {allow: {logins: [${login}], node_labels: {'*': '*'}}, options: {ssh_file_copy: false, port_forwarding: false}}\n`,
    ),
  );
  await rig.addUser('bob', ['bare']);
  const bob = await rig.signIn('bob');
  await certify(bob, 'bob');
  const as = (...words: string[]): Promise<Ran> => ssh(words, {}, 'bob');
  const at = hostOf('db-3', login, 'bob');
  for (const words of [
    ['-s', at, 'sftp'],
    [at, 'scp -t /tmp'],
    [at, 'rsync --server -e.LsfxCIvu . /tmp'],
  ])
    expect(await as(...words), words.join(' ')).toMatchObject({
      out: '',
      error: expect.stringContaining('ssh_file_copy'),
    });
  expect((await as('-W', '127.0.0.1:22', at)).error).toContain('port_forwarding');
  const agent = await as(
    '-A',
    '-o',
    `IdentityAgent=${place('nothing')}`,
    '-X',
    at,
    'echo "[$SSH_AUTH_SOCK][$DISPLAY]"',
  );
  expect(agent.out).toBe('[][]\n');
  expect((await as('-R', '0:127.0.0.1:1', '-o', 'ExitOnForwardFailure=yes', at, 'true')).status).toBe(255);
  expect((await as('-s', at, 'netconf')).error).toContain('subsystem request failed');
  // Another's name, no server, servers that are not there, and names that are none: in by certificate, and no further.
  expect((await as(hostOf(), 'true')).error).toContain('Permission denied');
  expect((await as('bob@127.0.0.1', 'true')).error).toContain('Say where to');
  for (const server of ['nowhere', '[fe80::1]', 'db-3%00'])
    expect((await as(hostOf(server, login, 'bob'), 'true')).error, server).toContain('server not found');
  expect((await as(hostOf('db-3', 'daemon', 'bob'), 'true')).error).toContain('You may not log in to db-3 as daemon.');
});

test('certificates count from this authority alone, now, and for their own key', async () => {
  const refused = (who: string): Promise<Ran> => ssh([hostOf(), 'true'], {}, who);
  const certificate = (name: string, line: string): void => writeFileSync(place(`${name}-cert.pub`), `${line}\n`);
  const good = await certify(alice, 'mine');
  const stolen = await certify(alice, 'theirs');
  expect((await refused('mine')).status).toBe(0);
  // Another's certificate with one's own key.
  certificate('mine', stolen);
  expect((await refused('mine')).error).toContain('Permission denied');
  // Of another authority, such as that of the servers.
  const subject = createPublicKey(generateKeyPairSync('ed25519').privateKey);
  const now = Date.now();
  const blob = issueUserCertificate({
    ca,
    subjectPublicKey: subject,
    keyId: 'x',
    principal: 'person:x',
    validAfter: new Date(now - 1000),
    validBefore: new Date(now + 60_000),
    extensions: [],
    criticalOptions: { 'web-session@postern': 'x' },
  });
  certificate('mine', `ssh-ed25519-cert-v01@openssh.com ${blob.toString('base64')}`);
  expect((await refused('mine')).error).toContain('Permission denied');
  certificate('mine', good);
  rig.later(13 * 3_600_000);
  expect((await refused('mine')).error).toContain('Permission denied');
  rig.later(-13 * 3_600_000);
});
