// What roles, locks and limits say of people's own SSH clients: OpenSSH's ssh against a gateway in memory and a real sshd.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../e2e/rigs/gateway.ts';
import type { Browser } from './app.testing.ts';
import { login, openClientsRig } from './app-ssh-clients.testing.ts';
import { createSubscriber } from './services/sessions/sessions.testing.ts';

const clients = await openClientsRig();
afterAll(clients.dispose);
const { rig, place, certify, addPerson, ways, hostOf, start, run, ssh, eventsWith } = clients;
await rig.addUser('admin', ['access', 'editor']);
const admin = await rig.signIn('admin');
const allowed = `allow: {logins: [${login}], node_labels: {'*': '*'}}`;
const at = (person: string): string => hostOf('db-3', login, person);
const echo = createServer(socket => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
await once(echo, 'listening');
const { port: target } = echo.address() as { port: number };
afterAll(() => void echo.close());

/** All that a client has printed, and what it ended with. */
function watch(child: ChildProcess) {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', bytes => {
      said += bytes;
    });
  return { said: () => said, status: once(child, 'close').then(([status]) => status as number | null) };
}
const soon = (look: () => unknown) => expect.poll(look, { timeout: 15_000 });
const whoOf = (browser: Browser) =>
  rig.services.identity.sessions.authenticate({ ...browser, remoteAddr: '192.0.2.1:1' });
/** What comes back of a word that is sent to a port; '' where nobody takes it. */
async function sent(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let back = '';
  socket.on('data', bytes => {
    back += bytes;
    socket.end();
  });
  socket.write('word');
  await new Promise(done => socket.once('close', done));
  return back;
}

test('programs of the server sign with an agent that was lent, where a role lets, and find none otherwise', async () => {
  const socket = place('agent');
  const agent = start('ssh-agent', ['-D', '-a', socket]);
  await once(agent.stdout as NodeJS.ReadableStream, 'data');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'the lent key', '-f', place('lent')]);
  execFileSync('ssh-add', ['-q', place('lent')], {
    env: { PATH: process.env.PATH, SSH_AUTH_SOCK: socket },
    stdio: 'pipe',
  });
  // What signs from now on is the agent alone.
  rmSync(place('lent'));
  writeFileSync(place('words'), 'to be signed');
  const sign = `ssh-add -l; ssh-keygen -q -Y sign -n words -f ${place('lent.pub')} < ${place('words')}`;
  /** Of two values ssh takes the first. */
  const lend = (who: string, ...words: string[]) =>
    run('ssh', ['-o', `IdentityAgent=${socket}`, '-A', ...ways(who), ...words]);
  const lent = await lend('alice', hostOf(), sign);
  expect([lent.error, lent.out]).toEqual([
    '',
    expect.stringMatching(/^256 SHA256:\S+ the lent key \(ED25519\)\n-----BEGIN SSH SIGNATURE-----/),
  ]);
  await addPerson('bob', `{${allowed}, options: {forward_agent: false}}`);
  const refused = await lend('bob', at('bob'), 'echo "[$SSH_AUTH_SOCK]"');
  expect(refused).toMatchObject({ out: '[]\n', error: expect.stringContaining('(forward_agent)') });
});

/** As an administrator does it. */
async function change(method: string, path: string, body: unknown): Promise<void> {
  const { status, body: said } = await admin.call(method, path, body);
  if (status !== 200) throw new Error(said);
}
const setRole = (name: string, spec: string): Promise<void> =>
  change('PUT', `/v1/webapi/roles/${name}`, {
    content: `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: ${spec}\n`,
  });

test('ssh -L and -D lead through the server where a role lets, for as long as it does', async () => {
  await addPerson('pat', `{${allowed}, options: {port_forwarding: true}}`);
  const [local, socks] = [await freePort(), await freePort()];
  const words = ['-N', '-L', `${local}:127.0.0.1:${target}`, '-D', String(socks)];
  const open = watch(start('ssh', [...ways('pat'), ...words, at('pat')]));
  await soon(() => sent(local)).toBe('word');
  const page = createServer(one => one.end('HTTP/1.0 200 OK\r\n\r\nthrough socks')).listen(0, '127.0.0.1');
  await once(page, 'listening');
  const { port: web } = page.address() as { port: number };
  const url = `http://127.0.0.1:${web}/`;
  const proxied = await run('curl', ['-sS', '--max-time', '10', '--socks5-hostname', `127.0.0.1:${socks}`, url]);
  expect(proxied).toMatchObject({ out: 'through socks', error: '' });
  page.close();
  const addrs = async () => (await eventsWith('T3003I')).filter(({ user }) => user === 'pat').map(({ addr }) => addr);
  await soon(addrs).toEqual(expect.arrayContaining([`127.0.0.1:${target}`, `127.0.0.1:${web}`]));
  await setRole('role-of-pat', `{${allowed}, options: {port_forwarding: false}}`);
  expect(await open.status).toBe(255);
  const again = watch(start('ssh', [...ways('pat'), ...words, at('pat')]));
  const asked = async () => `${await sent(local)}${again.said()}`;
  await soon(asked).toContain('Your roles do not let you forward ports (port_forwarding).');
});

