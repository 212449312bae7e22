// Every option of a role, and every key of what it allows and denies: what several roles make of an option, what saying nothing means, and which
// test shows that it is enforced. A key of the schema without a row fails, and so does a row whose test is gone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keysAt } from '../../../contract/schema-keys.ts';
import type { Rights } from '../../ports/rights.ts';
import { createRights } from './rights.ts';
import { parseRole, roleSchema } from './role.ts';
import { notesOn } from './role-notes.ts';

/** A test file below `src/gateway`, and the name of the test in it. */
type Door = readonly [file: string, name: string];
const gateway = join(import.meta.dirname, '../..');
const isThere = ([file, name]: Door): boolean => readFileSync(join(gateway, file), 'utf8').includes(name);

type Value = string | number | boolean | null | readonly object[] | readonly string[] | object;
interface OptionRow {
  readonly combination:
    | 'any true'
    | 'all true'
    | 'one says so, and none says no'
    | 'shortest'
    | 'shortest non-zero'
    | 'smallest, but for 0'
    | 'strictest'
    | 'union'
    | 'joined'
    | 'both are the same'
    | 'refused';
  /** What counts of it. */
  readonly of: (rights: Rights) => unknown;
  /** When no role says anything. */
  readonly unsaid: unknown;
  /** What each role says (undefined: nothing), and what comes of it in either order. */
  readonly cases: readonly (readonly [said: readonly (Value | undefined)[], comes: unknown])[];
  readonly enforced: Door;
}

const MINUTE_MS = 60_000;
const anyTrue = { combination: 'any true', unsaid: false } as const;
const anyCases: OptionRow['cases'] = [
  [[true], true],
  [[false, true], true],
  [[undefined, true], true],
  [[false, undefined], false],
];
/** Of an option that is on where a role says nothing. */
const anyUnlessCases: OptionRow['cases'] = [
  [[false], false],
  [[false, false], false],
  [[false, true], true],
  [[false, undefined], true],
];
const allTrue = { combination: 'all true', unsaid: true } as const;
const allCases: OptionRow['cases'] = [
  [[true, true], true],
  [[true, false], false],
  [[undefined, false], false],
];
const smallest = { combination: 'smallest, but for 0', unsaid: 0 } as const;
const smallestCases: OptionRow['cases'] = [
  [[3, 5], 3],
  [[0, 5], 5],
  [[0, undefined], 0],
];
const extension = (name: string, value: string) => ({ type: 'ssh', mode: 'extension', name, value });
const strictRecording = { combination: 'strictest', unsaid: 'strict' } as const;
const recordingCases: OptionRow['cases'] = [
  [['best_effort'], 'best_effort'],
  [['best_effort', undefined], 'best_effort'],
  [['best_effort', 'strict'], 'strict'],
];

