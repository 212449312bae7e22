// Signing in with a second factor: a person at a terminal, and a gateway on a port.
import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';
import { asBefore, type CommandTerminal, soon, startInTerminal } from '../../../e2e/rigs/command-terminal.ts';
import { githubConnector, openGitHubDouble, passGitHub } from '../../../e2e/rigs/github-double.ts';
import { signInAtProvider } from '../../../e2e/rigs/oidc-browser.ts';
import { type OidcProvider, oidcConnector, openOidcProvider } from '../../../e2e/rigs/oidc-provider.ts';
import type { Challenge, CreationOptions } from '../../contract/mfa.ts';
import { type Answer, type Asking, call, PASSWORD } from '../../gateway/app.testing.ts';
import { roleResource } from '../../gateway/services/rights/source.ts';
import { createSoftwareKey } from '../../gateway/software-key.testing.ts';
import { runLine } from '../run-line.ts';

// Real processes: minutes are for a machine that is busy with other things.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const CSRF = 'c'.repeat(64);
const STEP_MS = 30_000;
const system = { user: 'system', rights: null };

let rig: CommandLineRig;
/** Of the authenticator app of ann, base32. */
let secret: string;
let ahead = 0;
/** The hardware key of kim. */
const key = createSoftwareKey('https://console.example.com');
beforeAll(async () => {
  rig = await openCommandLine({ factors: { secondFactor: 'optional' } });
  await rig.gateway.addServer('db-1');
  await rig.gateway.store.resources.create(
    roleResource('kind: role\nversion: v5\nmetadata: {name: careful}\nspec: {options: {require_session_mfa: true}}\n'),
  );
  await enrol('ann', 'totp', ({ totp }) => {
    ({ secret } = totp);
    return { second_factor_token: code() };
  });
  await enrol('kim', 'webauthn', ({ webauthn }) => ({ webauthnCreationResponse: key.create(webauthn) }));
});
afterAll(() => rig.dispose());

/** A call as a browser makes it, at first of nobody. */
const ask = (method: string, path: string, body: unknown, more: Partial<Asking> = {}): Promise<Answer> =>
  call(rig.gateway.app, {
    method,
    url: `/v1/webapi/${path}`,
    body,
    headers: { cookie: `__Host-postern_csrf=${CSRF}`, 'x-csrf-token': CSRF },
    ...more,
  });

/** Makes a user with a password and a device, which `answer` registers. */
async function enrol(
  user: string,
  deviceType: 'totp' | 'webauthn',
  answer: (made: { readonly totp: { readonly secret: string }; readonly webauthn: CreationOptions }) => object,
): Promise<void> {
  await rig.gateway.addUser(user, ['access', 'careful'], ['root']);
  const { createToken } = rig.gateway.services.identity.credentials;
  const { tokenId: token } = await createToken(user, 'invite', system);
  const made = await ask('POST', `mfa/token/${token}/registerchallenge`, { deviceType });
  const password = Buffer.from(PASSWORD).toString('base64');
  const given = { token, password, deviceName: 'first', ...answer(made.json as Parameters<typeof answer>[0]) };
  expect((await ask('PUT', 'users/password/token', given)).status).toBe(200);
}

