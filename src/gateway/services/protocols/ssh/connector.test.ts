// Log-ins, shells and refusals against a real sshd.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSshd, type SshdOptions, type SshdRig } from '../../../../../e2e/rigs/sshd.ts';
import type { AuditEntry } from '../../../ports/audit.ts';
import type { ConnectError } from '../../../ports/reach.ts';
import type { Target } from '../../../ports/servers.ts';
import type { Shell, ShellExit } from '../../../ports/shell.ts';
import { createDirectReach } from '../../reach/direct.ts';
import { watchShell } from '../../shell-watch.testing.ts';
import { type Authority, createAuthority } from './authority.ts';
import { issueUserCertificate } from './certificate.ts';
import { createSshConnector, languageOf } from './connector.ts';
import { fingerprintOf } from './host-key.ts';

const login = userInfo().username;
const ca = generateKeyPairSync('ed25519').privateKey;
const authority = createAuthority(ca, 'test');
const reach = createDirectReach();
const issued: AuditEntry[] = [];
const audit = { emit: async (entry: AuditEntry) => void issued.push(entry) };
const connector = createSshConnector({ reach, authority, audit });
const request = { user: 'alice', sid: 'b1f5', login, size: { cols: 91, rows: 33 }, ttlMs: 60_000 };
/** An sshd that trusts this authority. Its shells start without the rc files of whoever runs the tests. */
const openRig = ({ config = [], ...options }: Partial<SshdOptions> = {}): Promise<SshdRig> =>
  openSshd({
    trustedUserCa: authority.trustedUserCaLine(),
    ...options,
    config: ['SetEnv HOME=/nonexistent', ...config],
  });
let sshd: SshdRig;
const held: { dispose(): unknown }[] = [];

beforeAll(async () => {
  sshd = await openRig();
});
afterAll(() => sshd.dispose());
afterEach(async () => {
  for (const each of held.splice(0).reverse()) await each.dispose();
});

const targetOf = (rig: Pick<SshdRig, 'port' | 'hostKey'>): Target => ({
  id: 'b7',
  hostname: 'db-3',
  subKind: 'openssh',
  addr: `127.0.0.1:${rig.port}`,
  hostKeys: [rig.hostKey],
  labels: {},
});

/** A shell that is closed after its test. */
function watch(shell: Shell) {
  held.push({ dispose: () => shell.close() });
  return watchShell(shell);
}
const open = async (rig: SshdRig = sshd) => {
  const shell = await connector.open(targetOf(rig), request);
  return watch(shell);
};
const failure = (attempt: Promise<unknown>): Promise<ConnectError> =>
  attempt.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: ConnectError) => error,
  );
