// What whoever helps with a gateway asks for: how it is set up and what goes wrong, without secrets and without what people did.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, time } from './shapes.ts';

const counts = z.record(z.string(), z.number());

/** Everything that leaves with the file is in it: what is shown before is what is saved. */
export const supportBundle = z.object({
  made: time,
  gateway: z.object({
    id: z.string(),
    version: z.string(),
    node: z.string(),
    /** Such as `linux x64 6.1.0`. */
    system: z.string(),
    processors: z.number(),
    memoryBytes: z.number(),
    freeMemoryBytes: z.number(),
    /** Of this process. */
    residentBytes: z.number(),
    upSeconds: z.number(),
    /** The slowest hundredth of the event loop's turns since the last bundle, ms. */
    eventLoopP99Ms: z.number(),
  }),
  cluster: z.string(),
  /** Settings that somebody has given, each by its key; what may hold a password only says that it is set. */
  settings: z.array(z.object({ key: z.string(), value: z.string(), where: z.string() })),
  /** Part -> `ok`, or what is wrong with it. */
  readiness: z.record(z.string(), z.string()),
  store: z.object({ dialect: z.string(), waiting: counts, users: z.number(), resources: counts }),
  /** Live ones by kind. */
  sessions: counts,
  recordings: z.object({ waiting: z.number(), unsent: z.number() }),
  alerts: z.array(z.object({ severity: z.number(), message: z.string() })),
  /** Warnings and errors of the gateway's log since it started, the newest last. Addresses that were asked for are left out. */
  log: z.array(
    z.object({
      time,
      level: z.string(),
      message: z.string(),
      error: z.optional(z.string()),
      request: z.optional(z.string()),
    }),
  ),
});
export type SupportBundle = z.infer<typeof supportBundle>;

export const getSupportBundle = call('GET', 'sites/:clusterId/support/bundle', {
  summary: 'How the gateway is set up and what goes wrong with it, to be read and sent to whoever helps.',
  access: { resource: 'user', verb: 'update' },
  params: clusterParams,
  reply: supportBundle,
});