/** By the path of the option below `options`. */
const options: Readonly<Record<string, OptionRow>> = {
  max_session_ttl: {
    ...{ combination: 'shortest', of: rights => rights.options.maxSessionTtlMs, unsaid: 12 * 60 * MINUTE_MS },
    cases: [
      [['30h0m0s', '1h30m', undefined], 90 * MINUTE_MS],
      [['30h0m0s'], 30 * 60 * MINUTE_MS],
      [['0s'], 12 * 60 * MINUTE_MS],
    ],
    enforced: [
      'services/identity/identity.test.ts',
      'a web session ends when the shortest rule says, however often it is renewed',
    ],
  },
  forward_agent: {
    ...{ ...anyTrue, of: rights => rights.options.forwardAgent, cases: anyCases },
    enforced: ['app-ssh-clients-rules.test.ts', 'programs of the server sign with an agent that was lent'],
  },
  port_forwarding: {
    ...{ combination: 'any true', unsaid: true, of: rights => rights.options.portForwarding, cases: anyUnlessCases },
    enforced: ['app-ssh-clients-rules.test.ts', 'ssh -L and -D lead through the server where a role lets'],
  },
  ssh_file_copy: {
    ...{ ...allTrue, of: rights => rights.options.sshFileCopy, cases: allCases },
    enforced: ['app-files.test.ts', 'roles decide: the login, copying at all, and whose browser it is'],
  },
  reach_loopback: {
    ...{ ...anyTrue, of: rights => rights.options.reachLoopback, cases: anyCases },
    enforced: ['app-applications.test.ts', 'only whom a role leads there gets in'],
  },
  permit_x11_forwarding: {
    ...{ ...anyTrue, of: rights => rights.options.x11Forwarding, cases: anyCases },
    enforced: ['app-ssh-clients.test.ts', 'programs of the server show windows on the display that ssh -X and -Y lend'],
  },
  client_idle_timeout: {
    ...{ combination: 'shortest non-zero', of: rights => rights.options.clientIdleTimeoutMs, unsaid: 0 },
    cases: [
      [['never', '15m', '1h'], 15 * MINUTE_MS],
      [['never', undefined], 0],
      [['0s', '1h'], 60 * MINUTE_MS],
    ],
    enforced: ['services/sessions/broker.test.ts', 'a session without input ends after the idle time of its owner'],
  },
  disconnect_expired_cert: {
    ...{ ...anyTrue, of: rights => rights.options.disconnectExpired, cases: anyCases },
    enforced: ['services/sessions/broker.test.ts', 'a session ends with the sign-in it was opened with'],
  },
  enhanced_recording: {
    ...{ combination: 'union', of: rights => rights.options.recordKernel.toSorted(), unsaid: [] },
    cases: [
      [
        [['command'], ['network', 'command']],
        ['command', 'network'],
      ],
      [[['disk'], undefined], ['disk']],
      [[[], undefined], []],
    ],
    enforced: [
      'services/sessions/kernel-commands.test.ts',
      'of a server that tells more, the kinds that roles name are asked for',
    ],
  },
  max_connections: {
    ...{ ...smallest, of: rights => rights.options.maxSessions, cases: smallestCases },
    enforced: ['app-ssh-clients-rules.test.ts', 'as many sessions run at once as roles allow'],
  },
  max_kubernetes_connections: {
    ...{ ...smallest, of: rights => rights.options.maxKubernetesConnections, cases: smallestCases },
    enforced: ['app-kubernetes-streams.test.ts', 'roles say how many programs and forwarded ports may be open at once'],
  },
  max_sessions: {
    ...{ ...smallest, of: rights => rights.options.maxSessions, cases: smallestCases },
    enforced: ['app-ssh-clients-rules.test.ts', 'as many sessions run at once as roles allow'],
  },
  require_session_mfa: {
    ...{ combination: 'strictest', unsaid: [false, 'none'] },
    of: ({ options: { sessionFactor, keyPolicy } }) => [sessionFactor, keyPolicy],
    cases: [
      [[false], [false, 'none']],
      [
        [false, true],
        [true, 'none'],
      ],
      [
        [false, 'hardware_key'],
        [false, 'hardware_key'],
      ],
      [
        ['hardware_key', 'hardware_key_touch', true],
        [true, 'hardware_key_touch'],
      ],
    ],
    enforced: ['app-files-factor.test.ts', 'a file is read, listed and written with the key that was asked for this'],
  },
  device_trust_mode: {
    ...{ combination: 'strictest', of: rights => rights.options.deviceTrust, unsaid: 'off' },
    cases: [
      [['off', 'optional'], 'optional'],
      [['optional', 'required', 'off'], 'required'],
      [['', undefined], 'off'],
    ],
    enforced: [
      'app-trusted-devices.test.ts',
      'a role that requires a trusted device opens no session without one, says how to get one',
    ],
  },
  lock: {
    // Null: as the cluster has it.
    ...{ combination: 'strictest', of: rights => rights.options.locking, unsaid: null },
    cases: [
      [['best_effort', undefined], 'best_effort'],
      [['best_effort', 'strict'], 'strict'],
      [['', undefined], null],
    ],
    enforced: ['services/locks/in-force.test.ts', 'strict roles hold everybody back after five minutes'],
  },
  'record_session.desktop': {
    ...{ combination: 'any true', unsaid: true, of: rights => rights.acl.desktopSessionRecording },
    cases: anyUnlessCases,
    enforced: ['live/desktops.test.ts', 'a desktop is recorded where any role says so'],
  },
  'record_session.default': {
    ...{ ...strictRecording, of: rights => rights.options.recordOthers, cases: recordingCases },
    enforced: [
      'services/sessions/launch.test.ts',
      'shells on servers go by record_session.ssh, and whatever else is recorded by its default',
    ],
  },
  'record_session.ssh': {
    ...{ ...strictRecording, of: rights => rights.options.recordSsh, cases: recordingCases },
    enforced: ['services/sessions/broker.test.ts', 'a strict session does not start and a best-effort one says so'],
  },
  desktop_clipboard: {
    ...{ ...allTrue, of: rights => rights.acl.clipboard, cases: allCases },
    enforced: ['live/desktops.test.ts', 'text of the clipboard goes to the desktop and is counted in the audit log'],
  },
  desktop_directory_sharing: {
    ...{ ...allTrue, of: rights => rights.acl.directorySharing, cases: allCases },
    enforced: ['services/protocols/desktops/rdp/mend.test.ts', 'files, drives and channels that nobody knows stay'],
  },
  request_access: {
    ...{ combination: 'strictest', of: rights => rights.requests.strategy.type, unsaid: 'optional' },
    cases: [
      [['', 'always'], 'always'],
      [['reason', 'always', 'optional'], 'reason'],
    ],
    enforced: ['app-requests.test.ts', 'whoever must ask opens nothing of their own before a request is approved'],
  },
  request_prompt: {
    ...{ combination: 'joined', of: rights => rights.requests.strategy.prompt.split('\n').toSorted(), unsaid: [''] },
    cases: [
      [
        ['Which ticket?', 'Until when?', 'Which ticket?'],
        ['Until when?', 'Which ticket?'],
      ],
    ],
    enforced: ['app-requests.test.ts', 'or without the reason that they demand'],
  },
  pin_source_ip: {
    ...{ ...anyTrue, of: rights => rights.options.pinSourceIp, cases: anyCases },
    enforced: ['app-guards.test.ts', 'a role that binds a sign-in to its address lets the session count there alone'],
  },
  cert_format: {
    // A certificate of this gateway holds nothing that an old server would not know.
    ...{ combination: 'both are the same', of: rights => rights.options.certExtensions, unsaid: {} },
    cases: [[['standard', 'oldssh'], {}]],
    enforced: ['services/protocols/ssh/certificate.test.ts', 'without extensions nothing is allowed'],
  },
  cert_extensions: {
    ...{ combination: 'union', of: rights => rights.options.certExtensions, unsaid: {} },
    cases: [[[[extension('a@x', '1')], [extension('b@x', '')], undefined], { 'a@x': '1', 'b@x': '' }]],
    enforced: ['services/sessions/broker.test.ts', 'with the certificate extensions that the roles give'],
  },
  create_host_user: {
    ...{ combination: 'one says so, and none says no', of: rights => rights.options.createHostUser, unsaid: 'off' },
    cases: [
      [[true, undefined], 'drop'],
      [[true, false], 'off'],
    ],
    enforced: ['services/protocols/ssh/host-users.test.ts', 'a user is made with its groups and what sudo lets it do'],
  },
  create_host_user_mode: {
    ...{ combination: 'one says so, and none says no', of: rights => rights.options.createHostUser, unsaid: 'off' },
    cases: [
      [['drop', undefined], 'drop'],
      [['drop', 'keep'], 'keep'],
      [['off', 'keep'], 'off'],
    ],
    enforced: ['services/protocols/ssh/host-users.test.ts', 'a user that is to stay stays'],
  },
  create_db_user: {
    ...{ combination: 'one says so, and none says no', of: rights => rights.options.createDbUser, unsaid: false },
    cases: [
      [[true, undefined], true],
      [[true, false], false],
    ],
    enforced: ['app-made-users.test.ts', 'a person is a database user of their own, with the roles that theirs name'],
  },
  create_desktop_user: {
    // True is refused when it is written, so nothing comes of it.
    ...{ combination: 'refused', of: () => 'nothing', unsaid: 'nothing', cases: [[[false, undefined], 'nothing']] },
    enforced: ['app-resources.test.ts', 'what cannot be had here is refused with the reason when a role is written'],
  },
  agents: {
    ...{ combination: 'strictest', of: rights => rights.options.agents, unsaid: 'off' },
    cases: [
      [['allow', undefined], 'allow'],
      [['allow', 'ask'], 'ask'],
      [['allow', 'ask', 'off'], 'off'],
    ],
    enforced: ['app-agents.test.ts', 'agents are off until a role allows them'],
  },
  'idp.saml.enabled': {
    ...{ ...allTrue, of: rights => rights.options.samlIdp, cases: allCases },
    enforced: ['app-saml-idp.test.ts', 'roles, locks, second factors and browsers count'],
  },
};

