// Users, their passwords, and the links that invite or reset them.
import { OK } from '../../contract/shapes.ts';
import {
  changePassword,
  completeReset,
  createResetToken,
  createUser,
  deleteUser,
  getResetToken,
  getUser,
  listUsers,
  updateUser,
} from '../../contract/users.ts';
import { mayOnUser, userOnWire } from '../services/identity/accounts.ts';
import { sessionCookie } from './cookies.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveUsers(serve: Serve, { identity }: Services): void {
  const { accounts, credentials } = identity;

  serve(listUsers, async (_asked, who) => {
    const all = await accounts.list();
    return all
      .filter(({ name }) => who.rights.may('user', 'list', { resource: { name, labels: {} } }))
      .map(user => userOnWire(user, 'listed'));
  });
  serve(getUser, async ({ params }, who) => {
    mayOnUser(who, 'read', params.name);
    return userOnWire(await accounts.get(params.name), 'full');
  });
  serve(createUser, async ({ body }, who) => {
    mayOnUser(who, 'create', body.name);
    return userOnWire(await accounts.create(body, who.user), 'full');
  });
  serve(updateUser, async ({ body }, who) => {
    mayOnUser(who, 'update', body.name);
    return userOnWire(await accounts.update(body, who.user), 'full');
  });
  serve(deleteUser, async ({ params }, who) => {
    mayOnUser(who, 'delete', params.name);
    await accounts.delete(params.name, who.user);
    return OK;
  });

  serve(createResetToken, async ({ body }, who) => {
    mayOnUser(who, 'update', body.name);
    const issued = await credentials.createToken(body.name, body.type, who.user);
    return { tokenId: issued.tokenId, user: issued.user, expiry: issued.expires.toISOString() };
  });
  serve(getResetToken, async ({ params }) => {
    const { user } = await credentials.readToken(params.token);
    return { tokenId: params.token, user, qrCode: '' };
  });
  serve(completeReset, async ({ body, from, reply }) => {
    const signedIn = await credentials.complete({ token: body.token, password: body.password }, from);
    reply.header('set-cookie', sessionCookie(signedIn.cookie));
    return { recovery: {} };
  });
  serve(changePassword, async ({ body, from }, who) => {
    await credentials.change(who, { old: body.old_password, next: body.new_password }, from);
    return OK;
  });
}
