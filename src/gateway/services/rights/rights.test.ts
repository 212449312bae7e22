import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aclKeys, aclResources, type RuleResource, type Verb } from '../../../contract/acl.ts';
import type { Traits } from '../../ports/rights.ts';
import { delegatedRights } from './delegated.ts';
import { presetRoles } from './presets.ts';
import { createRights } from './rights.ts';
import { parseRole } from './role.ts';

let serial = 0;
/** A role from JSON, which YAML reads too. */
const role = (spec: object, version = 'v7', name = `role-${serial++}`) =>
  parseRole(JSON.stringify({ kind: 'role', version, metadata: { name }, spec }));
const rightsOf = (specs: readonly object[], traits: Traits = {}, version = 'v7') => {
  const roles = specs.map(spec => role(spec, version));
  return createRights(roles, { name: 'ann', roles: roles.map(({ name }) => name), traits });
};
const rule = (resources: string[], verbs: string[], where?: string) => ({
  resources,
  verbs,
  ...(where !== undefined && { where }),
});
const preset = (...names: string[]) =>
  createRights(
    presetRoles.filter(({ name }) => names.includes(name)).map(({ content }) => parseRole(content)),
    { name: 'ann', roles: names, traits: { logins: ['ann', 'root'] } },
  );

describe('rules', () => {
  test('a rule gives its verbs on its resources and nothing else', () => {
    const rights = rightsOf([{ allow: { rules: [rule(['user'], ['list', 'read'])] } }]);
    expect(rights.may('user', 'list')).toBe(true);
    expect(rights.may('user', 'update')).toBe(false);
    expect(rights.may('role', 'list')).toBe(false);
  });
  test('"*" stands for every resource and every verb', () => {
    const rights = rightsOf([{ allow: { rules: [rule(['*'], ['*'])] } }]);
    expect(rights.may('billing', 'rotate')).toBe(true);
    expect(rights.acl.users).toEqual({ list: true, read: true, edit: true, create: true, remove: true, use: true });
  });
  test('deny always beats allow, whichever role says it and in whatever order', () => {
    const allow = { allow: { rules: [rule(['*'], ['*'])] } };
    const deny = { deny: { rules: [rule(['user'], ['delete'])] } };
    for (const rights of [rightsOf([allow, deny]), rightsOf([deny, allow]), rightsOf([{ ...allow, ...deny }])]) {
      expect(rights.may('user', 'delete')).toBe(false);
      expect(rights.acl.users.remove).toBe(false);
      expect(rights.may('user', 'update')).toBe(true);
    }
  });
  test('edit is the verb update and remove is delete', () => {
    const rights = rightsOf([{ allow: { rules: [rule(['user'], ['update', 'delete'])] } }]);
    expect(rights.acl.users).toEqual({ list: false, read: false, edit: true, create: false, remove: true, use: false });
  });
  test('a where on the person is decided at once', () => {
    expect(
      rightsOf([{ allow: { rules: [rule(['user'], ['list'], 'equals(user.metadata.name, "ann")')] } }]).may(
        'user',
        'list',
      ),
    ).toBe(true);
    expect(
      rightsOf([{ allow: { rules: [rule(['user'], ['list'], 'equals(user.metadata.name, "bob")')] } }]).may(
        'user',
        'list',
      ),
    ).toBe(false);
    expect(
      rightsOf([{ allow: { rules: [rule(['user'], ['list'], 'contains(user.spec.traits["x"], "1")')] } }], {
        x: ['1'],
      }).may('user', 'list'),
    ).toBe(true);
  });
  test('a where on the resource counts without a subject, and is decided with one', () => {
    const rights = rightsOf([
      { allow: { rules: [rule(['session'], ['read'], 'contains(session.participants, user.metadata.name)')] } },
    ]);
    expect(rights.may('session', 'read')).toBe(true);
    expect(rights.may('session', 'read', { participants: ['bob', 'ann'] })).toBe(true);
    expect(rights.may('session', 'read', { participants: ['bob'] })).toBe(false);
    expect(rights.may('session', 'read', {})).toBe(false);
  });
  test('a where names the resource and its labels', () => {
    const rights = rightsOf([
      {
        allow: {
          rules: [
            rule(
              ['user'],
              ['update'],
              'resource.metadata.labels["team"] == "ops" && !equals(resource.metadata.name, "root")',
            ),
          ],
        },
      },
    ]);
    expect(rights.may('user', 'update', { resource: { name: 'bob', labels: { team: 'ops' } } })).toBe(true);
    expect(rights.may('user', 'update', { resource: { name: 'root', labels: { team: 'ops' } } })).toBe(false);
    expect(rights.may('user', 'update', { resource: { name: 'bob', labels: {} } })).toBe(false);
  });
  test('a deny with a where hides nothing in general and refuses what it fits; what it lacks to decide, it refuses', () => {
    const rights = rightsOf([
      {
        allow: { rules: [rule(['user'], ['update'])] },
        deny: { rules: [rule(['user'], ['update'], 'resource.metadata.name == "root"')] },
      },
    ]);
    expect(rights.may('user', 'update')).toBe(true);
    expect(rights.may('user', 'update', { resource: { name: 'bob', labels: {} } })).toBe(true);
    expect(rights.may('user', 'update', { resource: { name: 'root', labels: {} } })).toBe(false);
    expect(rights.may('user', 'update', { participants: [] })).toBe(false);
  });
  test('auth_connector covers oidc, saml and github; session_tracker and ssh_session are one', () => {
    const rights = rightsOf([{ allow: { rules: [rule(['auth_connector', 'session_tracker'], ['list'])] } }]);
    for (const resource of ['oidc', 'saml', 'github', 'ssh_session', 'session_tracker'] as const)
      expect(rights.may(resource, 'list')).toBe(true);
    expect(rightsOf([{ allow: { rules: [rule(['github'], ['list'])] } }]).may('auth_connector', 'list')).toBe(false);
  });
  test('whoever may read may read without secrets', () =>
    expect(rightsOf([{ allow: { rules: [rule(['token'], ['read'])] } }]).may('token', 'readnosecrets')).toBe(true));
  test('everybody may list and read the resources that labels filter', () => {
    const { acl, may } = rightsOf([]);
    for (const key of ['nodes', 'appServers', 'dbServers', 'kubeServers', 'desktops'] as const)
      expect(acl[key]).toMatchObject({ list: true, read: true, edit: false, create: false, remove: false });
    expect(may('cluster_name', 'read')).toBe(true);
    expect(may('user', 'list')).toBe(false);
  });
  test('a deny beats what everybody has', () =>
    expect(rightsOf([{ deny: { rules: [rule(['node'], ['list'])] } }]).may('node', 'list')).toBe(false));
  test("one's own roles may be read, others' not, and no list of them", () => {
    const rights = createRights([], { name: 'ann', roles: ['mine'], traits: {} });
    expect(rights.may('role', 'read', { resource: { name: 'mine', labels: {} } })).toBe(true);
    expect(rights.may('role', 'read', { resource: { name: 'other', labels: {} } })).toBe(false);
    expect(rights.may('role', 'list')).toBe(false);
  });
});