async function listen(server: Server): Promise<number> {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  held.push({ dispose: () => server.close() });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

test('a shell has the size, terminal, language and user that were asked for, and ends with its exit status', async () => {
  const shell = await open();
  shell.type('stty size; echo "[$TERM] [$LANG] [$(id -un)]"; stty -a | grep -o "[-]*iutf8"; exit 7\r');
  expect(await shell.ended()).toEqual({ code: 7, signal: null, error: null });
  expect(shell.text()).toContain('33 91');
  expect(shell.text()).toContain(`[xterm-256color] [${languageOf(process.env)}] [${login}]`);
  expect(shell.text()).toMatch(/^iutf8/m);
});

test('the host logs the user and the session of the certificate', async () => {
  const shell = await open();
  shell.type('exit\r');
  await shell.ended();
  expect(sshd.log()).toContain('ID user=alice session=b1f5 (serial ');
});

test('a program that is killed ends with the name of the signal', async () => {
  const shell = await open();
  shell.type('kill -9 $$\r');
  expect(await shell.ended()).toEqual({ code: null, signal: 'SIGKILL', error: null });
});

test('a new size reaches the program', async () => {
  const shell = await open();
  shell.shell.resize({ cols: 132, rows: 50 });
  shell.type('stty size\r');
  await shell.sees('50 132');
});

test('what is typed and printed is UTF-8 byte for byte', async () => {
  const shell = await open();
  shell.type("printf '<%s>' 'žluťoučký 漢字 👩‍🚀 e\u0301'; exit\r");
  await shell.ended();
  expect(shell.text()).toContain('<žluťoučký 漢字 👩‍🚀 e\u0301>');
});

test('five megabytes arrive whole, in order, through pauses', async () => {
  const shell = await open();
  // Everything typed comes back: both directions at once, each with its own window.
  shell.type('stty raw -echo; echo RE""ADY; head -c 5000000; exit\r');
  await shell.sees(/READY\r?\n/);
  const bytes = randomBytes(5_000_000);
  const before = shell.bytes().length;
  for (let at = 0; at < bytes.length; at += 100_000) {
    shell.shell.write(bytes.subarray(at, at + 100_000));
    shell.shell.pause();
    await new Promise(setImmediate);
    shell.shell.resume();
  }
  expect(await shell.ended()).toEqual({ code: 0, signal: null, error: null });
  const came = shell.bytes().subarray(before);
  const digest = (value: Uint8Array) => createHash('sha256').update(value).digest('hex');
  // Behind it stands the shell's "logout".
  expect(digest(came.subarray(0, bytes.length))).toBe(digest(bytes));
});

test('a session goes on whole when the host asks for new keys', async () => {
  const rig = await openRig({ config: ['RekeyLimit 1M', 'LogLevel DEBUG1'] });
  held.push(rig);
  const shell = await open(rig);
  shell.type('stty raw -echo; echo RE""ADY; yes 0123456789abcdef | head -c 8000000; exit\r');
  expect(await shell.ended()).toMatchObject({ code: 0, error: null });
  const start = shell.text().search(/(?<=READY\n)/);
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  const sent = '0123456789abcdef\n'.repeat(470_589).slice(0, 8_000_000);
  expect(digest(shell.text().slice(start, start + sent.length))).toBe(digest(sent));
  expect(rig.log()).toContain('rekeying');
});

test('a paused shell holds the program back, and its end waits for the last byte', async () => {
  const shell = await connector.open(targetOf(sshd), request);
  let bytes = 0;
  let ended: ShellExit | undefined;
  const over = new Promise<void>(done =>
    shell.onExit(exit => {
      ended = exit;
      done();
    }),
  );
  shell.onOutput(chunk => {
    bytes += chunk.length;
  });
  shell.pause();
  shell.write(Buffer.from('stty raw -echo; head -c 20000000 /dev/zero; exit 3\r'));
  // The connection still answers while output is held back; nothing is delivered.
  for (let turn = 0; turn < 20; turn++) await shell.roundTrip();
  expect([bytes, ended]).toEqual([0, undefined]);
  shell.resume();
  await over;
  expect(ended).toEqual({ code: 3, signal: null, error: null });
  expect(bytes).toBeGreaterThanOrEqual(20_000_000);
});

test('that the program is gone is told while its last output is still held back', async () => {
  const shell = await connector.open(targetOf(sshd), request);
  held.push({ dispose: () => shell.close() });
  const told: string[] = [];
  const over = new Promise<void>(done =>
    shell.onExit(() => {
      told.push('exit');
      done();
    }),
  );
  const gone = new Promise<void>(done => shell.onGone(done));
  const flooded = Promise.withResolvers<void>();
  let bytes = 0;
  shell.onOutput(chunk => {
    bytes += chunk.length;
    if (bytes > 1_000_000) flooded.resolve();
  });
  shell.write(Buffer.from('yes\r'));
  await flooded.promise;
  shell.pause();
  // So that the host has filled the window: answers come behind what it sent before.
  for (let turn = 0; turn < 50; turn++) await shell.roundTrip();
  shell.write(Buffer.from('\x03exit\r'));
  await gone;
  told.push('gone');
  // Whoever asks late is told at once.
  await new Promise<void>(done => shell.onGone(done));
  shell.resume();
  await over;
  expect(told).toEqual(['gone', 'exit']);
});

test('a flood that is held back gets little more than a window ahead, so that Ctrl-C is felt', async () => {
  const shell = await connector.open(targetOf(sshd), request);
  held.push({ dispose: () => shell.close() });
  let bytes = 0;
  let tail = '';
  let enough = 4_000_000;
  const flooded = Promise.withResolvers<void>();
  const quiet = Promise.withResolvers<void>();
  shell.onOutput(chunk => {
    bytes += chunk.length;
    tail = (tail + Buffer.from(chunk).toString('latin1')).slice(-100);
    if (bytes >= enough) flooded.resolve();
    if (tail.includes('QUIET')) quiet.resolve();
  });
  shell.write(Buffer.from('yes\r'));
  await flooded.promise;
  shell.pause();
  enough = Number.POSITIVE_INFINITY;
  const before = bytes;
  // Each answer comes behind all that was sent before it.
  for (let turn = 0; turn < 50; turn++) await shell.roundTrip();
  shell.write(Buffer.from('\x03'));
  shell.resume();
  shell.write(Buffer.from('echo QUI""ET\r'));
  await quiet.promise;
  expect(bytes - before).toBeLessThan(1_500_000);
});

test('two floods at once keep their bytes apart', async () => {
  const digest = (value: Uint8Array | string) => createHash('sha256').update(value).digest('hex');
  const flood = async (word: string): Promise<boolean> => {
    const shell = await open();
    shell.type(`stty raw -echo; echo RE""ADY; yes ${word} | head -c 3000000; exit\r`);
    await shell.ended();
    const whole = shell.bytes();
    const start = whole.indexOf('READY\n') + 'READY\n'.length;
    const wanted = `${word}\n`.repeat(3_000_000 / (word.length + 1) + 1).slice(0, 3_000_000);
    return digest(whole.subarray(start, start + 3_000_000)) === digest(wanted);
  };
  expect(await Promise.all([flood('0123456789abcdef'), flood('fedcba')])).toEqual([true, true]);
});

test('input that nobody reads ends the session instead of filling the memory', async () => {
  const shell = await open();
  shell.type('stty raw -echo; echo RE""ADY; sleep 1000\r');
  await shell.sees(/READY\r?\n/);
  for (let round = 0; round < 3; round++) shell.shell.write(Buffer.alloc(8_000_000, 'x'));
  expect((await shell.ended())?.error).toContain('does not read its input');
});

test('a round trip to the host is measured', async () => {
  const shell = await open();
  const ms = await shell.shell.roundTrip();
  expect(ms).toBeGreaterThan(0);
  shell.shell.close();
  await shell.ended();
  await expect(shell.shell.roundTrip()).rejects.toThrow('has ended');
});

test('hanging up ends the shell once, and whatever is said to it afterwards does nothing', async () => {
  const shell = await open();
  shell.type('sleep 100\r');
  shell.shell.pause();
  shell.shell.close();
  shell.shell.close();
  // The host may have said by which signal its shell ended before the channel was closed.
  expect(await shell.ended()).toMatchObject({ code: null, error: null });
  shell.type('x');
  shell.shell.resize({ cols: 10, rows: 10 });
  shell.shell.pause();
  shell.shell.resume();
});

test('a connection that is cut says so, with the host', async () => {
  const rig = await openRig();
  held.push(rig);
  const shell = await open(rig);
  shell.type('echo READY\r');
  await shell.sees(/READY\r\n/);
  const waiting = shell.shell.roundTrip().catch(() => 0);
  await rig.cut();
  const exit = await shell.ended();
  await waiting;
  expect(exit).toMatchObject({ code: null, signal: null });
  expect(exit?.error).toContain(`db-3 (127.0.0.1:${rig.port})`);
});

test('a cut is told after the output that was held back, and hanging up does not wait for either', async () => {
  const rig = await openRig();
  held.push(rig);
  const [one, two] = [await open(rig), await open(rig)];
  for (const { shell, type, sees } of [one, two]) {
    type('echo RE""ADY\r');
    await sees(/READY\r\n/);
    shell.pause();
  }
  await rig.cut();
  await expect(one.shell.roundTrip()).rejects.toThrow();
  await expect(two.shell.roundTrip()).rejects.toThrow();
  one.shell.close();
  expect(await one.ended()).toEqual({ code: null, signal: null, error: null });
  two.shell.resume();
  expect((await two.ended())?.error).toContain('db-3');
});

test('a login that the certificate is not for, or that does not exist, is refused', async () => {
  const error = await failure(connector.open(targetOf(sshd), { ...request, login: 'no-such-login' }));
  expect(error.reason).toBe('principal_refused');
  expect(error.message).toMatch(/db-3 .*"no-such-login".*TrustedUserCAKeys/);
  const wrong = impostor({ principal: 'somebody' });
  expect((await failure(wrong.open(targetOf(sshd), request))).reason).toBe('principal_refused');
});

/** A connector whose certificates are not what the host expects. */
function impostor(change: { readonly principal?: string; readonly ended?: boolean }) {
  const wrong: Authority = {
    trustedUserCaLine: () => '',
    issue: () => {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const now = Date.now() - (change.ended ? 3_600_000 : 60_000);
      const expires = new Date(now + 300_000);
      const certificate = issueUserCertificate({
        ca,
        subjectPublicKey: publicKey,
        keyId: 'user=alice session=b1f5',
        principal: change.principal ?? login,
        validAfter: new Date(now),
        validBefore: expires,
        extensions: ['permit-pty'],
      });
      return { privateKey, certificate, expires };
    },
  };
  return createSshConnector({ reach, authority: wrong, audit });
}

test('a certificate whose time is over is refused', async () => {
  expect((await failure(impostor({ ended: true }).open(targetOf(sshd), request))).reason).toBe('principal_refused');
});

test('what roles put on certificates is on the one that a shell is opened with', async () => {
  const issued: Buffer[] = [];
  const watched: Authority = {
    ...authority,
    issue(asked) {
      const made = authority.issue(asked);
      issued.push(made.certificate);
      return made;
    },
  };
  const named = { ...request, certExtensions: { 'login@github.com': 'ann-at-hub' } };
  const shell = await createSshConnector({ reach, authority: watched, audit }).open(targetOf(sshd), named);
  shell.close();
  expect(issued.map(one => [one.includes('login@github.com'), one.includes('ann-at-hub')])).toEqual([[true, true]]);
});

test('a host that shows no windows elsewhere opens its shell all the same, and says so', async () => {
  const rig = await openRig({ config: ['X11Forwarding no'] });
  held.push(rig);
  const answers: (string | null)[] = [];
  const display = {
    ...{ single: true, screen: 0, cookie: randomBytes(16) },
    open: () => Promise.reject(new Error('nobody comes to a display that was not lent')),
    answered: (refusal: string | null) => void answers.push(refusal),
  };
  const wish = { term: null, env: {}, display };
  const shell = watch(await connector.open(targetOf(rig), { ...request, wish, command: 'echo "[$DISPLAY]"' }));
  await shell.sees('[]');
  expect(answers).toEqual([expect.stringContaining('db-3 lets no programs show windows elsewhere')]);
});

test('a display that was lent for one program is there for the first one alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-display-'));
  writeFileSync(join(folder, 'cookies'), '');
  held.push({ dispose: () => rmSync(folder, { recursive: true }) });
  const rig = await openSshd({
    trustedUserCa: authority.trustedUserCaLine(),
    config: ['X11Forwarding yes', `SetEnv HOME=/nonexistent XAUTHORITY=${join(folder, 'cookies')}`],
  });
  held.push(rig);
  const cookie = randomBytes(16);
  const heard: Buffer[] = [];
  const display = {
    ...{ single: true, screen: 0, cookie },
    async open() {
      // A display that lets nobody in is enough to see who came.
      const [near, far] = duplexPair();
      far.on('data', bytes => void heard.push(bytes));
      far.once('data', () => far.end(Buffer.from([0, 0, 11, 0, 0, 0, 0, 0])));
      return near;
    },
    answered: () => undefined,
  };
  const wish = { term: null, env: {}, display };
  const shell = watch(
    await connector.open(targetOf(rig), { ...request, wish, command: 'xdpyinfo; xdpyinfo; echo over' }),
  );
  await shell.sees('over');
  expect(heard.map(bytes => bytes.includes(cookie))).toEqual([true]);
});