const kubernetes: Door = ['app-kubernetes.test.ts', 'kubectl works as whom the roles name'];
const selectors: Door = ['services/rights/rights.test.ts', 'each kind has its own selector'];
const expressions: Door = ['services/rights/rights.test.ts', 'selector and expression: allow needs both'];
const listed: Door = ['app-reached-kinds.test.ts', 'listed and found by its words and by conditions, for whom a role'];
const services: Door = ['services/rights/rights.test.ts', 'each kind has its own selector'];
const groups: Door = ['app-lists.test.ts', 'a user group: its applications'];
const leaves: Door = ['leaf.test.ts', 'roles that choose no leaf of these labels do not see it'];
const clouds: Door = ['app-clouds.test.ts', 'who may be whom is what roles say: none, another, any'];
const hosts: Door = ['services/protocols/ssh/host-users.test.ts', 'a user is made with its groups and what sudo lets'];
const asks: Door = ['app-requests.test.ts', 'nobody asks for what their roles do not name, for longer than they say'];
const searches: Door = ['app-requests.test.ts', 'single things are asked for through roles that may be searched as'];
const acts: Door = ['app-impersonation.test.ts', 'whose roles allow the user and all of their roles act as them'];
const present: Door = ['services/sessions/moderation.test.ts', 'a session that demands a moderator reaches no server'];
const joins: Door = [
  'services/rights/rights.test.ts',
  'modes are given by globs of the roles of the owner and by kind',
];