test('for random roles every right is what a naive reading says', () => {
  const resources = [...Object.values(aclResources), 'instance'] as RuleResource[];
  const verbs = ['list', 'read', 'create', 'update', 'delete'] as Verb[];
  const rules = fc.array(
    fc.record({
      resources: fc.array(fc.constantFrom(...resources, '*'), { minLength: 1, maxLength: 4 }),
      verbs: fc.array(fc.constantFrom(...verbs, '*'), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 4 },
  );
  const everybody = new Set(['node', 'app_server', 'db_server', 'db', 'kube_server', 'windows_desktop']);
  fc.assert(
    fc.property(fc.array(fc.record({ allow: rules, deny: rules }), { maxLength: 3 }), sides => {
      const rights = rightsOf(sides.map(({ allow, deny }) => ({ allow: { rules: allow }, deny: { rules: deny } })));
      const named = (side: 'allow' | 'deny', resource: string, verb: string) =>
        sides.some(one =>
          one[side].some(
            each =>
              (each.resources as string[]).some(name => name === '*' || name === resource) &&
              (each.verbs as string[]).some(name => name === '*' || name === verb),
          ),
        );
      for (const resource of resources)
        for (const verb of verbs) {
          const free = everybody.has(resource) && (verb === 'list' || verb === 'read');
          expect([resource, verb, rights.may(resource, verb)]).toEqual([
            resource,
            verb,
            !named('deny', resource, verb) && (free || named('allow', resource, verb)),
          ]);
        }
      for (const key of aclKeys) expect(rights.acl[key].edit).toBe(rights.may(aclResources[key], 'update'));
    }),
    { numRuns: 150 },
  );
});

describe('label selectors', () => {
  const selects = (labels: object, resource: Record<string, string>, traits: Traits = {}) =>
    rightsOf([{ allow: { node_labels: labels } }], traits).selects('node', resource);
  test('an empty selector matches nothing', () => expect(selects({}, { a: 'b' })).toBe(false));
  test('"*": "*" matches everything, also what has no labels', () => {
    expect(selects({ '*': '*' }, {})).toBe(true);
    expect(selects({ '*': ['*'] }, { a: 'b' })).toBe(true);
  });
  test('all keys must match', () => {
    expect(selects({ a: '1', b: '2' }, { a: '1', b: '2', c: '3' })).toBe(true);
    expect(selects({ a: '1', b: '2' }, { a: '1' })).toBe(false);
  });
  test('within a key any value does', () => expect(selects({ a: ['1', '2'] }, { a: '2' })).toBe(true));
  test('values are literals, globs, or expressions between ^ and $', () => {
    expect(selects({ a: 'we*-1' }, { a: 'web-1' })).toBe(true);
    expect(selects({ a: '^web-\\d$' }, { a: 'web-1' })).toBe(true);
    expect(selects({ a: 'web' }, { a: 'web-1' })).toBe(false);
  });
  test('traits fill in values; without them nothing matches', () => {
    expect(selects({ team: '{{external.teams}}' }, { team: 'ops' }, { teams: ['dev', 'ops'] })).toBe(true);
    expect(selects({ team: '{{external.teams}}' }, { team: 'ops' })).toBe(false);
  });
  test('selector and expression: allow needs both', () => {
    const rights = rightsOf(
      [
        {
          allow: {
            node_labels: { env: 'prod' },
            node_labels_expression: 'contains(user.spec.traits["teams"], labels["team"])',
          },
        },
      ],
      { teams: ['ops'] },
    );
    expect(rights.selects('node', { env: 'prod', team: 'ops' })).toBe(true);
    expect(rights.selects('node', { env: 'prod', team: 'dev' })).toBe(false);
    expect(rights.selects('node', { env: 'dev', team: 'ops' })).toBe(false);
  });
  test('selector and expression: deny fires on either', () => {
    const rights = rightsOf([
      {
        allow: { node_labels: { '*': '*' } },
        deny: { node_labels: { env: 'prod' }, node_labels_expression: 'labels["team"] == "dev"' },
      },
    ]);
    expect(rights.selects('node', { env: 'prod', team: 'ops' })).toBe(false);
    expect(rights.selects('node', { env: 'dev', team: 'dev' })).toBe(false);
    expect(rights.selects('node', { env: 'dev', team: 'ops' })).toBe(true);
  });
  test('an expression alone selects, from version 4 on', () =>
    expect(
      rightsOf([{ allow: { app_labels_expression: 'labels["a"] == "b"' } }], {}, 'v4').selects('app', { a: 'b' }),
    ).toBe(true));
  test('each kind has its own selector', () => {
    const rights = rightsOf([{ allow: { db_labels: { '*': '*' }, group_labels: { a: 'b' } } }]);
    expect(rights.selects('db', {})).toBe(true);
    expect(rights.selects('user_group', { a: 'b' })).toBe(true);
    for (const kind of ['node', 'app', 'db_service', 'windows_desktop', 'kube_cluster'] as const)
      expect(rights.selects(kind, {})).toBe(false);
  });
  test('the selection for the store says the same as selects', () => {
    const rights = rightsOf(
      [{ allow: { node_labels: { team: ['{{external.teams}}', 'x'] } }, deny: { node_labels: { env: 'prod' } } }],
      { teams: ['ops'] },
    );
    expect(rights.selection('node')).toEqual({
      allow: [{ labels: { team: ['ops', 'x'] }, expression: null }],
      deny: [{ labels: { env: ['prod'] }, expression: null }],
      user: { name: 'ann', roles: expect.anything(), traits: { teams: ['ops'] } },
    });
    expect(rights.selection('app')).toEqual({ allow: [], deny: [], user: expect.anything() });
  });
});

describe('what versions default to', () => {
  test('version 3 opens applications, databases and Kubernetes, and servers when it names logins', () => {
    const rights = rightsOf([{ allow: { logins: ['root'] } }], {}, 'v3');
    for (const kind of ['node', 'app', 'db', 'kube_cluster'] as const) expect(rights.selects(kind, {})).toBe(true);
    for (const kind of ['windows_desktop', 'db_service', 'user_group'] as const)
      expect(rights.selects(kind, {})).toBe(false);
    expect(rightsOf([{ allow: {} }], {}, 'v3').selects('node', {})).toBe(false);
    expect(rightsOf([{ allow: { node_labels: {}, logins: ['root'] } }], {}, 'v3').selects('node', {})).toBe(false);
    expect(rightsOf([{ deny: {}, allow: { logins: ['root'] } }], {}, 'v3').selects('node', {})).toBe(true);
  });
  test.each(['v4', 'v5', 'v6', 'v7'])('%s opens nothing', version => {
    const rights = rightsOf([{ allow: { logins: ['root'] } }], {}, version);
    for (const kind of ['node', 'app', 'db', 'kube_cluster'] as const) expect(rights.selects(kind, {})).toBe(false);
  });
});

describe('logins', () => {
  const all = { node_labels: { '*': '*' } };
  test('root comes first, then by name, each once', () =>
    expect(rightsOf([{ allow: { ...all, logins: ['web', 'root', 'adm', 'web'] } }]).logins({})).toEqual([
      'root',
      'adm',
      'web',
    ]));
  test('traits fill in templates, with text around them and functions', () => {
    const logins = [
      '{{internal.logins}}',
      'x-{{external.team}}-y',
      '{{email.local(external.email)}}',
      '{{regexp.replace(external.email, "^(.)[^@]*@.*$", "$1")}}',
    ];
    expect(
      rightsOf([{ allow: { ...all, logins } }], {
        logins: ['ann'],
        team: ['ops', 'dev'],
        email: ['bob@example.com'],
      }).logins({}),
    ).toEqual(['ann', 'b', 'bob', 'x-dev-y', 'x-ops-y']);
    expect(rightsOf([{ allow: { ...all, logins } }]).logins({})).toEqual([]);
  });
  test("a role's logins are for the servers that role selects", () => {
    const rights = rightsOf([
      { allow: { node_labels: { env: 'dev' }, logins: ['root'] } },
      { allow: { ...all, logins: ['guest'] } },
    ]);
    expect(rights.logins({ env: 'dev' })).toEqual(['root', 'guest']);
    expect(rights.logins({ env: 'prod' })).toEqual(['guest']);
  });
  test('denied servers have none, denied logins are missing everywhere, "*" denies all', () => {
    expect(
      rightsOf([{ allow: { ...all, logins: ['root'] } }, { deny: { node_labels: { env: 'prod' } } }]).logins({
        env: 'prod',
      }),
    ).toEqual([]);
    expect(
      rightsOf([{ allow: { ...all, logins: ['root', 'ann'] } }, { deny: { logins: ['root'] } }]).logins({}),
    ).toEqual(['ann']);
    expect(rightsOf([{ allow: { ...all, logins: ['root'] } }, { deny: { logins: ['*'] } }]).logins({})).toEqual([]);
  });
  test('what no host could know as a login is left out', () =>
    expect(
      rightsOf([{ allow: { ...all, logins: ['{{internal.logins}}'] } }], {
        logins: ['-oProxy', 'a b', 'a\nb', '../x', '*', 'a:b', 'DOM\\ann', 'ann@dom'],
      }).logins({}),
    ).toEqual(['DOM\\ann', 'ann@dom']));
  test.each([[{ options: { require_session_mfa: 'hardware_key' } }]])(
    'a role that demands what nobody can give opens no session: %j',
    demand => {
      expect(rightsOf([{ allow: { ...all, logins: ['root'] } }, demand]).logins({})).toEqual([]);
      expect(
        rightsOf([
          { allow: { ...all, logins: ['root'] } },
          { options: { require_session_mfa: false, device_trust_mode: 'optional' } },
        ]).logins({}),
      ).toEqual(['root']);
    },
  );
});

describe('a database user of their own', () => {
  const makes = { options: { create_db_user: true }, allow: { db_labels: { env: 'dev' } } };
  test.each<[string, readonly object[], boolean]>([
    ['is made where a role says so', [makes], true],
    ['is made whatever db_users allow others', [makes, { allow: { db_users: ['app'] } }], true],
    ['is not made where another says that none are', [makes, { options: { create_db_user: false } }], false],
    ['is not made where no role says so', [{ allow: makes.allow }], false],
    ['is not made where a role denies their name', [makes, { deny: { db_users: ['ann'] } }], false],
    ['is not made where a role denies all names', [makes, { deny: { db_users: ['*'] } }], false],
    ['is made where a role denies others', [makes, { deny: { db_users: ['app'] } }], true],
    ['is not made where the labels are denied', [makes, { deny: { db_labels: { env: 'dev' } } }], false],
    ['is not made where a role opens no session', [makes, { options: { require_session_mfa: 'hardware_key' } }], false],
  ])('%s', (_what, specs, is) =>
    expect([rightsOf(specs).ownDatabaseUser({ env: 'dev' }), rightsOf(specs).ownDatabaseUser({})]).toEqual([is, false]),
  );
  test('is an agent’s only where it was given that name', () => {
    const held = role(makes);
    const agent = (logins: readonly string[]) =>
      delegatedRights(
        [held],
        { name: 'ann', roles: [held.name], traits: {} },
        { roles: [held.name], kinds: ['database'], labels: {}, logins },
      ).ownDatabaseUser({ env: 'dev' });
    expect([agent([]), agent(['app']), agent(['app', 'ann'])]).toEqual([true, false, true]);
  });
});

test('the strictest of what roles ask of devices counts, and what is asked of them takes no login away', () => {
  const trust = (...wanted: unknown[]) =>
    rightsOf(wanted.map(one => ({ options: { device_trust_mode: one } }))).options;
  expect([trust(), trust(''), trust('off', 'optional'), trust('required', 'off')].map(one => one.deviceTrust)).toEqual([
    'off',
    'off',
    'optional',
    'required',
  ]);
  const all = { node_labels: { '*': '*' }, logins: ['root'] };
  expect(rightsOf([{ allow: all, options: { device_trust_mode: 'required' } }]).logins({})).toEqual(['root']);
});

test('one role that wants a second factor for each session is enough', () => {
  const factor = (...wanted: unknown[]) =>
    rightsOf(wanted.map(one => ({ options: { require_session_mfa: one } }))).options.sessionFactor;
  expect([factor(), factor(false), factor(false, true)]).toEqual([false, false, true]);
});

describe('what may be asked for', () => {
  const strategy = (...given: object[]) => rightsOf(given.map(options => ({ options }))).requests.strategy;
  test('the strictest way of asking counts, and prompts are joined, each once', () => {
    expect(strategy({})).toEqual({ type: 'optional', prompt: '' });
    expect(strategy({ request_access: '' }, { request_access: 'always' })).toEqual({ type: 'always', prompt: '' });
    expect(
      strategy(
        { request_access: 'reason', request_prompt: 'Which ticket?' },
        { request_access: 'always', request_prompt: 'Which ticket?' },
        { request_prompt: 'How long?' },
      ),
    ).toEqual({ type: 'reason', prompt: 'Which ticket?\nHow long?' });
  });
  test('roles are those that fit a pattern, are not denied, and are not held', () => {
    const held = role({ allow: { request: { roles: ['db-*', '^web-[0-9]+$', 'held'] } } }, 'v7', 'held');
    const denies = role({ deny: { request: { roles: ['db-root'] } } });
    const { requests } = createRights([held, denies], { name: 'ann', roles: ['held'], traits: {} });
    expect(requests.anyRoles).toBe(true);
    expect(requests.roles(['db-read', 'db-root', 'web-1', 'web-x', 'held', 'access'])).toEqual(['db-read', 'web-1']);
    expect(rightsOf([{}]).requests.anyRoles).toBe(false);
  });
  test('roles may also be given by what a claim of a person is, to ask for and to review', () => {
    const claims = [{ claim: 'team', value: 'd*', roles: ['dba'] }];
    const of = (team: string) =>
      rightsOf([{ allow: { request: { claims_to_roles: claims }, review_requests: { claims_to_roles: claims } } }], {
        team: [team],
      });
    const about = { roles: ['dba'], reason: '', annotations: {} };
    expect([of('data').requests.roles(['dba', 'web']), of('web').requests.roles(['dba', 'web'])]).toEqual([
      ['dba'],
      [],
    ]);
    expect([of('data').reviews.permits(about), of('web').reviews.permits(about)]).toEqual([true, false]);
    const denied = { deny: { request: { claims_to_roles: claims }, review_requests: { claims_to_roles: claims } } };
    const both = rightsOf([{ allow: { request: { roles: ['*'] }, review_requests: { roles: ['*'] } } }, denied], {
      team: ['data'],
    });
    expect([both.requests.roles(['dba', 'web']), both.reviews.permits(about)]).toEqual([['web'], false]);
  });
  test('a condition of a reviewer is held against the request', () => {
    const where = 'contains(request.roles, "web")';
    const { reviews } = rightsOf([{ allow: { review_requests: { roles: ['*'], where } } }]);
    const permits = (roles: readonly string[]) => reviews.permits({ roles, reason: '', annotations: {} });
    expect([permits(['dba']), permits(['dba', 'web'])]).toEqual([false, true]);
  });
  test('reviewers and roles to search as are those of all roles, each once, without the denied', () => {
    const { requests } = rightsOf([
      { allow: { request: { suggested_reviewers: ['zoe', 'bob'], search_as_roles: ['access', 'dba'] } } },
      { allow: { request: { suggested_reviewers: ['bob'] } }, deny: { request: { search_as_roles: ['dba'] } } },
    ]);
    expect([requests.suggestedReviewers, requests.searchAsRoles]).toEqual([['bob', 'zoe'], ['access']]);
  });
});

describe('joining sessions', () => {
  const join = (roles: string[], kinds: string[], modes: string[]) => ({
    join_sessions: [{ name: 'n', roles, kinds, modes }],
  });
  test('modes are given by globs of the roles of the owner and by kind', () => {
    const rights = rightsOf([
      { allow: join(['prod-*'], ['ssh'], ['observer']) },
      { allow: join(['*'], ['k8s'], ['peer']) },
    ]);
    expect(rights.joinModes(['prod-web'], 'ssh')).toEqual(['observer']);
    expect(rights.joinModes(['dev'], 'ssh')).toEqual([]);
    expect(rights.joinModes(['dev'], 'k8s')).toEqual(['peer']);
    expect(rights.joinModes([], 'k8s')).toEqual([]);
  });
  test('a deny entry removes', () =>
    expect(
      rightsOf([
        { allow: join(['*'], ['*'], ['observer', 'moderator', 'peer']), deny: join(['prod'], ['ssh'], ['peer']) },
      ]).joinModes(['prod'], 'ssh'),
    ).toEqual(['observer', 'moderator']));
  test('roles before version 5 give none', () =>
    expect(rightsOf([{ allow: join(['*'], ['*'], ['peer']) }], {}, 'v4').joinModes(['x'], 'ssh')).toEqual([]));
  test('whoever may join sees the list of active sessions, without the right to all of them', () => {
    const rights = rightsOf([{ allow: join(['x'], ['ssh'], ['observer']) }]);
    expect(rights.acl.activeSessions).toMatchObject({ list: true, read: true, edit: false });
    expect(rights.may('ssh_session', 'list')).toBe(false);
    expect(rightsOf([]).acl.activeSessions).toMatchObject({ list: false, read: false });
  });
});

describe('who must be in a session', () => {
  const demand = (name: string, kinds: string[], more: object = {}) => ({
    allow: {
      require_session_join: [{ name, filter: 'user.name == "bob"', kinds, modes: ['moderator'], count: 1, ...more }],
    },
  });
  const named = (rights: ReturnType<typeof rightsOf>, kind: 'ssh' | 'k8s') =>
    rights.joinDemands(kind).map(({ policies }) => policies.map(({ name, onLeave }) => `${name} ${onLeave}`));
  test('each role demands its own, by kind, and ends the session where it does not say pause', () => {
    const rights = rightsOf([
      demand('one', ['ssh'], { on_leave: 'pause' }),
      demand('two', ['*'], { on_leave: 'shrug' }),
      {},
    ]);
    expect([named(rights, 'ssh'), named(rights, 'k8s')]).toEqual([
      [['one pause'], ['two terminate']],
      [['two terminate']],
    ]);
  });
  test('roles before version 5 and the deny side demand nothing', () => {
    expect(named(rightsOf([demand('one', ['ssh'])], {}, 'v4'), 'ssh')).toEqual([]);
    expect(named(rightsOf([{ deny: demand('one', ['ssh']).allow }]), 'ssh')).toEqual([]);
  });
  test('a filter that cannot be read, or speaks of what nobody has, is refused when it is written', () => {
    expect(() => rightsOf([demand('one', ['ssh'], { filter: 'x' })])).toThrow(/require_session_join\[0\]\.filter/);
    expect(() => rightsOf([demand('one', ['ssh'], { filter: 'equals(user.age, "1")' })])).toThrow(/unknown field/);
  });
});

describe('presets', () => {
  test('access reaches everything with the traits of its user, and the recordings the user took part in', () => {
    const rights = preset('access');
    for (const kind of ['node', 'app', 'db', 'db_service', 'windows_desktop', 'kube_cluster'] as const)
      expect(rights.selects(kind, {})).toBe(true);
    expect(rights.selects('user_group', {})).toBe(false);
    expect(rights.logins({})).toEqual(['root', 'ann']);
    expect(rights.may('event', 'list')).toBe(true);
    expect(rights.may('event', 'create')).toBe(false);
    expect(rights.may('session', 'read', { participants: ['bob'] })).toBe(false);
    expect(rights.may('assistant', 'use')).toBe(true);
    expect(rights.may('user', 'list')).toBe(false);
    expect(rights.options).toMatchObject({ maxSessionTtlMs: 30 * 3_600_000, forwardAgent: true, portForwarding: true });
    expect(rights.acl.desktopSessionRecording).toBe(true);
  });
  test('editor changes the cluster and reaches no server', () => {
    const rights = preset('editor');
    for (const resource of [
      'user',
      'role',
      'oidc',
      'saml',
      'github',
      'auth_connector',
      'trusted_cluster',
      'token',
      'lock',
      'billing',
      'access_list',
      'device',
      'integration',
      'plugin',
      'node',
    ] as const)
      for (const verb of ['list', 'create', 'read', 'update', 'delete'] as const)
        expect([resource, verb, rights.may(resource, verb)]).toEqual([resource, verb, true]);
    expect(rights.may('integration', 'use')).toBe(true);
    expect(rights.may('device', 'enroll')).toBe(true);
    expect(rights.may('instance', 'update')).toBe(false);
    expect(rights.may('session', 'list')).toBe(false);
    expect(rights.selects('node', {})).toBe(false);
    expect(rights.logins({})).toEqual([]);
  });
  test('auditor reads the log and every recording, and its login is none', () => {
    const rights = preset('auditor');
    for (const resource of ['session', 'event', 'session_tracker', 'cluster_alert', 'instance'] as const) {
      expect(rights.may(resource, 'list')).toBe(true);
      expect(rights.may(resource, 'update')).toBe(false);
    }
    expect(rights.may('session', 'read', { participants: ['bob'] })).toBe(true);
    expect(rights.logins({})).toEqual([]);
    expect(rights.acl.desktopSessionRecording).toBe(false);
  });
});