test('a certificate of another authority is refused', async () => {
  const other = createSshConnector({
    reach,
    authority: createAuthority(generateKeyPairSync('ed25519').privateKey, 'test'),
    audit,
  });
  expect((await failure(other.open(targetOf(sshd), request))).reason).toBe('principal_refused');
});

test('a host key that changed is refused before anything is sent, naming both fingerprints', async () => {
  const rig = await openRig();
  held.push(rig);
  const target = targetOf(rig);
  const pinned = rig.fingerprint;
  await rig.rotateHostKey();
  const error = await failure(connector.open(target, request));
  expect(error.reason).toBe('host_key_changed');
  expect(error.fingerprints).toEqual({ pinned: [pinned], shown: rig.fingerprint });
  expect(error.message).toContain(pinned);
  expect(error.message).toContain(rig.fingerprint);
  expect(error.message).toContain(`"Trust the new host key of ${target.hostname}…"`);
  expect(rig.log()).not.toContain('Accepted');
});

test.each(['ecdsa', 'rsa'] as const)(
  'a host with an %s key is pinned and entered like any other',
  async hostKeyType => {
    const rig = await openRig({ hostKeyType });
    held.push(rig);
    const shown = await connector.probe(`127.0.0.1:${rig.port}`);
    expect(shown).toEqual({ type: rig.hostKey.split(' ')[0], fingerprint: rig.fingerprint, publicKey: rig.hostKey });
    const shell = await open(rig);
    shell.type('exit 5\r');
    expect(await shell.ended()).toMatchObject({ code: 5 });
  },
);

