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
import type { FactorSettings } from './ports/who.ts';
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
/** What somebody signs in with: a password alone or with a device beside it, or a passkey. */
export const ways = ['password', 'totp', 'webauthn', 'passwordless'] as const;
type Way = (typeof ways)[number];
interface Registration {
  readonly totp: { readonly secret: string; readonly qrCode: string };
  readonly webauthn: CreationOptions;
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
  const askRegistration = (token: string, deviceType: string, deviceUsage = 'mfa') =>
    post(`mfa/token/${token}/registerchallenge`, { deviceType, deviceUsage });
  const challengeFor = async (token: string, deviceType: string, deviceUsage?: string) =>
    (await askRegistration(token, deviceType, deviceUsage)).json as Registration;
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
  /** Registers a device with a token: `give` sends what it says, or what is needed is refused. */
  const register = async (token: string, way: Exclude<Way, 'password'>, give: (device: object) => Promise<Answer>) => {
    const key = createSoftwareKey(ORIGIN);
    const isApp = way === 'totp';
    const usage = way === 'passwordless' ? way : 'mfa';
    const asked = await askRegistration(token, isApp ? way : 'webauthn', usage);
    if (asked.status !== 200) return { answer: asked, key, secret: '' };
    const { totp, webauthn } = asked.json as Registration;
    const answer = await give(isApp ? { code: codeOf(totp.secret) } : { creation: key.create(webauthn) });
    return { answer, key, secret: isApp ? totp.secret : '' };
  };
  /** Uses a link: sets a password, with a device beside it, or a passkey alone. */
  const useLink = async (token: string, way: Way) => {
    const password = way === 'passwordless' ? null : base64(PASSWORD);
    const give = ({ code, creation }: { code?: string; creation?: unknown } = {}) =>
      put('users/password/token', {
        token,
        password,
        deviceName: 'first',
        second_factor_token: code,
        webauthnCreationResponse: creation,
      });
    return way === 'password' ? { answer: await give(), key: null, secret: '' } : register(token, way, give);
  };
  /** Somebody, new unless named, with a password and a device of the kind that was asked for, or with a passkey alone. */
  const enrolled = async (way: Exclude<Way, 'password'>, name?: string) => {
    const { user, token } = await invite('invite', name);
    const { answer, key, secret } = await useLink(token, way);
    if (answer.status !== 200 || key === null) throw new Error(said(answer));
    return { user, key, secret, recovery: answer.json };
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
  /** Signs in with what a link has set. */
  const signInBy = async (user: string, way: Way, { key, secret }: { key: SoftwareKey | null; secret: string }) => {
    if (key === null) return enter(user);
    if (way === 'totp') return enter(user, codeOf(secret));
    const isAlone = way === 'passwordless';
    const asked = await (isAlone ? post('mfa/login/begin', { passwordless: true }) : begin(user));
    return asked.status === 200 ? finish(isAlone ? '' : user, key.get(asked.json as Challenge)) : asked;
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
    register,
    useLink,
    signInBy,
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