/** By the key below `allow` and `deny`: the test of its enforcement; null: it is kept, and whoever writes it hears that it is not enforced. */
const keys: Readonly<Record<string, Door | null>> = {
  logins: ['services/rights/rights.test.ts', "a role's logins are for the servers that role selects"],
  ...{ node_labels: listed, node_labels_expression: expressions, app_labels: listed, app_labels_expression: selectors },
  ...{ db_labels: listed, db_labels_expression: selectors, kubernetes_labels: listed },
  ...{ kubernetes_labels_expression: selectors, windows_desktop_labels: listed },
  ...{ windows_desktop_labels_expression: selectors, db_service_labels: services },
  ...{ db_service_labels_expression: selectors, cluster_labels: leaves, cluster_labels_expression: selectors },
  ...{ group_labels: groups, group_labels_expression: selectors },
  windows_desktop_logins: ['live/desktops.test.ts', 'who may not log in there is told so'],
  kubernetes_groups: kubernetes,
  kubernetes_users: kubernetes,
  kubernetes_resources: ['app-kubernetes.test.ts', 'what roles name is all that is seen: lists, tables and watches'],
  db_users: ['app-databases.test.ts', 'other users and databases are refused with a sentence'],
  db_names: ['app-databases.test.ts', 'other users and databases are refused with a sentence'],
  db_roles: ['app-made-users.test.ts', 'a person is a database user of their own, with the roles that theirs name'],
  aws_role_arns: ['app-aws-console.test.ts', 'no role, a role of nobody, of another partition'],
  ...{ azure_identities: clouds, gcp_service_accounts: clouds },
  host_groups: hosts,
  host_sudoers: hosts,
  desktop_groups: null,
  rules: ['services/rights/rights.test.ts', 'a rule gives its verbs on its resources and nothing else'],
  ...{ request: asks, 'request.roles': asks, 'request.search_as_roles': searches, 'request.max_duration': asks },
  'request.claims_to_roles': [
    'services/rights/rights.test.ts',
    'roles may also be given by what a claim of a person is',
  ],
  'request.suggested_reviewers': [
    'services/rights/rights.test.ts',
    'reviewers and roles to search as are those of all',
  ],
  'request.thresholds': ['app-requests.test.ts', 'thresholds and their filters decide, each reviewer counts once'],
  'request.annotations': ['app-requests.test.ts', 'what roles say of a request is on it: conditions are about it'],
  review_requests: ['app-requests.test.ts', 'a request is seen by whoever made it and whoever may review'],
  'review_requests.roles': ['app-requests.test.ts', 'a request is seen by whoever made it and whoever may review'],
  'review_requests.preview_as_roles': ['app-requests.test.ts', 'a reviewer sees what is asked for as the roles'],
  'review_requests.claims_to_roles': [
    'services/rights/rights.test.ts',
    'roles may also be given by what a claim of a person is',
  ],
  'review_requests.where': ['services/rights/rights.test.ts', 'a condition of a reviewer is held against the request'],
  ...{ impersonate: acts, 'impersonate.users': acts, 'impersonate.roles': acts },
  'impersonate.where': ['app-impersonation.test.ts', 'a condition is held against the user and against each of their'],
  require_session_join: present,
  join_sessions: joins,
  // Another than "default" is refused when it is written.
  namespaces: ['services/rights/role.test.ts', 'spec.allow.namespaces[0]: given "prod": default expected'],
};

const rightsOf = (specs: readonly object[]): Rights => {
  const roles = specs.map((spec, index) =>
    parseRole(JSON.stringify({ kind: 'role', version: 'v7', metadata: { name: `r${index}` }, spec })),
  );
  return createRights(roles, { name: 'ann', roles: roles.map(({ name }) => name), traits: {} });
};
/** `{a: {b: value}}` of the path `a.b`. */
const at = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
/** The keys below a place of a role, those of maps in it too. */
const below = (path: readonly string[], within = ''): readonly string[] =>
  [...new Set(keysAt(roleSchema, path).map(([key]) => key))].flatMap(key => [
    `${within}${key}`,
    ...below([...path, key], `${within}${key}.`),
  ]);

