// Ours: a socket that tells an open console when a list that it shows has changed, and when the person's session is over.
import * as z from 'zod/mini';

/** Query: `access_token`. The gateway sends text frames, a client nothing. Closed with `closeCodes.denied` when the session has ended. */
export const changesPath = '/v1/webapi/changes';

/** Lists that are told of. */
export const changingLists = [
  'recordings',
  'sessions',
  'reviews',
  'requests',
  'plugins',
  'agents',
  'notifications',
  'accessLists',
] as const;
/** Says which list is to be asked again: what is in it, and for whom, only the list itself says. */
export const changesMessage = z.object({ changed: z.enum(changingLists) });
/** The last thing that is said: why the person's session is over, in words. */
export const overMessage = z.object({ over: z.string() });
export type OverMessage = z.infer<typeof overMessage>;
export type ChangesMessage = z.infer<typeof changesMessage>;
