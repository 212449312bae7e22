// Audit events as plugins tell of them: the log is the outbox, so what is committed there is told, whatever becomes of the gateway.
import type { Annotations } from '../../../contract/access-requests.ts';
import { type NotificationKind, notificationKindIds } from '../../../contract/notification-kinds.ts';
import type { PluginSpec } from '../../../contract/plugins.ts';
import type { ChainedEvent } from '../../store/store.ts';
import type { Happened } from './message.ts';

type Raw = Readonly<Record<string, unknown>>;
/** Of a list of names, how many are said. */
const NAMES_MOST = 10;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const names = (value: unknown): string[] => (Array.isArray(value) ? value.filter(one => typeof one === 'string') : []);

/** What a request is for: things where it names some, else roles. */
function wanted(raw: Raw): string {
  const things = Array.isArray(raw.resource_ids)
    ? raw.resource_ids.map(one => text((one as Raw | null)?.name)).filter(name => name !== '')
    : [];
  const all = things.length > 0 ? things : names(raw.roles);
  return all.length > NAMES_MOST
    ? `${all.slice(0, NAMES_MOST).join(', ')} and ${all.length - NAMES_MOST} more`
    : all.join(', ');
}
/** What roles say of an access request; nothing for what is not that. */
const annotationsOf = (said: unknown): Annotations =>
  typeof said === 'object' && said !== null
    ? Object.fromEntries(Object.entries(said).map(([name, values]) => [name, names(values)]))
    : {};
const asPath = (raw: Raw): string => `/web/accessrequest?request=${encodeURIComponent(text(raw.id))}`;

type Told = Pick<Happened, 'kind' | 'title' | 'text' | 'user'> & { readonly path: string };
/** By code of the audit event. */
const tellings: Readonly<Record<string, (raw: Raw) => Told | null>> = {
  T5000I: raw => ({
    kind: 'request',
    title: `${text(raw.user)} asks for ${wanted(raw)}`,
    text: text(raw.reason),
    user: text(raw.user),
    path: asPath(raw),
  }),
  T5001I: raw => ({
    kind: 'answer',
    title: `${raw.state === 'APPROVED' ? 'Approved' : 'Denied'}: ${wanted(raw)} for ${text(raw.user)}`,
    text: `By ${text(raw.updated_by)}${text(raw.reason) === '' ? '' : `: ${text(raw.reason)}`}`,
    user: text(raw.user),
    path: asPath(raw),
  }),
  TLK00I: raw => ({
    kind: 'lock',
    title: `Locked: ${text(raw.target)}`,
    text: `By ${text(raw.user)}${text(raw.message) === '' ? '' : `: ${text(raw.message)}`}`,
    user: text(raw.user),
    path: `/web/locks?lock=${encodeURIComponent(text(raw.name))}`,
  }),
  TNT00I: raw => {
    const kind = notificationKindIds.find(one => one === raw.notification_kind);
    return kind === undefined ? null : { kind, title: text(raw.message), text: '', user: '', path: text(raw.route) };
  },
};

/** Whether a plugin tells of an event at all; cheap, it is asked of every event of the log. */
export function wants({ kinds, roles = [] }: PluginSpec, { code, json }: ChainedEvent): boolean {
  const telling = tellings[code];
  if (telling === undefined) return false;
  const raw = JSON.parse(json) as Raw;
  const told = telling(raw);
  if (told === null || (kinds !== undefined && !kinds.includes(told.kind as NotificationKind))) return false;
  const isRequest = told.kind === 'request' || told.kind === 'answer';
  return roles.length === 0 || !isRequest || names(raw.roles).some(role => roles.includes(role));
}

/** What it says. `publicUrl`: the console's address. Null for an event that nothing is told of. */
export function happenedOf({ code, time, json }: ChainedEvent, publicUrl: string): Happened | null {
  const raw = JSON.parse(json) as Raw;
  const told = tellings[code]?.(raw) ?? null;
  if (told === null) return null;
  const { path, ...rest } = told;
  return {
    ...rest,
    annotations: annotationsOf(raw.annotations),
    id: text(raw.uid),
    link: path === '' ? '' : `${publicUrl}${path}`,
    time,
  };
}
