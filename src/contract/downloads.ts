// What the gateway itself hands out for people's own machines.
import * as z from 'zod/mini';
import { call } from './call.ts';

const download = z.object({
  name: z.string(),
  /** What it is for, in words. */
  about: z.string(),
  /** Where it is, below the gateway's address. */
  path: z.string(),
  bytes: z.number(),
  /** SHA-256, in hex. */
  sum: z.string(),
});
export type Download = z.infer<typeof download>;

export const listDownloads = call('GET', 'downloads', {
  summary: 'Files for machines of people, each with its checksum; none before they are built.',
  access: 'signedIn',
  reply: z.object({ version: z.string(), downloads: z.array(download) }),
});
