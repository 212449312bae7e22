// Acting as another user for a while, as roles allow under `impersonate`.
import * as z from 'zod/mini';
import { type Call, call } from './call.ts';
import { parseDuration } from './duration.ts';
import { sessionReply } from './session.ts';
import { name } from './shapes.ts';

/** How long a session as another user lasts unless less or more is asked for, and at most, ms. Roles of either may shorten it. */
export const IMPERSONATION_TTL_MS = 3_600_000;
const TTL_MOST_MS = 24 * 3_600_000;
const TTL_LEAST_MS = 60_000;

export const impersonate = call('POST', 'users/impersonate', {
  summary: 'A session as another user, as roles allow under impersonate; it lasts as long as both may stay at most.',
  access: 'signedIn',
  body: z.object({
    /** Name of the user. */
    user: name,
    ttl: z._default(
      z.string().check(
        z.refine(text => {
          const ms = parseDuration(text) ?? 0;
          return ms >= TTL_LEAST_MS && ms <= TTL_MOST_MS;
        }, 'a time from 1m to 24h'),
      ),
      '1h',
    ),
  }),
  reply: z.object({
    ...sessionReply.shape,
    user: z.string(),
    /** Value of the session cookie: it is not set, so that whoever asks stays who they are. */
    cookie: z.string(),
  }),
});

/** What whoever acts as another is told where only the user may act. */
export const IMPERSONATED = 'access denied: this is for the user alone, and you act as them';

/**
 * What is nobody's but the person's own, whoever else may act as them: what they prove themselves with, what they say in their own name, and
 * what would outlive the session.
 */
const personal =
  /^\/v1\/webapi\/(users\/(password|privilege|impersonate)|mfa\/(devices|recoverycodes|token)|user\/(sessions|preferences)|headless|devicetrust|saml-idp|snippets|workspaces|sites\/:clusterId\/(notifications|accessrequests|accesslists|reviews|agents))(\/|$)/;

/** Whether nobody makes this call in the name of another. */
export const isPersonal = ({ method, path }: Pick<Call, 'method' | 'path'>): boolean =>
  method !== 'GET' && personal.test(path);
