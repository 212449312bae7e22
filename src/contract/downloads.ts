// What the gateway itself hands out for people's own machines.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { time } from './shapes.ts';

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

/** A licence that a dashboard hands out. */
const license = z.object({
  /** Until when it is good. */
  expires: time,
  bytes: z.number(),
  /** SHA-256, in hex. */
  sum: z.string(),
});
export type License = z.infer<typeof license>;
/** What it is saved as. */
export const LICENSE_FILE = 'license.pem';

export const listDownloads = call('GET', 'downloads', {
  summary: 'Files for machines of people, each with its checksum; none before they are built.',
  access: 'signedIn',
  reply: z.object({
    version: z.string(),
    downloads: z.array(download),
    /** Null: there is none, or it is not for this person to read. */
    license: z.nullable(license),
  }),
});
export const getLicense = call('GET', 'downloads/license', {
  summary: 'The licence of a dashboard, in PEM.',
  access: { resource: 'license', verb: 'read' },
  streamed: true,
  reply: z.unknown(),
});