test('a host with several keys is asked for the one that is pinned', async () => {
  const extra = await openRig({ hostKeyType: 'rsa' });
  held.push(extra);
  const rig = await openRig({ config: [`HostKey ${extra.folder}/host_key`] });
  held.push(rig);
  expect((await connector.probe(`127.0.0.1:${rig.port}`)).publicKey).toBe(rig.hostKey);
  const shell = watch(await connector.open({ ...targetOf(rig), hostKeys: [extra.hostKey] }, request));
  shell.type('exit\r');
  await shell.ended();
});

test('probing shows the key as OpenSSH names it, and does not log in', async () => {
  const shown = await connector.probe(`127.0.0.1:${sshd.port}`);
  expect(shown).toEqual({ type: 'ssh-ed25519', fingerprint: sshd.fingerprint, publicKey: sshd.hostKey });
  expect(fingerprintOf(shown.publicKey)).toBe(sshd.fingerprint);
});

test('the log has one certificate for each log-in, and nobody logs in with one that it could not keep', async () => {
  issued.length = 0;
  await open();
  expect(issued).toEqual([
    {
      code: 'TC000I',
      cert_type: 'ssh',
      user: 'alice',
      identity: { user: 'alice', logins: [login], expires: expect.any(String) },
    },
  ]);
  const unheard = { emit: () => Promise.reject(new Error('the disk is full')) };
  const other = createSshConnector({ reach, authority, audit: unheard });
  await expect(other.open(targetOf(sshd), request)).rejects.toThrow('the disk is full');
});

