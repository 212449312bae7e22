import { describe, expect, test } from 'vitest';
import { Failure } from '../../../contract/failure.ts';
import { presetRoles } from './presets.ts';
import { parseRole } from './role.ts';

const yaml = (spec: string, version = 'v7', metadata = 'name: test') =>
  `kind: role\nversion: ${version}\nmetadata: {${metadata}}\nspec:\n${spec}`;
const refusal = (content: string): string => {
  try {
    parseRole(content);
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad_request') return error.message;
    throw error;
  }
  return 'accepted';
};

describe('a role that is read', () => {
  test('keeps its name, version, description, labels, expiry and YAML', () => {
    const content = yaml(
      '  allow: {}',
      'v5',
      'name: ops-1, namespace: default, description: Ops, labels: {a/b: c}, expires: 2030-01-02T03:04:05Z, id: 1, revision: x',
    );
    expect(parseRole(content)).toMatchObject({
      name: 'ops-1',
      version: 5,
      description: 'Ops',
      labels: { 'a/b': 'c' },
      expires: new Date('2030-01-02T03:04:05Z'),
      content,
    });
  });
  test.each(['v3', 'v4', 'v5', 'v6', 'v7'])('may be of version %s', version =>
    expect(parseRole(yaml('  allow: {}', version)).version).toBe(Number(version[1])),
  );
  test('may hold every key of the facts', () => {
    const content = yaml(`  options:
    max_session_ttl: 8h30m0s
    forward_agent: yes
    port_forwarding: false
    ssh_file_copy: true
    permit_x11_forwarding: false
    client_idle_timeout: never
    disconnect_expired_cert: "no"
    enhanced_recording: [command, disk, network]
    max_connections: 3
    max_kubernetes_connections: 0
    max_sessions: 2
    require_session_mfa: hardware_key_touch
    device_trust_mode: optional
    lock: strict
    record_session: {desktop: true, default: best_effort, ssh: strict}
    desktop_clipboard: true
    desktop_directory_sharing: false
    request_access: reason
    request_prompt: Why?
    pin_source_ip: false
    cert_format: standard
    cert_extensions: [{type: ssh, mode: extension, name: login@github.com, value: x}]
    create_host_user: true
    create_host_user_mode: keep
    create_db_user: true
    create_desktop_user: false
    idp: {saml: {enabled: true}}
  allow:
    logins: [root, '{{internal.logins}}', 'x-{{email.local(external.email)}}']
    node_labels: {env: [dev, 'st*'], tier: '^web-[0-9]+$', team: '{{external.team}}'}
    node_labels_expression: contains(user.spec.traits["team"], labels["team"])
    app_labels: {'*': '*'}
    cluster_labels: {'*': ['*']}
    group_labels: {}
    windows_desktop_logins: [Administrator]
    kubernetes_groups: ['system:masters']
    kubernetes_users: [admin]
    kubernetes_resources: [{kind: pod, namespace: '*', name: '*'}, {kind: '*', verbs: ['*', get]}]
    db_users: ['*']
    db_names: ['*']
    db_roles: [reader]
    aws_role_arns: ['arn:aws:iam::1:role/x']
    azure_identities: [a]
    gcp_service_accounts: [b]
    host_groups: [docker]
    host_sudoers: ['ALL=(root) NOPASSWD: ALL']
    desktop_groups: [rdp]
    rules:
      - {resources: [user, '*', some_other_thing], verbs: [list, readnosecrets, rotate, '*'], where: 'contains(user.spec.roles, "x") && !equals(resource.metadata.name, "y")', actions: [log]}
    request: {roles: [a], search_as_roles: [b], claims_to_roles: [{claim: c, value: v, roles: [r]}], suggested_reviewers: [u], thresholds: [{name: t, filter: 'contains(reviewer.roles, "r")', approve: 1, deny: 1}], annotations: {k: [v]}, max_duration: 4d}
    review_requests: {roles: [a], preview_as_roles: [a], claims_to_roles: [], where: 'contains(request.roles, "a")'}
    impersonate: {users: [u], roles: [r], where: 'contains(user.spec.traits["x"], impersonate_role.metadata.name)'}
    require_session_join: [{name: n, filter: 'contains(user.spec.roles, "x")', kinds: [ssh, '*'], modes: [moderator], count: 2, on_leave: pause}]
    join_sessions: [{name: n, roles: ['*', 'prod-*'], kinds: [ssh], modes: [peer, observer]}]
    namespaces: [default]
  deny:
    logins: [guest]`);
    expect(refusal(content)).toBe('accepted');
  });
  test('each preset is a role of its own name', () => {
    expect(presetRoles.map(({ content }) => parseRole(content).name)).toEqual(['access', 'editor', 'auditor']);
    for (const { name, content } of presetRoles) {
      const role = parseRole(content);
      expect(role.name).toBe(name);
      expect(role.labels).toEqual({ 'postern.internal/resource-type': 'preset' });
      expect(role.description).not.toBe('');
    }
  });
});

