// Users, their passwords, and the links and codes that invite, reset and recover them.
import type { FastifyReply } from 'fastify';
import { changePassword, completeReset, getResetToken } from '../../contract/credentials.ts';
import { impersonate } from '../../contract/impersonation.ts';
import { beginRecovery, completeRecovery, recoveryChallenge } from '../../contract/recovery.ts';
import { OK } from '../../contract/shapes.ts';
import {
  checkUser,
  createResetToken,
  createUser,
  deleteUser,
  getUser,
  listUsers,
  updateUser,
} from '../../contract/users.ts';
import type { Credentials } from '../services/identity/credentials.ts';
import { sessionCookie } from './cookies.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

type Completed = Awaited<ReturnType<Credentials['complete']>>;

/** Signs the browser in, unless a policy of private keys keeps it out, and hands over new recovery codes. */
function entered(reply: FastifyReply, { signedIn, codes }: Omit<Completed, 'mayInvite'>) {
  if (signedIn) reply.header('set-cookie', sessionCookie(signedIn.cookie));
  return { recovery: codes ?? {}, ...(signedIn === null && { privateKeyPolicyEnabled: true }) };
}

export function serveUsers(serve: Serve, { identity }: Services): void {
  const { accounts, accountRecovery, credentials, devices, factors } = identity;

  serve(listUsers, async (_asked, who) => [...(await accounts.list(who))]);
  serve(getUser, ({ params }, who) => accounts.get(params.name, who));
  serve(createUser, ({ body }, who) => accounts.create(body, who));
  serve(updateUser, ({ body }, who) => accounts.update(body, who));
  serve(checkUser, ({ body }, who) => accounts.check(body, who));
  serve(deleteUser, async ({ params }, who) => {
    await accounts.delete(params.name, who);
    return OK;
  });

  serve(impersonate, async ({ body, from }, who) => {
    const { reply, cookie } = await identity.impersonation.begin(who, body, from);
    return { ...reply, user: body.user, cookie };
  });

  serve(createResetToken, async ({ body }, who) => {
    const issued = await credentials.createToken(body.name, body.type, who);
    return { tokenId: issued.tokenId, user: issued.user, expiry: issued.expires.toISOString() };
  });
  serve(getResetToken, async ({ params: { token } }) => {
    const { user } = await credentials.readToken(token);
    return { tokenId: token, user, qrCode: factors.takes('totp') ? (await devices.registerTotp(token)).qrCode : '' };
  });
  serve(completeReset, async ({ body, from, reply }) => {
    const { token, password, deviceName, second_factor_token: code, webauthnCreationResponse: creation } = body;
    const done = await credentials.complete({ token, password, deviceName, code, creation }, from);
    return { ...entered(reply, done), ...(done.mayInvite && { mayInvite: true }) };
  });
  serve(beginRecovery, async ({ body, from }) => {
    const { tokenId, expires } = await accountRecovery.begin(body, from);
    return { tokenId, expires: expires.toISOString() };
  });
  serve(recoveryChallenge, ({ params }) => accountRecovery.challenge(params.token));
  serve(completeRecovery, async ({ body, from, reply }) => {
    const { token, password, deviceName, second_factor_token: code } = body;
    const { webauthnAssertionResponse: assertion, webauthnCreationResponse: creation } = body;
    const given = { token, password, deviceName, code, assertion, creation };
    return entered(reply, await accountRecovery.complete(given, from));
  });
  serve(changePassword, async ({ body, from }, who) => {
    const { second_factor_token: code, webauthnAssertionResponse: assertion } = body;
    await credentials.change(who, { old: body.old_password, next: body.new_password, code, assertion }, from);
    return OK;
  });
}
