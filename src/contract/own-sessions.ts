// One's own web sessions: where one is signed in.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { name, ok, time } from './shapes.ts';

const ownSession = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  created: time,
  /** Some seconds late. */
  lastActive: time,
  expires: time,
  /** host:port that it was opened from, and what the browser called itself; empty where that was not kept. */
  remoteAddr: z.string(),
  userAgent: z.string(),
  /** Name of the device of the second factor that opened it. */
  mfaDevice: z.optional(z.string()),
  /** Who acts as one in it; absent: nobody but oneself. */
  impersonator: z.optional(z.string()),
});
export type OwnSession = z.infer<typeof ownSession>;
export const listOwnSessions = call('GET', 'user/sessions', {
  summary: "One's own web sessions, the newest first.",
  access: 'signedIn',
  isBeforeTrust: true,
  reply: z.array(ownSession),
});
export const endOwnSession = call('DELETE', 'user/sessions/:id', {
  summary: "End one of one's own web sessions; to end the one that asks is to sign out.",
  access: 'signedIn',
  isBeforeTrust: true,
  params: z.object({ id: name }),
  reply: ok,
});
export const endOtherSessions = call('DELETE', 'user/sessions', {
  summary: "End all of one's own web sessions but the one that asks.",
  access: 'signedIn',
  isBeforeTrust: true,
  reply: ok,
});