describe('what is no role is refused with the place', () => {
  test.each([
    ['', 'the document: given null: "key: value" lines expected (line 1, column 1)'],
    ['a: [', 'not readable as YAML'],
    ['a: 1\na: 2', 'not readable as YAML: Map keys must be unique (line 2, column 1)'],
    ['---\na: 1\n---\nb: 2', 'not readable as YAML'],
    ['[]', 'the document: given []: "key: value" lines expected'],
    [yaml('  allow: {}').replace('kind: role', 'kind: user'), 'kind: given "user": role expected (line 1, column 7)'],
    [yaml('  allow: {}', 'v2'), 'version: given "v2": one of v3, v4, v5, v6, v7 expected'],
    [yaml('  allow: {}', 'v7', 'name: a/b'), 'metadata.name: given "a/b": a name that is safe in URLs'],
    [yaml('  allow: {}', 'v7', 'name: ""'), 'metadata.name: given "": a name that is safe in URLs'],
    [yaml('  allow: {}', 'v7', 'description: x'), 'metadata.name: missing: a text expected (line 3, column 11)'],
    [yaml('  allow: {}', 'v7', 'name: a, namespace: other'), 'metadata.namespace: '],
    [
      yaml('  allow:\n    node_lables: {a: b}'),
      'spec.allow.node_lables: no such key; did you mean node_labels? (line 6, column 5)',
    ],
    [
      yaml('  options:\n    max_sesion_ttl: 8h'),
      'spec.options.max_sesion_ttl: no such key; did you mean max_session_ttl? (line 6, column 5)',
    ],
    [
      yaml('  options:\n    lock: strict\n    logins: [root]'),
      'spec.options.logins: no such key; it belongs under spec.allow or spec.deny (line 7, column 5)',
    ],
    [
      yaml('  options: {node_label: {a: b}}'),
      'spec.options.node_label: no such key; did you mean node_labels? It belongs under spec.allow or spec.deny (line 5, column 13)',
    ],
    [
      yaml('  options: {dbUsers: [a]}'),
      'spec.options.dbUsers: no such key; did you mean db_users? It belongs under spec.allow or spec.deny (line 5, column 13)',
    ],
    [
      yaml('  deny:\n    forward_agent: true'),
      'spec.deny.forward_agent: no such key; it belongs under spec.options (line 6, column 5)',
    ],
    [yaml('  logins: [root]'), 'spec.logins: no such key; it belongs under spec.allow or spec.deny (line 5, column 3)'],
    [
      yaml('  options: {enabled: false}'),
      'spec.options.enabled: no such key; it belongs under spec.options.idp.saml (line 5, column 13)',
    ],
    [yaml('  allow: {version: v7}'), 'spec.allow.version: no such key; it belongs at the top of the document'],
    [
      yaml('  options: {colour: red}'),
      'spec.options.colour: no such key; known here: max_session_ttl, forward_agent, ',
    ],
    [
      yaml('  options:\n    max_session_ttl: soon'),
      'spec.options.max_session_ttl: given "soon": a duration such as 30h0m0s or 15m (line 6, column 22)',
    ],
    [
      yaml('  allow:\n    rules:\n      - {resources: [user], verbs: [lst]}'),
      'spec.allow.rules[0].verbs[0]: given "lst": one of list, create, read, ',
    ],
    [
      yaml('  allow:\n    rules:\n      - {resources: [], verbs: [list]}'),
      'spec.allow.rules[0].resources: given []: at least one',
    ],
    [
      yaml('  allow:\n    rules:\n      - {resources: [a], verbs: [list], where: "nonsense("}'),
      'spec.allow.rules[0].where: given "nonsense(": failed to parse predicate expression',
    ],
    [
      yaml(
        '  allow:\n    rules:\n      - {resources: [a], verbs: [list], where: \'hasPrefix(user.metadata.name, "a")\'}',
      ),
      'unknown function hasPrefix; known here: equals, contains',
    ],
    [
      yaml('  allow:\n    node_labels: {"*": prod}'),
      'spec.allow.node_labels.*: given "prod": the key "*" takes only the value "*" (line 6, column 24)',
    ],
    [
      yaml('  allow:\n    node_labels: {env: "^(a$"}'),
      'spec.allow.node_labels.env: given "^(a$": regular expression: missing closing )',
    ],
    [
      yaml('  allow:\n    node_labels_expression: name == "a"'),
      'unknown field name; known here: labels["…"], user.spec.traits["…"]',
    ],
    [yaml('  allow:\n    logins: ["{{internal.nothing}}"]'), 'internal has no trait nothing'],
    [yaml('  allow:\n    logins: ["{{internal.logins"]'), 'a template begins with {{ and ends with }}'],
    [
      yaml('  allow:\n    logins: ["{{external}}"]'),
      'unknown field external; known here: internal["…"], external["…"]',
    ],
    [yaml('  allow:\n    logins: [1]'), 'spec.allow.logins[0]: given 1: a text expected (write it in quotes)'],
    [yaml('  allow:\n    namespaces: [prod]'), 'spec.allow.namespaces[0]: given "prod": default expected'],
    [
      yaml('  allow:\n    logins: ["ro\\u202eot"]'),
      'spec.allow.logins[0]: given "ro\ufffdot": must not hold the character U+202E, which is not shown and may change what is shown around it',
    ],
    [
      yaml('  allow:\n    node_labels: {env: "a\\e[2J"}'),
      'spec.allow.node_labels.env: given "a\\u001b[2J": must not hold the character U+001B',
    ],
    [
      yaml('  allow: {}', 'v7', 'name: a, description: "a\\u0007"'),
      'metadata.description: given "a\\u0007": must not hold the character U+0007',
    ],
    [
      yaml('  allow:\n    require_session_join: [{name: n, filter: "", kinds: [ssh], modes: [peer], count: 0}]'),
      'spec.allow.require_session_join[0].count: given 0: a whole number from 1',
    ],
  ])('%j', (content, what) => expect(refusal(content)).toContain(what));

  test('aliases that grow without bound or lead back into themselves, endless texts and prototype keys do no harm', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
      .split('')
      .map((key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghij'[at]}`).join(',')}]`)
      .join('\n')}`;
    expect(refusal(bomb)).toContain('not readable as YAML');
    for (const endless of ['a: &a [*a]', 'kind: role\nspec: &a {allow: {logins: [&b {c: *a}]}}'])
      expect(refusal(endless)).toContain('not readable as YAML: the alias *a stands inside what it names');
    // Each key would be written out within the next: a hundred of them stopped the gateway for ever.
    for (const keys of [`${'? '.repeat(100)}x`, `${'{? '.repeat(100)}x${'}'.repeat(100)}`, 'a: &a {b: c}\n*a : x'])
      expect(refusal(keys)).toContain('not readable as YAML: a list or a map cannot be a key');
    // Compared each with each, and looked up each among all, these took minutes.
    const many = Array.from({ length: 8000 }, (_, at) => at);
    expect(refusal(many.map(at => `key${at}: 1`).join('\n'))).toContain('kind: missing');
    expect(refusal(many.map(at => `a${at}: &a${at} x\nb${at}: *a${at}`).join('\n'))).toContain(
      'more than 1000 aliases',
    );
    expect(refusal('kind: role\nspec: {allow: {}, allow: {}}')).toContain(
      'Map keys must be unique (line 2, column 19)',
    );
    expect(refusal('a'.repeat(300_000))).toContain('longer than');
    expect(refusal(yaml('  allow: {}', 'v7', 'name: a, __proto__: {x: y}'))).toContain('__proto__');
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
    // Lost on the way, this label would leave a role that selects every server of production.
    expect(refusal(yaml('  allow:\n    node_labels: {env: prod, __proto__: x}'))).toContain(
      'spec.allow.node_labels.__proto__: is not a name that a role can hold (line 6, column 30)',
    );
    expect(refusal(yaml('  allow: {}', 'v7', 'name: a, labels: {__proto__: x}'))).toContain('__proto__');
  });
});
