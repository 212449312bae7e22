// What second factors need in tests: a gateway with the setting, a key made of software, codes from oathtool.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll } from 'vitest';
import type { Challenge, CreationOptions } from '../contract/mfa.ts';
import {
  type Answer,
  type Asking,
  type Browser,
  call,
  openRig,
  PASSWORD,
  type Rig,
  type RigOptions,
} from './app.testing.ts';
import type { FactorSettings } from './ports.ts';
import { createSoftwareKey, type SoftwareKey } from './software-key.testing.ts';

const ORIGIN = 'https://console.example.com';
const CSRF = 'c'.repeat(64);
const STEP_MS = 30_000;
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Status and message of an answer. */
export const said = ({ status, json }: Answer): string =>
  `${status} ${(json as { error?: { message: string } } | null)?.error?.message ?? 'ok'}`;

/** A gateway with these settings, and what a browser does there. */
export function withFactors(
  settings: Partial<FactorSettings>,
  tests: (get: () => Kit) => void,
  options: RigOptions = {},
): void {
  let kit: Kit;
  beforeAll(async () => {
    kit = createKit(await openRig({ ...options, factors: settings }));
  });
  afterAll(() => kit.rig.dispose());
  tests(() => kit);
}
type Kit = ReturnType<typeof createKit>;
function createKit(rig: Rig) {
  let count = 0;
  let ahead = 0;
  const post = (path: string, body: unknown, more: Partial<Asking> = {}): Promise<Answer> =>
    call(rig.app, {
      method: 'POST',
      url: `/v1/webapi/${path}`,
      body,
      headers: { cookie: `__Host-postern_csrf=${CSRF}`, 'x-csrf-token': CSRF },
      ...more,
    });
  const put = (path: string, body: unknown): Promise<Answer> => post(path, body, { method: 'PUT' });
  const invite = async (kind: 'invite' | 'password' = 'invite', given?: string) => {
    const user = given ?? `user-${++count}`;
    if (given === undefined) await rig.addUser(user, ['access']);
    const { tokenId } = await rig.services.identity.credentials.createToken(user, kind, { user: 'test', rights: null });
    return { user, token: tokenId };
  };
  const challengeFor = async (token: string, deviceType: string, deviceUsage = 'mfa') =>
    (await post(`mfa/token/${token}/registerchallenge`, { deviceType, deviceUsage })).json as {
      totp: { secret: string; qrCode: string };
      webauthn: CreationOptions;
    };
  const later = (ms: number): void => {
    rig.later(ms);
    ahead += ms;
  };
  /** What an authenticator app shows now; each time the next step's, since none counts twice. */
  const codeOf = (secret: string): string => {
    later(STEP_MS);
    return codeAt(secret, Date.now() + ahead);
  };
  const codeAt = (secret: string, ms: number): string =>
    execFileSync('oathtool', ['--totp', '-b', `--now=@${Math.floor(ms / 1000)}`, secret])
      .toString()
      .trim();
  /** Somebody with a password and a device of each kind that was asked for, signed in. */
  const enrolled = async (kind: 'totp' | 'webauthn' | 'passwordless') => {
    const { user, token } = await invite();
    const key = createSoftwareKey(ORIGIN);
    const usage = kind === 'passwordless' ? 'passwordless' : 'mfa';
    const made = await challengeFor(token, kind === 'totp' ? 'totp' : 'webauthn', usage);
    const done = await put('users/password/token', {
      token,
      password: kind === 'passwordless' ? null : base64(PASSWORD),
      deviceName: 'first',
      ...(kind === 'totp'
        ? { second_factor_token: codeOf(made.totp.secret) }
        : { webauthnCreationResponse: key.create(made.webauthn) }),
    });
    if (done.status !== 200) throw new Error(said(done));
    return { user, key, secret: kind === 'totp' ? made.totp.secret : '', recovery: done.json };
  };
  const begin = (user: string, pass = PASSWORD) => post('mfa/login/begin', { user, pass });
  const finish = (user: string, webauthnAssertionResponse: unknown) =>
    post('mfa/login/finishsession', { user, webauthnAssertionResponse });
  const enter = (user: string, second_factor_token?: string, pass = PASSWORD) =>
    post('sessions/web', { user, pass, second_factor_token });
  /** The browser that an answer has signed in. */
  const browserOf = (user: string, answer: Answer): Browser => {
    if (answer.status !== 200) throw new Error(said(answer));
    const cookie = /__Host-session=([0-9a-f]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
    const bearer = (answer.json as { token: string }).token;
    const made = (method: string, url: string, body?: unknown) =>
      call(rig.app, { method, url: `/v1/webapi/${url}`, body, cookie, bearer });
    return { user, cookie, bearer, call: made };
  };
  const withKey = async (user: string, key: SoftwareKey) =>
    browserOf(user, await finish(user, key.get((await begin(user)).json as Challenge)));
  return {
    rig,
    later,
    post,
    put,
    invite,
    challengeFor,
    codeOf,
    codeAt,
    enrolled,
    begin,
    finish,
    enter,
    browserOf,
    withKey,
  };
}
