// Signing in and out, and who is signed in.
import type { Acl, AclEntry } from '../../contract/acl.ts';
import type { WebConfig } from '../../contract/config.ts';
import { strictestTrust } from '../../contract/device-trust.ts';
import { Failure } from '../../contract/failure.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from '../../contract/own-sessions.ts';
import { getUserContext, renewSession, sessionStatus, signIn, signOut } from '../../contract/session.ts';
import { OK } from '../../contract/shapes.ts';
import type { Who } from '../ports/who.ts';
import { ownCluster } from './clusters.ts';
import { clearedSessionCookie, sessionCookie } from './cookies.ts';
import { credentialsOf, type Serve } from './serve.ts';
import type { Services } from './services.ts';

const nothing: AclEntry = { list: false, read: false, edit: false, create: false, remove: false, use: false };

/** Billing, downloads and licences are matters of the cloud and of dashboards only. */
const deployedAcl = (acl: Acl, { isCloud, isDashboard }: Pick<WebConfig, 'isCloud' | 'isDashboard'>): Acl =>
  isCloud || isDashboard ? acl : { ...acl, billing: nothing, download: nothing, license: nothing };

export function serveSessions(serve: Serve, services: Services): void {
  const { identity, roles, requests } = services;

  async function requestableRoles({ rights: { requests } }: Who): Promise<readonly string[]> {
    return requests.anyRoles ? requests.roles(await roles.names()) : [];
  }

  serve(signIn, async ({ body, from, reply }) => {
    const signedIn = await identity.signIn(
      { user: body.user, password: body.pass, code: body.second_factor_token },
      from,
    );
    reply.header('set-cookie', sessionCookie(signedIn.cookie));
    return signedIn.reply;
  });

  serve(signOut, async ({ request, reply }) => {
    await identity.sessions.signOut(credentialsOf(request));
    reply.header('set-cookie', clearedSessionCookie);
    return OK;
  });

  serve(renewSession, async ({ body, request, reply }, who) => {
    const asked = [body?.requestId, body?.switchback, body?.reloadUser].filter(Boolean);
    if (asked.length > 1) throw new Failure('bad_request', 'give at most one of requestId, switchback, reloadUser');
    // Roles and traits are read anew at every call, so reloadUser has nothing left to do.
    const assume = body?.requestId
      ? await requests.assume(who, body.requestId)
      : body?.switchback
        ? () => []
        : undefined;
    const renewed = await identity.sessions.renew(credentialsOf(request), assume);
    reply.header('set-cookie', sessionCookie(renewed.cookie));
    return renewed.reply;
  });

  serve(sessionStatus, ({ query }, who) => {
    if (query.idle !== undefined) identity.sessions.active(who.webSessionId, query.idle);
    return OK;
  });
  serve(listOwnSessions, (_asked, who) => identity.sessions.listOf(who));
  serve(endOwnSession, async ({ params }, who) => {
    if (!(await identity.sessions.endOne(who.userId, params.id)))
      throw new Failure('not_found', 'you have no such session');
    return OK;
  });
  serve(endOtherSessions, async (_asked, who) => {
    await identity.sessions.endOf(who.userId, who.webSessionId);
    return OK;
  });

  serve(getUserContext, async (_asked, who) => ({
    authType: who.authType,
    userName: who.user,
    userAcl: deployedAcl(who.rights.acl, services.config.webConfig),
    cluster: await ownCluster(services, who),
    accessStrategy: { ...who.rights.requests.strategy },
    accessCapabilities: {
      requestableRoles: [...(await requestableRoles(who))],
      suggestedReviewers: [...who.rights.requests.suggestedReviewers],
    },
    ...(who.grants[0] && { accessRequestId: who.grants.at(-1)?.request ?? '' }),
    assumed: who.grants.map(({ request, roles, things, ends }) => ({
      id: request,
      roles: [...roles],
      things: things?.length ?? 0,
      ends: ends.toISOString(),
    })),
    agents: who.rights.options.agents,
    deviceTrust: strictestTrust([services.config.deviceTrust, who.rights.options.deviceTrust]),
    ...(who.trustedDevice && {
      trustedDevice: { id: who.trustedDevice.id, assetTag: who.trustedDevice.assetTag },
    }),
    allowedSearchAsRoles: [...who.rights.requests.searchAsRoles],
    hasPassword: who.authType === 'local' && (await identity.credentials.hasPassword(who.userId)),
    roles: [...who.roles],
  }));
}
