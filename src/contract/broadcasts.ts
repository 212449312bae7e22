// Typing into several sessions at once: the browser sends the keys, the gateway is told so that the audit log has it as one act.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, name, ok } from './shapes.ts';

/** Most sessions of one broadcast: more than anyone watches. */
export const BROADCAST_MOST = 50;

export const beginBroadcast = call('POST', 'sites/:clusterId/broadcasts', {
  summary:
    'Say that what is typed goes to several sessions from now on; all must be running, with this person typing in each.',
  access: 'signedIn',
  params: clusterParams,
  body: z.object({ sids: z.array(name).check(z.minLength(2), z.maxLength(BROADCAST_MOST)) }),
  reply: z.object({ id: z.string() }),
});
export const endBroadcast = call('DELETE', 'sites/:clusterId/broadcasts/:id', {
  summary:
    'Say that it has ended. The audit log gets one entry, also when nobody says so and the person has left all but one of the sessions.',
  access: 'signedIn',
  params: z.object({ clusterId: name, id: name }),
  reply: ok,
});
