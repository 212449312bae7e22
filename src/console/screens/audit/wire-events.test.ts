// The catalogue beside that of the wire: every code of it has its type, group, severity and icon, and a line that shows what it must.
import { expect, test } from 'vitest';
import { auditCode, codeDescription } from '../../../contract/audit-codes.ts';
import { describe as line } from '../../../contract/audit-text.ts';
import { iconOfCode } from './group-icons.ts';
import { eventsOfTheWire } from './wire-events.testing.ts';

interface WireEvent {
  readonly group: string;
  readonly code: string;
  readonly event: string;
  readonly fields: readonly string[];
}
const wire: WireEvent[] = [];
let group = '';
for (const text of eventsOfTheWire.trim().split('\n')) {
  const [first = '', event = '', ...fields] = text.split(' ');
  if (first === '#') group = text.slice(2);
  else wire.push({ group, code: first, event, fields });
}

/** Two values of each field that is no text. */
const samples: Readonly<Record<string, readonly [unknown, unknown]>> = {
  ...Object.fromEntries(
    ['length', 'data_size', 'rows_count', 'num_users_created', 'num_users_modified', 'num_users_deleted'].map(name => [
      name,
      [3, 8],
    ]),
  ),
  status: [{ success: true }, { success: false }],
  success: [true, false],
  delete: [true, false],
  category: [1, 2],
  action: [0, 1],
  members: [[{ member_name: 'bob' }], [{ member_name: 'eve' }]],
  roles: [['access'], ['editor']],
  db_roles: [['reader'], ['writer']],
  permission_summary: [[{ permission: 'SELECT', counts: { table: 1 } }], [{ permission: 'INSERT' }]],
};
const sample = (name: string, which: 0 | 1): unknown => samples[name]?.[which] ?? `${name}-${which + 1}`;
/** Of each of these, one field speaks for the others that the event has as well. */
const spokenFor: Readonly<Record<string, readonly string[]>> = {
  error: ['message'],
  server_hostname: ['server_addr', 'addr.local'],
};
/** Where an event's code alone tells what its flag would: the line of a failure says so without it. */
const flags: readonly string[] = ['success', 'status', 'error', 'message'];

test('the wire has 248 codes', () => expect(new Set(wire.map(({ code }) => code)).size).toBe(248));

// Rule 3.4: every code of the wire with its type, title and severity
test.each(wire)('$code ($event) has its type, description, severity and icon', ({ code, event }) => {
  const severity = { I: 'info', W: 'warning', E: 'error' }[code.slice(-1)];
  expect(auditCode(code)).toMatchObject({ event, severity });
  expect(codeDescription(code)).not.toBe('Unknown');
  const { Icon, label } = iconOfCode(code);
  expect([Icon !== undefined, label.length > 0]).toEqual([true, true]);
});

test('what is one group there is one group here', () => {
  const groups = new Map<string, Set<string | undefined>>();
  for (const one of wire) groups.set(one.group, (groups.get(one.group) ?? new Set()).add(auditCode(one.code)?.group));
  for (const [name, ours] of groups) expect([name, ours.size]).toEqual([name, 1]);
});

test.each(wire.filter(({ fields }) => fields.length > 0))(
  'the line of $code shows $fields',
  ({ code, event, fields }) => {
    const all = Object.fromEntries(fields.map(name => [name, sample(name, 0)]));
    for (const name of fields) {
      if (flags.includes(name)) continue;
      const silent = new Set(Object.entries(spokenFor).flatMap(([one, others]) => (one === name ? others : [])));
      const fewer = {
        ...Object.fromEntries(Object.entries(all).filter(([other]) => !silent.has(other))),
        // A cluster is where a session took place only if it was one of a cluster.
        ...(name === 'kubernetes_cluster' && { proto: 'kube' }),
      };
      expect(line({ ...fewer, code, event, [name]: sample(name, 1) }), name).not.toBe(line({ ...fewer, code, event }));
    }
  },
);
