// Second factors: the second step of a sign-in, a person's own devices, recovery codes, privilege tokens.
import { listDevices } from '../../contract/devices.ts';
import { Failure } from '../../contract/failure.ts';
import {
  addDevice,
  authenticateChallenge,
  beginSignIn,
  createPrivilegeToken,
  finishSignIn,
  listTokenDevices,
  mfaRequired,
  passwordChallenge,
  recoveryCodesLeft,
  registerChallenge,
  removeDevice,
  renewRecoveryCodes,
  sessionKeyChallenge,
} from '../../contract/mfa.ts';
import { OK } from '../../contract/shapes.ts';
import { loopbackUrl } from '../services/identity/sso/own-path.ts';
import { sessionCookie } from './cookies.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveMfa(serve: Serve, { identity }: Services): void {
  const { credentials, devices, factors, recovery } = identity;

  serve(beginSignIn, ({ body: { passwordless, user, pass }, from }) => {
    if (passwordless) return factors.passwordlessChallenge();
    if (!user || !pass) throw new Failure('bad_request', 'give user and pass, or passwordless');
    return identity.begin({ user, password: pass }, from);
  });
  serve(finishSignIn, async ({ body, from, reply }) => {
    const answer = { user: body.user ?? '', assertion: body.webauthnAssertionResponse };
    const signedIn = await identity.finish(answer, from);
    reply.header('set-cookie', sessionCookie(signedIn.cookie));
    return signedIn.reply;
  });

  serve(authenticateChallenge, (_asked, who) => devices.challenge(who));
  serve(sessionKeyChallenge, async ({ body: { challenge, redirect_url } }, { userId }) => {
    const back = loopbackUrl(redirect_url);
    if (back === null) throw new Failure('bad_request', 'redirect_url: a loopback address with a port expected');
    const found = await factors.sessionChallenge(userId, challenge);
    if (found === null) throw new Failure('bad_request', 'no session of yours waits for this key');
    return { ...found, redirect_url: back.href };
  });
  serve(passwordChallenge, ({ body, from }, who) => credentials.beginChange(who, body.pass, from));
  serve(createPrivilegeToken, ({ body, from }, who) => {
    const { secondFactorToken: code, webauthnAssertionResponse: assertion } = body;
    return devices.privilege(who, { code, assertion }, from);
  });

  serve(registerChallenge, async ({ params: { token }, body: { deviceType, deviceUsage } }) =>
    deviceType === 'totp'
      ? { totp: await devices.registerTotp(token), webauthn: null }
      : { totp: null, webauthn: await devices.registerWebauthn(token, deviceUsage ?? 'mfa') },
  );
  serve(listDevices, (_asked, who) => devices.list(who.userId));
  serve(listTokenDevices, ({ params }) => devices.ofToken(params.token));
  serve(addDevice, async ({ body }, who) => {
    const { deviceName, deviceUsage, secondFactorToken: code, webauthnRegisterResponse: creation } = body;
    await devices.add(who, body.tokenId, { name: deviceName, usage: deviceUsage ?? 'mfa', code, creation });
    return OK;
  });
  serve(removeDevice, async ({ params }) => {
    await devices.remove(params.token, params.name);
    return OK;
  });

  // Which of them is meant matters to no role: each session asks, or none.
  serve(mfaRequired, ({ body }, who) => {
    const named = Object.values(body).filter(target => target !== null && target !== undefined);
    if (named.length !== 1)
      throw new Failure('bad_request', 'give exactly one of node, database, windows_desktop, kube');
    return { required: who.rights.options.sessionFactor };
  });

  serve(recoveryCodesLeft, async (_asked, { userId }) => {
    const { count, created } = await recovery.left(userId);
    return { left: count, ...(created && { created: created.toISOString() }) };
  });
  serve(renewRecoveryCodes, ({ body }, who) => devices.renewCodes(who, body.tokenId));
}
