// Signing in with a second factor: a person at a terminal, and a gateway on a port.
import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { asBefore, type CommandTerminal, startInTerminal } from '../../../e2e/rigs/command-terminal.ts';
import { call, PASSWORD } from '../../gateway/app.testing.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const CSRF = 'c'.repeat(64);
const STEP_MS = 30_000;

let rig: CommandLineRig;
/** Of the authenticator app of ann, base32. */
let secret: string;
let ahead = 0;
beforeAll(async () => {
  rig = await openCommandLine({ factors: { secondFactor: 'optional' } });
  await rig.gateway.addUser('ann', ['access']);
  const { createToken } = rig.gateway.services.identity.credentials;
  const { tokenId: token } = await createToken('ann', 'invite', { user: 'test', rights: null });
  const ask = (method: string, path: string, body: unknown) =>
    call(rig.gateway.app, {
      method,
      url: `/v1/webapi/${path}`,
      body,
      headers: { cookie: `__Host-postern_csrf=${CSRF}`, 'x-csrf-token': CSRF },
    });
  const made = await ask('POST', `mfa/token/${token}/registerchallenge`, { deviceType: 'totp' });
  secret = (made.json as { totp: { secret: string } }).totp.secret;
  const password = Buffer.from(PASSWORD).toString('base64');
  const given = { token, password, deviceName: 'phone', second_factor_token: code() };
  expect((await ask('PUT', 'users/password/token', given)).status).toBe(200);
});
afterAll(() => rig.dispose());

/** What the app shows now; each time the next step's, since none counts twice. */
function code(): string {
  rig.gateway.later(STEP_MS);
  ahead += STEP_MS;
  const now = Math.floor((Date.now() + ahead) / 1000);
  return execFileSync('oathtool', ['--totp', '-b', `--now=@${now}`, secret])
    .toString()
    .trim();
}

async function withPassword(): Promise<CommandTerminal> {
  const terminal = startInTerminal(rig, ['sign-in', '--url', rig.url, '--user', 'ann']);
  await terminal.until('Password of ann: ');
  terminal.type(`${PASSWORD}\r`);
  await terminal.until('Code of your authenticator app: ');
  return terminal;
}

test('a code is typed unseen; a wrong one is asked for again, in the words of the gateway', async () => {
  const terminal = await withPassword();
  terminal.type('000000\r');
  await terminal.until('invalid credentials: the code is wrong, or was used already; 2 more tries');
  const right = code();
  terminal.type(`${right}\r`);
  expect(await terminal.left).toEqual({ status: 0, modes: asBefore });
  expect(terminal.printed()).not.toContain(right);
  expect((await stat(rig.file)).mode & 0o777).toBe(0o600);
  expect(await readFile(rig.file, 'utf8')).not.toContain(right);
  expect(await rig.run(['clusters', 'list'])).toContain('here');
});

test('the third wrong code is the last, and nobody is signed in', async () => {
  const before = await readFile(rig.file, 'utf8');
  const terminal = await withPassword();
  for (const more of ['2 more tries', 'one more try']) {
    terminal.type('000000\r');
    await terminal.until(more);
    await terminal.until(`${more}\r\nCode of your authenticator app: `);
  }
  terminal.type('000000\r');
  expect(await terminal.left).toEqual({ status: 1, modes: asBefore });
  expect(await readFile(rig.file, 'utf8')).toBe(before);
});

test('without a terminal nobody can type a code, and it is said', async () => {
  const words = ['sign-in', '--url', rig.url, '--user', 'ann', '--password-file', rig.passwordFile];
  const ran = await rig.spawn(words);
  expect(ran).toMatchObject({ status: 1, error: expect.stringContaining('there is no terminal to type it in') });
  expect(ran.out + ran.error).not.toContain(PASSWORD);
});
