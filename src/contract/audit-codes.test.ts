import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AuditRow, auditCode, auditCodes, codeDescription } from './audit-codes.ts';
import { databaseCodes } from './audit-codes-database.ts';
import { identityCodes } from './audit-codes-identity.ts';
import { sessionCodes } from './audit-codes-session.ts';
import { AUDIT_TEXT_MOST_CHARACTERS, describe as line } from './audit-text.ts';

const rows = [identityCodes, sessionCodes, databaseCodes].flatMap(table =>
  Object.values<readonly AuditRow[]>(table).flat(),
);
const all = [...auditCodes].map(([code, row]) => ({ code, ...row }));
const name = fc.constantFrom(
  'user',
  'login',
  'name',
  'sid',
  'error',
  'server_hostname',
  'addr.local',
  'success',
  'status',
  'interactive',
  'length',
  'members',
  'db_roles',
  'roles',
  'action',
  'category',
  'session_start',
  'session_stop',
  'identity',
  'proto',
  'delete',
  'added',
);

describe('the catalogue', () => {
  test('has about as many codes as the product has events', () => expect(auditCodes.size).toBeGreaterThanOrEqual(248));
  test('names each code once', () => expect(new Set(rows.map(([code]) => code)).size).toBe(rows.length));
  test.each(all)('$code is whole', ({ code, event, severity, title, line: template }) => {
    expect(code).toMatch(/^(T[A-Z0-9]{4,5}|SRE\d{3})[IWE]$/);
    expect(severity.charAt(0).toUpperCase()).toBe(code.slice(-1));
    expect([event, title, template].every(text => text.trim() === text && text !== '')).toBe(true);
    expect(event).toMatch(/^[a-z0-9_.-]+$/);
  });
  // Rule 3.4: codes of events; an unknown one
  test('an unknown code is Unknown', () => {
    expect(codeDescription('T9999X')).toBe('Unknown');
    expect(codeDescription('constructor')).toBe('Unknown');
    expect(codeDescription('T1000I')).toBe('Local Login');
  });
  test('another spelling of a code means the same', () => expect(auditCode('T80002I')).toBe(auditCode('T8002I')));
});