test('a server without a confirmed key is not entered', async () => {
  const error = await failure(connector.open({ ...targetOf(sshd), hostKeys: [] }, request));
  expect([error.reason, error.message]).toEqual(['not_permitted', expect.stringContaining('No host key of db-3')]);
});

test.each([
  ['a login with a line break', { login: 'root\n' }, {}, 'not_permitted'],
  ['an empty login', { login: '' }, {}, 'not_permitted'],
  ['a session whose time is over', { ttlMs: 0 }, {}, 'not_permitted'],
  ['a server whose stored key is broken', {}, { hostKeys: ['ssh-ed25519 AAAA'] }, 'failed'],
  ['a server whose stored address is broken', {}, { addr: 'db-3:99999' }, 'failed'],
] as const)('%s is refused with a sentence', async (_name, ask, entry, reason) => {
  const error = await failure(connector.open({ ...targetOf(sshd), ...entry }, { ...request, ...ask }));
  expect(error.reason).toBe(reason);
});

test('a port where nobody listens is unreachable, in plain words', async () => {
  const closed = createServer();
  const port = await listen(closed);
  await new Promise(done => closed.close(done));
  const target = { ...targetOf(sshd), addr: `127.0.0.1:${port}` };
  const error = await failure(connector.open(target, request));
  expect(error.reason).toBe('unreachable');
  expect(error.message).toBe(
    `Cannot reach db-3 at 127.0.0.1:${port}: nothing listens on that port (connection refused).`,
  );
  expect((await failure(connector.probe(target.addr))).reason).toBe('unreachable');
});