test('a session that others must watch waits for them, and then runs what was typed after that; what nobody can watch is refused', async () => {
  const demand = `{ name: a lead, filter: 'contains(user.spec.roles, "role-of-lena")', kinds: [ssh], modes: [moderator], count: 1 }`;
  await addPerson('walt', `{allow: {logins: [${login}], node_labels: {'*': '*'}, require_session_join: [${demand}]}}`);
  const lena = await addPerson(
    'lena',
    `{allow: {join_sessions: [{ name: all, roles: [role-of-walt], kinds: [ssh], modes: [moderator] }]}}`,
  );
  const child = start('ssh', [...ways('walt'), '-tt', at('walt')]);
  const { said, status } = watch(child);
  await soon(said).toContain('The session begins when those are here who must be: 1 moderator (a lead).');
  child.stdin?.write('echo too-early\n');
  const sid = () => rig.services.sessions.list().find(({ session }) => session.owner === 'walt')?.session.id ?? '';
  await soon(sid).not.toBe('');
  const subscriber = createSubscriber();
  const size = { cols: 80, rows: 24 };
  const lead = rig.services.sessions.attach(sid(), { who: await whoOf(lena), mode: 'moderator', size, subscriber });
  await soon(said).toMatch(/Everybody is here: the session begins\.[\s\S]*[#$] /);
  child.stdin?.write('echo seen-$((40+2))\n');
  await soon(said).toContain('seen-42');
  expect(said()).not.toContain('too-early');
  await soon(() => subscriber.text()).toContain('seen-42');
  lead.leave();
  expect(await status).toBe(255);
  for (const words of [
    [at('walt'), 'id'],
    ['-s', at('walt'), 'sftp'],
    ['-W', `127.0.0.1:${target}`, at('walt')],
  ])
    expect(await ssh(words, {}, 'walt'), words.join(' ')).toMatchObject({
      out: '',
      status: 255,
      error: expect.stringContaining('others'),
    });
});

test('a lock ends sessions, programs and forwarded ports at once, in words, and lets nothing new begin', async () => {
  await addPerson('lou', `{${allowed}, options: {port_forwarding: true}}`);
  const local = await freePort();
  const shell = watch(start('ssh', [...ways('lou'), '-tt', at('lou')]));
  const program = watch(start('ssh', [...ways('lou'), at('lou'), 'echo begun; sleep 1000']));
  const ports = watch(start('ssh', [...ways('lou'), '-N', '-L', `${local}:127.0.0.1:${target}`, at('lou')]));
  await soon(() => sent(local)).toBe('word');
  await soon(program.said).toContain('begun');
  await soon(() => rig.services.sessions.list().filter(({ session }) => session.owner === 'lou').length).toBe(2);
  await change('PUT', `/v1/webapi/sites/here/locks`, {
    targets: { user: 'lou' },
    message: 'left laptop in a taxi',
    ttl: '1h',
  });
  expect(await Promise.all([shell.status, program.status, ports.status])).toEqual([255, 255, 255]);
  for (const one of [shell, program]) expect(one.said()).toContain('left laptop in a taxi');
  expect((await ssh([at('lou'), 'id'], {}, 'lou')).error).toContain('Permission denied');
});

test('as many sessions run at once as roles allow, by whatever name the limit goes', async () => {
  for (const [person, limit] of [
    ['meg', 'max_sessions'],
    ['mel', 'max_connections'],
  ] as const) {
    await addPerson(person, `{${allowed}, options: {${limit}: 1}}`);
    const first = start('ssh', [...ways(person), at(person), 'echo begun; cat']);
    const { said, status } = watch(first);
    await soon(said).toContain('begun');
    const refused = await ssh([at(person), 'id'], {}, person);
    expect([refused.out, refused.status]).toEqual(['', 255]);
    expect(refused.error).toContain('You have 1 sessions open, and your roles allow 1. Close one first.');
    first.stdin?.end();
    expect(await status).toBe(0);
    await soon(async () => (await ssh([at(person), 'echo in'], {}, person)).out).toBe('in\n');
  }
});

test('roles that ask for a second factor for each session say where it is asked for', async () => {
  await addPerson('sue', `{${allowed}, options: {require_session_mfa: true, port_forwarding: true}}`);
  for (const words of [
    [at('sue'), 'id'],
    ['-tt', at('sue')],
    ['-s', at('sue'), 'sftp'],
  ]) {
    const refused = await ssh(words, {}, 'sue');
    expect(refused.status, words.join(' ')).toBe(255);
    expect(refused.out + refused.error).toContain('through `postern proxy ssh` the key is asked for.');
  }
  const forwarded = await ssh(['-W', `127.0.0.1:${target}`, at('sue')], { input: 'word' }, 'sue');
  expect([forwarded.out, forwarded.error]).toEqual(['', expect.stringContaining('second factor')]);
});

test('roles that bind a sign-in to its address let its certificate in from nowhere else', async () => {
  await addPerson('pia', `{${allowed}, options: {pin_source_ip: true}}`);
  expect((await ssh([at('pia'), 'echo in'], {}, 'pia')).out).toBe('in\n');
  // Signed in at another address, and come with that certificate from here.
  for (const [person, answer] of [
    ['pia', { out: '', error: expect.stringContaining('Permission denied'), status: 255 }],
    ['alice', { out: 'in\n', error: '', status: 0 }],
  ] as const) {
    await certify(await rig.signIn(person, '192.0.2.7'), `${person}-elsewhere`);
    expect(await ssh([at(person), 'echo in'], {}, `${person}-elsewhere`)).toEqual(answer);
  }
});

test('of the variables that a client sends those of language, colours and git pass, and nothing that changes what runs', async () => {
  const sent = ['LC_MARK=one', 'NO_COLOR=two', 'BASH_ENV=/x', 'PYTHONPATH=/x', 'GIT_SSH_COMMAND=/x', 'EDITOR=/x'];
  const { out } = await ssh(['-o', `SetEnv=${sent.join(' ')}`, hostOf(), 'env']);
  const names = sent.map(one => one.split('=')[0] ?? '');
  expect(names.filter(name => new RegExp(`^${name}=`, 'm').test(out))).toEqual(['LC_MARK', 'NO_COLOR']);
});

test('ssh -R leads from a port of the server to the client where a role lets, for as long as it does, and says why where none does', async () => {
  await addPerson('rob', `{${allowed}, options: {port_forwarding: true}}`);
  const [first, second] = [await freePort(), await freePort()];
  const back = (port: number) => ['-R', `127.0.0.1:${port}:127.0.0.1:${target}`];
  const control = place('control');
  const open = watch(start('ssh', ['-M', '-S', control, ...ways('rob'), '-N', ...back(first), at('rob')]));
  await soon(() => sent(first)).toBe('word');
  // Another is added and taken back while the first stays; the server chooses a third.
  const told = (...words: string[]) => run('ssh', ['-S', control, '-O', ...words, at('rob')]);
  await told('forward', ...back(second));
  await soon(() => sent(second)).toBe('word');
  await told('cancel', ...back(second));
  await soon(() => sent(second)).toBe('');
  const chosen = Number((await told('forward', ...back(0))).out);
  expect(await sent(chosen)).toBe('word');
  expect(await sent(first)).toBe('word');
  const addrs = async () => (await eventsWith('T3003I')).filter(({ user }) => user === 'rob').map(({ addr }) => addr);
  await soon(addrs).toEqual(expect.arrayContaining([first, second, chosen].map(port => `127.0.0.1:${port}`)));
  // What is in use there is not given, and a session says so.
  const taken = await ssh(['-o', 'ExitOnForwardFailure=no', ...back(target), at('rob'), 'sleep 1; echo in'], {}, 'rob');
  expect(taken.out).toBe('in\n');
  expect(taken.error).toContain(`the server does not listen at 127.0.0.1:${target}`);

  await setRole('role-of-rob', `{${allowed}, options: {port_forwarding: false}}`);
  expect(await open.status).toBe(255);
  expect(await sent(first)).toBe('');
  const refused = await ssh([...back(first), at('rob'), 'sleep 1; echo in'], {}, 'rob');
  expect(refused).toMatchObject({ out: 'in\n', error: expect.stringContaining('(port_forwarding)') });
  expect(await sent(first)).toBe('');
  const all = Array.from({ length: 60 }, (_, at) => ['-R', `0:127.0.0.1:${at + 1}`]).flat();
  await addPerson('rea', `{${allowed}, options: {port_forwarding: true}}`);
  const many = await ssh(['-o', 'ExitOnForwardFailure=yes', ...all, at('rea'), 'true'], {}, 'rea');
  expect(many).toMatchObject({ status: 255, error: expect.stringContaining('remote port forwarding failed') });
});
