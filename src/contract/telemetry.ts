// What is counted of clicks, and where it goes.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams } from './shapes.ts';

export const telemetry = z.object({
  /** Days that are kept. */
  days: z.number(),
  /** The most frequent first. Who clicked is not kept. */
  events: z.array(
    z.object({
      event: z.string(),
      /** What it was about: an alert, or a locked feature; '' for most. */
      about: z.string(),
      count: z.number(),
      /** The last day that it was counted on, such as `2026-11-23`. */
      last: z.string(),
    }),
  ),
  /** The address that each day's counts are sent to; null: they stay here. */
  sentTo: z.nullable(z.string()),
});
export type Telemetry = z.infer<typeof telemetry>;

export const getTelemetry = call('GET', 'sites/:clusterId/telemetry', {
  summary: 'What is counted of clicks in the console, and where that is sent, if anywhere.',
  access: { resource: 'user', verb: 'update' },
  params: clusterParams,
  reply: telemetry,
});
