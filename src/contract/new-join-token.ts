// Making a join token: apart from their list, since few do, and what may prove a machine takes some room to say.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { joinMethod, methodRules } from './join-methods.ts';
import { botName, joinRoles, matcherLabels, tokenRoles, tokenTtl, tokenUses } from './join-tokens.ts';
import { givenLabels, labels, time } from './shapes.ts';

const madeToken = z.object({
  /** The token itself, which is shown this once. */
  id: z.string(),
  /** Empty: it never ends. */
  expiry: time,
  method: z.string(),
  suggestedLabels: labels,
  /** Ours: what it is called from now on. */
  name: z.string(),
  /** Ours: what is pasted into a shell of the machine that joins, for bots and for each role that has a script. */
  lines: z.array(z.object({ role: z.enum(joinRoles), line: z.string() })),
});
export type MadeToken = z.infer<typeof madeToken>;

export const createJoinToken = call('POST', 'token', {
  summary: 'Make a join token. It is shown this once; the gateway keeps its digest.',
  access: { resource: 'token', verb: 'create' },
  body: z.object({
    roles: tokenRoles,
    join_method: z._default(joinMethod, 'token'),
    suggested_agent_matcher_labels: z.optional(matcherLabels),
    /** Ours: labels of what joins. */
    labels: z._default(givenLabels, []),
    /** Ours: how many may join; absent: as many as there are until it ends. */
    uses: z.optional(tokenUses),
    /** Ours: how long it lasts, such as `4h`. */
    ttl: z._default(tokenTtl, '4h'),
    /** Which bot joins with it, where the roles are Bot. */
    bot_name: z.optional(botName),
    ...methodRules,
  }),
  reply: madeToken,
});
