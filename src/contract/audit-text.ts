// One line per audit event (specification sections 5 and 8). Lines are templates: `{field}` is a field of the event, `{field?word}`
// the field or the word, `[ … ]` falls away when a field inside is missing, `{#field|word}` counts (`2 words`), `{?field|a|b}` chooses.
import { auditCode } from './audit-codes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Longest text of one field in a line, characters (specification section 9). */
export const AUDIT_TEXT_MOST_CHARACTERS = 80;

const cut = (text: string): string => {
  const characters = [...text];
  return characters.length > AUDIT_TEXT_MOST_CHARACTERS
    ? `${characters.slice(0, AUDIT_TEXT_MOST_CHARACTERS).join('')}…`
    : text;
};

/** A count word takes an s when more than one (specification section 5); none takes it too. */
const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** `addr.remote` is one key on the wire, `identity.user` two: the whole name first, then step by step. */
function field(event: Fields, name: string): unknown {
  if (Object.hasOwn(event, name)) return event[name];
  let at: unknown = event;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Fields)[part];
  }
  return at;
}

/** A field as words, or undefined when there is nothing to show. Lists are joined; things with names show those. */
function words(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.trim() === '' ? undefined : cut(value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()) || undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value))
    return words(
      value
        .slice(0, 100)
        .flatMap(item => words(item) ?? [])
        .join(', '),
    );
  if (typeof value === 'object' && value !== null)
    return words((value as Fields).member_name ?? (value as Fields).name);
  return undefined;
}

/** Names that stand for the first of several fields. A host is its name or else its address, never its id, which says nothing to a reader. */
const firstOf: Readonly<Record<string, readonly string[]>> = {
  host: ['server_hostname', 'server_addr', 'addr.local'],
  error: ['error', 'message'],
};
const read = (event: Fields, name: string): string | undefined =>
  (firstOf[name] ?? [name]).map(one => words(field(event, one))).find(text => text !== undefined);

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : Array.isArray(value)
      ? value.length
      : Number(words(value) ?? 0) || 0;

/** A choice hangs on a flag that must be true; only an event that carries no flag at all counts as done. */
const chosen = (event: Fields, name: string): boolean => {
  const value = field(event, name) ?? field(event, name.split('.').at(-1) ?? name);
  return value === undefined ? name !== 'delete' : value === true || value === 'true';
};

function fill(template: string, event: Fields): string {
  let missing = false;
  const filled = template
    .replace(/\{\?([\w.]+)\|([^|}]*)\|([^}]*)\}/g, (_whole, name: string, yes: string, no: string) =>
      chosen(event, name) ? yes : no,
    )
    .replace(/\{#([\w.]+)\|([^}]*)\}/g, (_whole, name: string, word: string) => {
      const value = field(event, name);
      // Names follow a list's word, so its number would only be in the way.
      return Array.isArray(value) ? `${word}${value.length === 1 ? '' : 's'}` : counted(count(value), word);
    })
    .replace(/\{([\w.]+)(?:\?([^}]*))?\}/g, (_whole, name: string, otherwise?: string) => {
      const text = read(event, name) ?? otherwise;
      missing ||= text === undefined;
      return text ?? '';
    });
  return missing ? '' : filled;
}

const line = (template: string, event: Fields): string =>
  template
    .split(/(\[[^\]]*\])/)
    .map(part => (part.startsWith('[') ? fill(part.slice(1, -1), event) : fill(part, event)))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim();

/** Length of a session in words, or undefined when the times say nothing. */
function duration(event: Fields): string | undefined {
  const [start, stop] = [field(event, 'session_start'), field(event, 'session_stop')].map(value =>
    typeof value === 'string' ? Date.parse(value) : Number.NaN,
  );
  const seconds = Math.round(((stop ?? Number.NaN) - (start ?? Number.NaN)) / 1000);
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  if (seconds < 60) return counted(seconds, 'second');
  const minutes = Math.round(seconds / 60);
  return minutes < 60
    ? counted(minutes, 'minute')
    : minutes % 60 === 0
      ? counted(minutes / 60, 'hour')
      : `${counted(Math.floor(minutes / 60), 'hour')} ${counted(minutes % 60, 'minute')}`;
}

/** `general`, `security`, `search`, `sql`: what an Elasticsearch or OpenSearch request was about. */
const searchCategories = ['', ' security', ' search', ' SQL'];

/** Lines that a template cannot say. */
const special: Readonly<Record<string, (event: Fields) => string>> = {
  sessionEnd(event) {
    const place = field(event, 'proto') === 'kube' ? 'kubernetes_cluster' : 'host';
    const lasted = duration(event);
    const cutShort = field(event, 'recording_cut') === true ? ', cut short when the gateway stopped' : '';
    const kind = field(event, 'interactive') === false ? 'a non-interactive session' : 'a session';
    return line(`[{${place}}: ]User [{user} ]ended ${kind}[ after {lasted}]${cutShort}`, {
      ...event,
      ...(lasted && { lasted }),
    });
  },
  sessionNetwork(event) {
    const did = count(field(event, 'action')) === 1 ? 'was refused a connection' : 'opened a connection';
    return line(`[{host}: ]Program [{program} ]${did}[ from {src_addr}][ to {dst_addr}][ port {dst_port}]`, event);
  },
  permissions(event) {
    const summary = field(event, 'permission_summary');
    const given = (Array.isArray(summary) ? summary : []).map(one => field({ one }, 'one.permission'));
    return line('Permissions of user [{user} ]changed in database[ {db_name}][ on {db_service}][ to {given}]', {
      ...event,
      given,
    });
  },
  searchRequest(event) {
    const failed = words(field(event, 'code'))?.endsWith('E') === true;
    const category = searchCategories[count(field(event, 'category'))] ?? '';
    return line(
      `User [{user} ]${failed ? 'failed to make' : 'made'} a${category} request[ {path}][ on {target}][: {query}][ on {db_service}]`,
      event,
    );
  },
};

/** One line about an event. Safe on anything: missing and odd fields fall away, long ones are cut, none is ever shown as undefined. */
export function describe(event: Fields): string {
  const code = typeof event.code === 'string' ? auditCode(event.code) : undefined;
  if (!code) return line('Unknown event[ {event}][ ({code})]', event);
  return special[code.line]?.(event) ?? line(code.line, event);
}
