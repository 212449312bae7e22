// Legal holds: what nothing removes from the recordings until it is released.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, name } from './shapes.ts';
import { visible } from './visible-text.ts';

/** What a hold is on: all that is given must fit. */
export const holdQuery = z.strictObject({
  sid: z.optional(z.string().check(z.maxLength(64))),
  user: z.optional(z.string().check(z.maxLength(255))),
  host: z.optional(z.string().check(z.maxLength(255))),
  /** `name=value` of the server. */
  label: z.optional(z.string().check(z.maxLength(512))),
});
export type HoldQuery = z.infer<typeof holdQuery>;
export const holdReason = z
  .string()
  .check(z.minLength(1, 'a hold has a reason'), z.maxLength(1024, 'at most 1024 characters'), visible);
export const hold = z.object({
  id: z.string(),
  on: holdQuery,
  why: z.string(),
  /** Who asked for it: a user, or `system:` and the OS user of the gateway's machine. */
  by: z.string(),
  since: z.string(),
});
export type Hold = z.infer<typeof hold>;

export const listHolds = call('GET', 'sites/:clusterId/holds', {
  summary: 'The legal holds on recordings; none without the right to list the resource legal_hold.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({
    holds: z.array(hold),
    /** This person may hold recordings, and may release what is held. */
    mayHold: z.boolean(),
    mayRelease: z.boolean(),
  }),
});
export const createHold = call('POST', 'sites/:clusterId/holds', {
  summary: 'Hold a recording, or all of a user, a host and a label, now and to come, with the reason.',
  access: { resource: 'legal_hold', verb: 'create' },
  params: clusterParams,
  body: z.object({ on: holdQuery, why: holdReason }),
  reply: hold,
});
export const releaseHold = call('POST', 'sites/:clusterId/holds/:hold/release', {
  summary: 'End a hold, with the reason: what it was on goes again when its time has come.',
  access: { resource: 'legal_hold', verb: 'delete' },
  params: z.extend(clusterParams, { hold: name }),
  body: z.object({ why: holdReason }),
  reply: hold,
});

/** What a hold is on, in words. */
export const heldOn = ({ on }: Pick<Hold, 'on'>): string =>
  Object.entries(on)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');

/** What is known of a recording that a hold may be on. */
export interface Holdable {
  readonly sid: string;
  readonly users: readonly string[];
  readonly host: string;
  /** Of the server; null: nobody knows any more. */
  readonly labels: Readonly<Record<string, unknown>> | null;
}

/** Whether a hold is on a recording. Of whom or where nobody knows any more, it may be the one that is meant. */
export function isHeldBy({ sid, user, host, label }: HoldQuery, known: Holdable): boolean {
  const [, labelName = '', value = ''] = /^([^=]*)=(.*)$/s.exec(label ?? '') ?? [];
  return (
    (sid === undefined || sid === known.sid) &&
    (user === undefined || known.users.length === 0 || known.users.includes(user)) &&
    (host === undefined || known.host === '' || known.host === host) &&
    (label === undefined || known.labels === null || known.labels[labelName] === value)
  );
}
