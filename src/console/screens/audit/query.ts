// The audit log's filter line: `type:user.login user:bob since:2h failed` (users.md 20: type, user and time, filtered at the gateway).
import { auditCode, auditCodes } from '../../../contract/audit-codes.ts';

export interface AuditQuery {
  /** Event types, sorted; none: all of them. */
  readonly types: readonly string[];
  readonly user: string;
  /** How far back, milliseconds; undefined: as the range says. */
  readonly sinceMs: number | undefined;
  /** Words that must all stand in the event. */
  readonly search: string;
}

/** Every type of the catalogue, with the titles that its codes carry. */
export const auditTypes: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  for (const { event, title } of auditCodes.values()) found.set(event, [...(found.get(event) ?? []), title]);
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
})();

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
/** Farthest back that `since:` reaches: the log is not longer than a person's patience. */
const SINCE_MOST_MS = 3660 * 86_400_000;

const parts = (line: string): readonly string[] => line.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
const unquoted = (text: string): string => text.replaceAll('"', '');

/** Reads the line; a sentence when something in it cannot be. */
export function readAuditQuery(line: string): AuditQuery | string {
  const types = new Set<string>();
  const words: string[] = [];
  let user = '';
  let sinceMs: number | undefined;
  for (const part of parts(line)) {
    const [, key, value = ''] = /^(type|user|since):(.*)$/.exec(part) ?? [];
    const wanted = unquoted(value);
    if (key === undefined) words.push(unquoted(part));
    else if (wanted === '')
      return `${key}: is followed by ${key === 'type' ? 'an event type, such as user.login' : key === 'user' ? 'a user name' : 'a time, such as 2h or 7d'}`;
    else if (key === 'type') {
      const named = typesNamed(wanted);
      if (named.length === 0) return `There is no event type "${wanted}"; ${nearTypes(wanted)}`;
      for (const type of named) types.add(type);
    } else if (key === 'user') {
      if (user !== '' && user !== wanted) return 'One user at a time: user: stands here twice';
      user = wanted;
    } else {
      const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(wanted) ?? [];
      const ms = Number(count) * (unitsMs[unit ?? ''] ?? Number.NaN);
      if (!(ms > 0 && ms <= SINCE_MOST_MS))
        return `since:${wanted} is not a time back from now, such as 30m, 2h, 7d or 4w`;
      sinceMs = ms;
    }
  }
  return { types: [...types].sort(), user, sinceMs, search: words.filter(word => word !== '').join(' ') };
}

/** A type by its name, by a code, or by how it begins: `session.*`. */
function typesNamed(wanted: string): readonly string[] {
  if (wanted.endsWith('*')) return [...auditTypes.keys()].filter(type => type.startsWith(wanted.slice(0, -1)));
  if (auditTypes.has(wanted)) return [wanted];
  const code = auditCode(wanted.toUpperCase());
  return code === undefined ? [] : [code.event];
}

function nearTypes(wanted: string): string {
  const word = wanted.toLowerCase();
  const near = [...auditTypes.keys()]
    .filter(type => type.includes(word))
    // Those that have it as a whole part come first: user.login before login_rule.create.
    .sort((one, other) => Number(other.split('.').includes(word)) - Number(one.split('.').includes(word)))
    .slice(0, 5);
  return near.length > 0
    ? `did you mean ${near.join(', ')}?`
    : 'such as user.login, session.start or role.created; session.* takes all that begin so';
}

/** The line with a part added, or taken out when it is there. Another user replaces the one before. */
export function toggledPart(line: string, part: string): string {
  const before = parts(line);
  if (before.includes(part)) return before.filter(one => one !== part).join(' ');
  const kept = part.startsWith('user:') ? before.filter(one => !one.startsWith('user:')) : before;
  return [...kept, part].join(' ');
}

/** `user:` with a name, quoted where it needs it. */
export const userPart = (name: string): string => `user:${/[\s"]/.test(name) ? `"${name.replaceAll('"', '')}"` : name}`;