describe('the line of an event', () => {
  test.each(all)('$code says something of an event without fields', ({ code }) => {
    expect(line({ code })).toMatch(/^[A-Z].{5,}/);
    expect(line({ code })).not.toMatch(/undefined|null|NaN|\[object|[{}[\]|]| {2}/);
  });
  test('no field can break it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...auditCodes.keys()),
        fc.dictionary(name, fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true })),
        (code, fields) => {
          const text = line({ ...fields, code });
          expect(text).not.toMatch(/undefined|\[object|[\n\r]/);
          expect(text.length).toBeGreaterThan(3);
        },
      ),
      { numRuns: 2000 },
    );
  });
  test('an event of an unknown code is named', () => {
    expect(line({ code: 'X1', event: 'something.new' })).toBe('Unknown event something.new (X1)');
    expect(line({})).toBe('Unknown event');
    expect(line({ code: 'TCC00E', unknown_type: 'a.b', unknown_code: 'X' })).toBe('Unknown event a.b (X)');
  });
  // Rule 8: failures are told as sentences
  // Rule 9: a network event of action 1 was denied, any other allowed
  // Rule 4: messages of the end of a session: Kubernetes, not interactive, with its length, without
  // Rule 5: a count word takes an s when more than one
  // Rule 8: device and SAML events say failed when they failed
  test.each([
    [{ code: 'TS001E' }, 'User failed to open file'],
    [
      { code: 'TS001E', user: 'ann', path: '/a', server_hostname: 'db-3', error: 'denied' },
      'db-3: User ann failed to open file /a: denied',
    ],
    [{ code: 'TS004I', user: 'ann', path: '/a', 'addr.local': '10.0.0.1:22' }, '10.0.0.1:22: User ann wrote file /a'],
    [{ code: 'TOK003E' }, 'Okta synchronization failed'],
    [{ code: 'TJ001E' }, 'Bot unknown failed to join the cluster'],
    [{ code: 'TJ001E', bot_name: 'ci', method: 'github' }, 'Bot ci failed to join the cluster by method github'],
    [
      { code: 'TJ002E', node_name: 'db-3', role: 'node', method: 'token', message: 'the token has expired' },
      'Instance db-3 failed to join the cluster as node by method token: the token has expired',
    ],
    [
      { code: 'TDB08W', username: 'ann_db', user: 'ann', message: 'no such role' },
      'Database user ann_db failed to be made ready for user ann: no such role',
    ],
    [{ code: 'TV005I', user: 'ann', status: { success: false } }, 'User ann failed to enroll a device'],
    [{ code: 'TV005I', user: 'ann', status: { success: true } }, 'User ann enrolled a device'],
    [
      { code: 'TSI000I', user: 'ann', success: false, service_provider_shortcut: 'wiki' },
      'User ann failed to authenticate to SAML service provider (wiki)',
    ],
    [{ code: 'TDP02I', user: 'ann', length: 1 }, 'User ann sent 1 byte of clipboard data to desktop'],
    [{ code: 'TDP02I', user: 'ann', length: 2 }, 'User ann sent 2 bytes of clipboard data to desktop'],
    [
      {
        code: 'TAL005I',
        updated_by: 'ann',
        members: [{ member_name: 'bob' }, { member_name: 'eve' }],
        access_list_name: 'x',
      },
      'User ann added members bob, eve to access list x',
    ],
    [
      { code: 'T4002I', program: 'curl', action: 1, dst_addr: '1.2.3.4', dst_port: 443 },
      'Program curl was refused a connection to 1.2.3.4 port 443',
    ],
    [
      { code: 'T4002I', program: 'curl', action: 0, dst_addr: '1.2.3.4', dst_port: 443 },
      'Program curl opened a connection to 1.2.3.4 port 443',
    ],
    [{ code: 'TES00E', user: 'ann', category: 3, path: '/_sql' }, 'User ann failed to make a SQL request /_sql'],
    [
      {
        code: 'T2004I',
        user: 'ann',
        sid: 's',
        server_hostname: 'db-3',
        session_start: '2026-01-01T00:00:00Z',
        session_stop: '2026-01-01T01:02:00Z',
      },
      'db-3: User ann ended a session after 1 hour 2 minutes',
    ],
    [
      { code: 'T2004I', user: 'ann', sid: 's', interactive: false, server_id: 'i' },
      'User ann ended a non-interactive session',
    ],
    [{ code: 'T2004I', user: 'ann', sid: 's', proto: 'kube', kubernetes_cluster: 'k' }, 'k: User ann ended a session'],
    [{ code: 'TC000I', cert_type: 'user', identity: { user: 'ann' } }, 'A user certificate was issued for ann'],
  ])('%j is told as a sentence: %s', (event, expected) => expect(line(event)).toBe(expected));
  test.each(
    Object.values<readonly AuditRow[]>(sessionCodes)
      .flat()
      .filter(([, event]) => !/^(app|kube|windows|desktop|ssm|x11)/.test(event)),
  )('%s names the host first and spends no width on an id', code => {
    const text = line({ code, user: 'ann', sid: 'the-id', server_id: 'the-id', server_hostname: 'db-3' });
    expect(text).not.toContain('the-id');
    // The one event from before there is a host to name: the connection that a session is opened over.
    if (code !== 'T2010I') expect(text).toMatch(/^db-3: [A-Z]/);
  });
  // Rule 5: audit text
  // Rule 9: an audit text is cut at 80 characters
  test('a long text is cut to 80 characters with an ellipsis', () => {
    const text = line({ code: 'TDB02I', user: 'ann', db_query: '😀'.repeat(200) });
    expect([...text].filter(character => character === '😀')).toHaveLength(AUDIT_TEXT_MOST_CHARACTERS);
    expect(text).toContain('…');
  });
});