/** The browser of kim, who has signed in with her key. */
async function browserOfKim(): Promise<Partial<Asking>> {
  const { json } = await ask('POST', 'mfa/login/begin', { user: 'kim', pass: PASSWORD });
  const finished = { user: 'kim', webauthnAssertionResponse: key.get(json as Challenge) };
  const answer = await ask('POST', 'mfa/login/finishsession', finished);
  const cookie = /__Host-session=([0-9a-f]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
  return { cookie, bearer: (answer.json as { token: string }).token, headers: {} };
}

/** What the app shows now; each time the next step's, since none counts twice. */
function code(of = secret): string {
  rig.gateway.later(STEP_MS);
  ahead += STEP_MS;
  const now = Math.floor((Date.now() + ahead) / 1000);
  return execFileSync('oathtool', ['--totp', '-b', `--now=@${now}`, of])
    .toString()
    .trim();
}

async function withPassword(user = 'ann', question = ': ', ...more: readonly string[]): Promise<CommandTerminal> {
  const terminal = startInTerminal(rig, ['sign-in', '--url', rig.url, '--user', user, ...more]);
  await terminal.until(`Password of ${user}: `);
  terminal.type(`${PASSWORD}\r`);
  await terminal.until(`Code of your authenticator app${question}`);
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

/** Signs in; `answer` is what the person does with the link that is shown. */
async function signIn(
  words: readonly string[],
  answer: (id: string, address: string) => Promise<unknown>,
): Promise<string> {
  const printed: string[] = [];
  let answered: Promise<unknown> | undefined;
  await runLine(['sign-in', '--url', rig.url, ...words, '--session-file', rig.file], {
    ask: null,
    print: text => {
      printed.push(text);
      const [, address = ''] = /:\n(http\S+)$/.exec(text) ?? [];
      if (address !== '') answered = answer(address.split('/').at(-1) ?? '', address);
    },
  });
  await answered;
  return printed.join('\n');
}
const approve = async (id: string, browser: Partial<Asking>): Promise<void> => {
  expect((await ask('GET', `headless/${id}`, undefined, browser)).json).toMatchObject({ user: 'kim', state: 1 });
  const challenge = (await ask('POST', 'mfa/authenticatechallenge', {}, browser)).json as Challenge;
  const given = { action: 'accept', webauthnAssertionResponse: key.get(challenge) };
  expect((await ask('PUT', `headless/${id}`, given, browser)).status).toBe(200);
};

test('headless: the link is approved with a hardware key elsewhere, and the session is here', async () => {
  const kim = await browserOfKim();
  const printed = await signIn(['--user', 'kim', '--headless'], id => approve(id, kim));
  expect(printed).toContain(`Signed in to ${rig.url} as kim`);
  expect((await stat(rig.file)).mode & 0o777).toBe(0o600);
  expect(await rig.run(['clusters', 'list'])).toContain('here');
});

test('who has a hardware key alone is led to the browser after the password, with its address shown', async () => {
  const opened = join(rig.folder, 'opened');
  const browser = join(rig.folder, 'browser');
  await writeFile(browser, `#!/bin/sh\necho "$@" > '${opened}'\n`, { mode: 0o755 });
  vi.stubEnv('BROWSER', browser);
  const kim = await browserOfKim();
  await signIn(['--user', 'kim', '--password-file', rig.passwordFile], async (id, address) => {
    await vi.waitFor(async () => expect(await readFile(opened, 'utf8')).toBe(`${address}\n`));
    await approve(id, kim);
  });
  vi.unstubAllEnvs();
  expect(await rig.run(['clusters', 'list'])).toContain('here');
});

test('a shell and a run whose role asks for a hardware key get its answer from the browser, by the loopback', async () => {
  const kim = await browserOfKim();
  await signIn(['--user', 'kim', '--headless'], id => approve(id, kim));
  const link = /http:\S+\/web\/headless\/key\?challenge=\S+/;
  /** What the page does with the address that is shown. */
  const handOver = async (terminal: CommandTerminal, title: string): Promise<void> => {
    await vi.waitFor(() => expect(terminal.printed()).toMatch(link), soon);
    const query = Object.fromEntries(new URL(link.exec(terminal.printed())?.[0] ?? '').searchParams);
    const { status, json } = await ask('POST', 'mfa/sessionkeychallenge', query, kim);
    const asked = json as { title: string; challenge: Challenge; redirect_url: string };
    expect([status, asked.title]).toEqual([200, title]);
    const back = new URL(asked.redirect_url);
    back.searchParams.set('assertion', JSON.stringify(key.get(asked.challenge)));
    expect((await fetch(back, { redirect: 'manual' })).headers.get('location')).toBe(
      `${rig.url}/web/msg/info/login_terminal`,
    );
    // What was answered is nobody's question any more.
    await vi.waitFor(
      async () => expect((await ask('POST', 'mfa/sessionkeychallenge', query, kim)).status).toBe(400),
      soon,
    );
  };
  const shell = startInTerminal(rig, ['ssh', 'root@db-1']);
  await handOver(shell, 'root@db-1');
  await vi.waitFor(() => expect(rig.gateway.shells).toHaveLength(1), soon);
  shell.type('\r~.');
  expect(await shell.left).toEqual({ status: 0, modes: asBefore });
  const command = startInTerminal(rig, ['ssh', 'root@db-1', 'uptime']);
  await handOver(command, 'a command as root on db-1');
  command.kill('SIGINT');
  await command.left;
  const leaving = startInTerminal(rig, ['ssh', 'root@db-1']);
  await vi.waitFor(() => expect(leaving.printed()).toMatch(link), soon);
  leaving.type('\x03');
  expect(await leaving.left).toEqual({ status: 0, modes: asBefore });
});

test('who has both chooses: Enter in place of a code leads to the hardware key', async () => {
  const kim = await browserOfKim();
  const challenge = (await ask('POST', 'mfa/authenticatechallenge', {}, kim)).json as Challenge;
  const proof = { webauthnAssertionResponse: key.get(challenge) };
  const tokenId = (await ask('POST', 'users/privilege/token', proof, kim)).json;
  const made = await ask('POST', `mfa/token/${tokenId}/registerchallenge`, { deviceType: 'totp' });
  const app = (made.json as { totp: { secret: string } }).totp.secret;
  const device = { tokenId, deviceName: 'phone', secondFactorToken: code(app) };
  expect((await ask('POST', 'mfa/devices', device, kim)).status).toBe(200);
  const terminal = await withPassword('kim', ' (or Enter for your hardware key in the browser): ', '--no-browser');
  terminal.type('\r');
  const link = /\/web\/headless\/([0-9a-f]{64})/;
  await vi.waitFor(() => expect(terminal.printed()).toMatch(link), soon);
  await approve(link.exec(terminal.printed())?.[1] ?? '', kim);
  expect(await terminal.left).toEqual({ status: 0, modes: asBefore });
});

test('headless: a gateway that goes away and comes back still knows the request', async () => {
  const kim = await browserOfKim();
  const said = vi.spyOn(process.stderr, 'write');
  await signIn(['--user', 'kim', '--headless'], async id => {
    await ask('GET', `headless/${id}`, undefined, kim);
    rig.network.cut();
    await vi.waitFor(() => expect(said.mock.calls.flat().join('')).toContain('trying again'));
    rig.network.mend();
    await approve(id, kim);
  });
  said.mockRestore();
});

test('headless: denied in the browser, and never answered, are each said in words', async () => {
  const kim = await browserOfKim();
  await expect(
    signIn(['--user', 'kim', '--headless'], async id => {
      await ask('GET', `headless/${id}`, undefined, kim);
      await ask('PUT', `headless/${id}`, { action: 'denied' }, kim);
    }),
  ).rejects.toThrow('kim has refused this sign-in');
  await expect(
    signIn(['--user', 'kim', '--headless'], async id => {
      await ask('GET', `headless/${id}`, undefined, kim);
      rig.gateway.later(180_000);
    }),
  ).rejects.toThrow('nobody has approved this sign-in');
});

describe('at an identity provider', () => {
  const CALLBACK = 'https://console.example.com/v1/webapi/oidc/callback';
  let provider: OidcProvider;
  const connect = (name: string) =>
    rig.gateway.services.connectors.create('oidc', oidcConnector(provider, name), system);
  /** What a browser does with the address, up to the listener of the command line; answers its page's address there. */
  const browse = async (
    address: string,
    pass = (start: string) => signInAtProvider(provider, start, 'a-sub'),
  ): Promise<string> => {
    const left = await fetch(address, { redirect: 'manual' });
    const cookie = left.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const back = await pass(left.headers.get('location') ?? '');
    const { body } = await rig.gateway.app.inject({ url: back.pathname + back.search, headers: { cookie } });
    const [, told = ''] = /content="0; url=([^"]*)"/.exec(body) ?? [];
    return told.replace(/&#(\d+);/g, (_all, number: string) => String.fromCharCode(Number(number)));
  };

  beforeAll(async () => {
    provider = await openOidcProvider(CALLBACK);
    provider.claims = { email: 'zoe@example.com', email_verified: true, groups: ['dev'] };
    await connect('corp');
  });
  afterAll(() => provider.close());

  test('the browser comes back to this machine, once, and the session is here', async () => {
    let listener = '';
    const printed = await signIn(['--no-browser'], async (_id, address) => {
      listener = await browse(address);
      const wrong = await fetch(listener.replace(/state=\w+/, 'state=0'), { redirect: 'manual' });
      const right = await fetch(listener, { redirect: 'manual' });
      expect([wrong.status, right.status, right.headers.get('location')]).toEqual([
        400,
        302,
        `${rig.url}/web/msg/info/login_terminal`,
      ]);
    });
    expect(printed).toContain(`Signed in to ${rig.url} as zoe@example.com`);
    expect((await stat(rig.file)).mode & 0o777).toBe(0o600);
    expect(await rig.run(['clusters', 'list'])).toContain('here');
    await expect(fetch(listener)).rejects.toThrow('fetch failed');
    const zoe = await rig.gateway.store.users.get('zoe@example.com');
    await rig.gateway.services.identity.sessions.endOf(zoe?.id ?? '');
    await expect(rig.run(['clusters', 'list'])).rejects.toThrow(/sign in again with postern sign-in --url \S+$/);
  });

  test('a code that is not of this sign-in opens nothing', async () => {
    await expect(
      signIn(['--no-browser'], async (_id, address) => {
        const listener = await browse(address);
        await fetch(listener.replace(/code=\w+/, `code=${'0'.repeat(64)}`), { redirect: 'manual' });
      }),
    ).rejects.toThrow('this sign-in is over');
  });

  test('where passwords are off, whoever gives a name is led there too, and asked for no password', async () => {
    const { choose } = rig.gateway.services.connectors;
    await choose({ local: false, first: null }, system);
    const printed = await signIn(['--user', 'ann', '--no-browser'], async (_id, address) =>
      fetch(await browse(address)),
    );
    await choose({ local: true, first: null }, system);
    expect(printed).toContain('as zoe@example.com');
  });

  test('of several connectors one has to be named, and flags that contradict each other are mistyped', async () => {
    await connect('other');
    const wrong = (...words: readonly string[]) => signIn(words, async () => undefined);
    await expect(wrong()).rejects.toThrow('--connector is one of corp, other');
    await expect(wrong('--connector', 'nobody')).rejects.toThrow('"nobody": --connector is one of corp, other');
    await expect(wrong('--connector', 'corp', '--user', 'kim')).rejects.toThrow('do not go together');
    await expect(wrong('--headless')).rejects.toThrow('--headless needs --user NAME');
  });

  test('GitHub leads back to this machine as well', async () => {
    const github = await openGitHubDouble();
    try {
      github.person = { login: 'octo', id: 7, orgs: ['acme'], teams: [] };
      await rig.gateway.services.connectors.create('github', githubConnector(github, 'hub'), system);
      const printed = await signIn(['--connector', 'hub', '--no-browser'], async (_id, address) =>
        fetch(await browse(address, start => passGitHub(github, start))),
      );
      expect(printed).toContain(`Signed in to ${rig.url} as octo`);
      expect(await rig.run(['clusters', 'list'])).toContain('here');
    } finally {
      github.close();
    }
  });
});
