// What a change of a role would do, before it is made.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { content } from './roles.ts';
import { name } from './shapes.ts';

/** One thing that somebody gains or loses when roles change. */
const effect = z.object({
  /** What it is done to; `rule`: a right to manage. */
  on: z.enum(['server', 'database', 'Kubernetes cluster', 'desktop', 'application', 'rule']),
  /** Logins, database users, groups, or the verbs of a rule; empty for applications. */
  names: z.array(z.string()),
  /** The first of what it is done to, three at most. */
  titles: z.array(z.string()),
  /** Of how many. */
  count: z.number(),
});
export type Effect = z.infer<typeof effect>;
export const roleEffects = z.object({
  /** Who hold what changes. */
  holders: z.number(),
  /** For whom something changes, by name. */
  people: z.array(z.object({ user: z.string(), gains: z.array(effect), losses: z.array(effect) })),
  /** For how many something changes whom whoever asks may not read. */
  unnamed: z.number(),
  /** Where the next part begins; '' where all holders were looked at. */
  startKey: z.string(),
});
export type RoleEffects = z.infer<typeof roleEffects>;
export const previewRole = call('POST', 'roles/preview', {
  summary:
    'Who would gain and lose what by a role’s YAML, or without it by its end. Refuses what saving would refuse, and changes nothing.',
  access: { resource: 'role', verb: 'update' },
  body: z.object({
    /** Of the role that is there; absent for a new one. */
    name: z.optional(name),
    /** Absent: the role would be gone. */
    content: z.optional(content.def.shape.content),
    startKey: z.optional(z.string().check(z.maxLength(255))),
  }),
  reply: roleEffects,
});

/** "root on db-1, db-2 and 38 more servers". */
export function effectText({ on, names, titles, count }: Effect): string {
  const left = count - titles.length;
  const more = left > 0 ? ` and ${left} more${on === 'rule' ? '' : ` ${on}${left === 1 ? '' : 's'}`}` : '';
  return `${names.length === 0 ? '' : `${names.join(', ')} on `}${titles.join(', ')}${more}`;
}
/** "alice would gain root on db-1 and lose read on event". */
export function effectsText({ user, gains, losses }: RoleEffects['people'][number]): string {
  const parts = [
    ...(gains.length > 0 ? [`gain ${gains.map(effectText).join('; ')}`] : []),
    ...(losses.length > 0 ? [`lose ${losses.map(effectText).join('; ')}`] : []),
  ];
  return `${user} would ${parts.join(' and ')}`;
}