test('a name that does not exist is unreachable, in plain words', async () => {
  const error = await failure(connector.open({ ...targetOf(sshd), addr: 'no-such-host.invalid' }, request));
  expect(error.reason).toBe('unreachable');
  expect(error.message).toMatch(
    /^Cannot reach db-3 at no-such-host\.invalid:22: (no address is known|the name could not be looked up)/,
  );
});

test('a host that hangs up at once is unreachable', async () => {
  const port = await listen(createServer(socket => socket.destroy()));
  const error = await failure(connector.open({ ...targetOf(sshd), addr: `127.0.0.1:${port}` }, request));
  expect([error.reason, error.message]).toEqual(['unreachable', expect.stringContaining(`127.0.0.1:${port}`)]);
});

test('a host that speaks something else is unreachable', async () => {
  const port = await listen(
    createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').on('error', () => undefined)),
  );
  expect((await failure(connector.open({ ...targetOf(sshd), addr: `127.0.0.1:${port}` }, request))).reason).toBe(
    'unreachable',
  );
});

test('a host that never answers is given up', async () => {
  const port = await listen(createServer(socket => held.push({ dispose: () => socket.destroy() })));
  const impatient = createSshConnector({ reach, authority, audit, connectTimeoutMs: 150 });
  const error = await failure(impatient.open({ ...targetOf(sshd), addr: `127.0.0.1:${port}` }, request));
  expect(error.reason).toBe('unreachable');
  expect(error.message).toContain('no SSH answer within 0.15 s');
  expect((await failure(impatient.probe(`127.0.0.1:${port}`))).reason).toBe('unreachable');
});

const run = async (command: string) => watch(await connector.open(targetOf(sshd), { ...request, command }));

test('a command has no terminal and nothing to read, keeps its errors apart and ends with its status', async () => {
  const shell = await run('tty; cat; id -un; echo oops >&2; exit 7');
  expect(await shell.ended()).toEqual({ code: 7, signal: null, error: null });
  expect(shell.text('stdout')).toBe(`not a tty\n${login}\n`);
  expect(shell.text('stderr')).toBe('oops\n');
});

test('a command prints megabytes to both places whole through pauses, and the end waits for both', async () => {
  const shell = await run('head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2');
  shell.shell.pause();
  shell.shell.resume();
  expect(await shell.ended()).toMatchObject({ code: 0 });
  expect([shell.bytes('stdout').length, shell.bytes('stderr').length]).toEqual([3_000_000, 3_000_000]);
});

test('a command that says nothing ends with its session, and what it has started, also where root runs it', async () => {
  const shell = await run('sleep 987 & echo $! $$ begun; wait');
  await shell.sees('begun');
  const pids = shell.text().split(' ').slice(0, 2);
  shell.shell.close();
  await shell.ended();
  const isRunning = (pid: string): boolean => existsSync(`/proc/${pid}/exe`);
  await expect.poll(() => pids.map(isRunning), { timeout: 10_000 }).toEqual([false, false]);
});
