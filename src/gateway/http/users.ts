// Users, their passwords, and the links that invite or reset them.
import { changePassword, completeReset, getResetToken } from '../../contract/credentials.ts';
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
import { sessionCookie } from './cookies.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveUsers(serve: Serve, { identity }: Services): void {
  const { accounts, credentials, devices, factors } = identity;

  serve(listUsers, async (_asked, who) => [...(await accounts.list(who))]);
  serve(getUser, ({ params }, who) => accounts.get(params.name, who));
  serve(createUser, ({ body }, who) => accounts.create(body, who));
  serve(updateUser, ({ body }, who) => accounts.update(body, who));
  serve(checkUser, ({ body }, who) => accounts.check(body, who));
  serve(deleteUser, async ({ params }, who) => {
    await accounts.delete(params.name, who);
    return OK;
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
    const { signedIn, codes } = await credentials.complete({ token, password, deviceName, code, creation }, from);
    reply.header('set-cookie', sessionCookie(signedIn.cookie));
    return { recovery: codes ?? {} };
  });
  serve(changePassword, async ({ body, from }, who) => {
    const { second_factor_token: code, webauthnAssertionResponse: assertion } = body;
    await credentials.change(who, { old: body.old_password, next: body.new_password, code, assertion }, from);
    return OK;
  });
}
