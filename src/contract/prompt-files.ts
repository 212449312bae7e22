// Files that a database's prompt hands to the browser of the person whose session it is: what `\csv` and `\json` export.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { name } from './shapes.ts';

/** Payload of an audit frame, ours: a file waits to be fetched, once, by the browser that hears of it. */
export const promptFile = z.object({ event: z.literal('prompt.file'), id: z.string(), filename: z.string() });
export type PromptFile = z.infer<typeof promptFile>;

export const getPromptFile = call('GET', 'sites/:clusterId/sessions/:sid/files/:id', {
  summary:
    'A file that a database prompt hands to the browser of its owner, which was told of it at the terminal socket: once.',
  access: 'signedIn',
  params: z.object({ clusterId: name, sid: name, id: name }),
  streamed: true,
  reply: z.unknown(),
});