describe('options', () => {
  test('each option of the schema has a row, and no other', () => {
    const maps = below(['spec', 'options']);
    const leaves = maps.filter(path => !maps.some(other => other.startsWith(`${path}.`)));
    expect(Object.keys(options).sort()).toEqual(leaves.toSorted());
  });
  describe.each(Object.entries(options))('%s', (path, { combination, of, unsaid, cases, enforced }) => {
    test(`${combination}, whatever the order of the roles; unsaid: ${JSON.stringify(unsaid)}`, () => {
      expect(of(rightsOf([{}, {}]))).toEqual(unsaid);
      expect(of(rightsOf([]))).toEqual(unsaid);
      for (const [said, comes] of cases) {
        const roles = said.map(value => ({ options: value === undefined ? {} : at(path, value) }));
        for (const order of [roles, roles.toReversed()]) expect([said, of(rightsOf(order))]).toEqual([said, comes]);
      }
    });
    test('is enforced', () => expect([enforced, isThere(enforced)]).toEqual([enforced, true]));
  });
  test('two options may say one thing: the stricter of both counts', () => {
    const { options: few } = rightsOf([{ options: { max_sessions: 5 } }, { options: { max_connections: 3 } }]);
    expect(few.maxSessions).toBe(3);
    const of = (ssh: string, all: string) =>
      rightsOf([{ options: { record_session: { ssh, default: all } } }, {}]).options;
    expect(of('best_effort', 'strict')).toMatchObject({ recordSsh: 'best_effort', recordOthers: 'strict' });
    expect(of('strict', 'best_effort')).toMatchObject({ recordSsh: 'strict', recordOthers: 'best_effort' });
    // What is for all kinds is for servers too, where nothing is said of them.
    const all = [
      { options: { record_session: { ssh: 'best_effort' } } },
      { options: { record_session: { default: 'strict' } } },
    ];
    expect(rightsOf(all).options.recordSsh).toBe('strict');
  });
});

describe.each(['allow', 'deny'])('keys of %s', side => {
  const source = below(['spec', side]).filter(path => !path.startsWith('request.thresholds.'));
  test('each key of the schema has a row, and no other', () =>
    expect(Object.keys(keys).sort()).toEqual(source.toSorted()));
});
test.each(Object.entries(keys))('%s is enforced, or said not to be', (key, door) => {
  if (door) return expect([door, isThere(door)]).toEqual([door, true]);
  const content = {
    kind: 'role',
    version: 'v7',
    metadata: { name: 'r' },
    spec: { allow: at(key, ['x']) },
  };
  expect(notesOn(parseRole(JSON.stringify(content)))).toEqual([expect.stringContaining(`spec.allow.${key} is kept`)]);
});

const keysInHardware: Door = ['services/sessions/policy/policy.test.ts', 'keys in hardware, which nobody has here'];
/** Options that do nothing in some places, or more than whoever writes them may expect. */
test.each<[options: object, says: string | null, enforced: Door | null]>([
  [{ require_session_mfa: true }, null, null],
  [
    { require_session_mfa: 'hardware_key' },
    'spec.options.require_session_mfa keeps whoever holds this role from signing in',
    keysInHardware,
  ],
  [
    { require_session_mfa: 'hardware_key_touch' },
    'spec.options.require_session_mfa keeps whoever holds this role from signing in',
    ['app-recovery.test.ts', 'a role that wants private keys in hardware keeps browsers out'],
  ],
  [{ create_db_user: true }, 'spec.options.create_db_user makes users in databases of PostgreSQL', null],
  [{ create_db_user: false }, null, null],
  [{ create_host_user: true }, 'spec.options.create_host_user makes users on servers', null],
  [{ create_host_user_mode: 'keep' }, 'spec.options.create_host_user makes users on servers', null],
  [{ create_host_user_mode: 'off' }, null, null],
])('whoever writes the options %j hears %s', (said, says, enforced) => {
  const role = { kind: 'role', version: 'v7', metadata: { name: 'r' }, spec: { options: said } };
  expect(notesOn(parseRole(JSON.stringify(role)))).toEqual(says === null ? [] : [expect.stringContaining(says)]);
  if (enforced) expect([enforced, isThere(enforced)]).toEqual([enforced, true]);
});
