// What a role may hold, key by key: the gateway refuses by it, and editors complete from it. Unknown keys are refused, not ignored: a
// misspelt deny must not open a door.
import * as z from 'zod/mini';
import { ANNOTATION_MOST } from './access-requests.ts';
import { ruleResources, verbs } from './acl.ts';
import { described, metadata, named, shortText } from './document-parts.ts';
import { type GuardedKind, guardEffects, statementKinds } from './guards.ts';
import { modes } from './live-sessions.ts';
import { count, duration, lines, roleOptions, text } from './role-options.ts';
import { visible } from './visible-text.ts';

const LIST_MOST_ITEMS = 1000;

/**
 * How the texts are read that are in a language of their own; each throws what is wrong with one. The engines that read them are large: an editor
 * has none, and leaves those texts to the gateway.
 */
export interface TextReaders {
  /** A literal, a glob with `*`, or a `^regular expression$`. */
  readonly pattern: (text: string) => unknown;
  /** A value that may hold a `{{template}}`. */
  readonly template: (text: string) => unknown;
  /** A label's value: a template or a pattern. */
  readonly labelValue: (text: string) => unknown;
  /** A condition on labels. */
  readonly labels: (text: string) => unknown;
  /** The condition of a rule. */
  readonly where: (text: string) => unknown;
  /** Which people count; empty: everybody. */
  readonly person: (text: string) => unknown;
  /** Which reviews of access requests count; empty: all. */
  readonly review: (text: string) => unknown;
}

const listOf = <Item extends z.ZodMiniType>(item: Item, most = LIST_MOST_ITEMS) =>
  z.array(item).check(z.maxLength(most, `at most ${most} items`));
const filled = text.check(z.minLength(1, 'not empty'));
const words = listOf(filled);
const roleNames = listOf(named('role', filled));

/** Refuses a text that `read` throws at, in its own words. */
const readable = (read: (value: string) => unknown, written = text) =>
  written.check(
    z.superRefine((value, context) => {
      try {
        read(value);
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      }
    }),
  );

const sessionKinds = listOf(z.enum(['ssh', 'k8s', '*']), 10);
/** Desktops are watched, and ask for nobody to be there. */
const joinKinds = listOf(z.enum(['ssh', 'k8s', 'desktop', '*']), 10);
const sessionModes = listOf(z.enum(modes), 3);
const claims = listOf(z.strictObject({ claim: text, value: text, roles: roleNames }));
const podVerbs = [
  'get',
  'list',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'watch',
  'exec',
  'portforward',
  '*',
] as const;

/** Labels that choose what a side, or a guard, is about. `"*"` stands for every label and takes only `"*"`. */
function labelsRead(read: TextReaders) {
  const labelValue = readable(read.labelValue);
  return z
    .record(
      named('label', filled.check(z.maxLength(255, 'at most 255 characters'))),
      z.union([labelValue, listOf(labelValue)]),
    )
    .check(
      z.superRefine((map, context) => {
        const all = Object.hasOwn(map, '*') ? map['*'] : undefined;
        if (
          all !== undefined &&
          !(all === '*' || (Array.isArray(all) && all.length > 0 && all.every(value => value === '*')))
        )
          context.addIssue({ code: 'custom', path: ['*'], message: 'the key "*" takes only the value "*"' });
      }),
    );
}

/** What one side of a role holds: allow, or deny. */
function conditionsRead(read: TextReaders) {
  const templated = listOf(readable(read.template, filled));
  const globs = listOf(named('role', readable(read.pattern)));
  const expression = readable(read.labels, lines);
  const where = readable(read.where, lines);
  const labels = labelsRead(read);
  /** A kind's labels, and the other way to choose by them. */
  const choice = <Key extends string>(key: Key, what: string) =>
    ({
      [key]: described(`The ${what} that this side is about: every label must fit.`, labels),
      [`${key}_expression`]: described(`A condition on the labels of the ${what}.`, expression),
    }) as Record<Key, typeof labels> & Record<`${Key}_expression`, typeof expression>;
  const rule = z.strictObject({
    resources: described(
      'What is managed: kinds of resources, or "*".',
      // Further names are those that other products of this wire know: they select nothing here.
      listOf(
        z.union([
          z.string().check(z.regex(/^(\*|[a-z][a-z0-9_]{0,63})$/, 'a resource name such as user, or "*"')),
          z.enum([...ruleResources, '*']),
        ]),
      ).check(z.minLength(1, 'at least one')),
    ),
    verbs: described('What may be done to it.', listOf(z.enum([...verbs, '*'])).check(z.minLength(1, 'at least one'))),
    where: z.optional(described('A condition, such as contains(session.participants, user.metadata.name).', where)),
    actions: z.optional(words),
  });
  return z.partial(
    z.strictObject({
      logins: described('Users on servers.', templated),
      ...choice('node_labels', 'servers'),
      ...choice('app_labels', 'applications'),
      ...choice('db_labels', 'databases'),
      ...choice('db_service_labels', 'database services'),
      ...choice('kubernetes_labels', 'Kubernetes clusters'),
      ...choice('windows_desktop_labels', 'desktops'),
      ...choice('cluster_labels', 'leaf clusters'),
      ...choice('group_labels', 'user groups'),
      windows_desktop_logins: described('Users on desktops.', templated),
      kubernetes_groups: described('Groups in Kubernetes clusters.', templated),
      kubernetes_users: described('Users in Kubernetes clusters.', templated),
      kubernetes_resources: described(
        'What of a Kubernetes cluster.',
        listOf(
          z.strictObject({
            kind: described('Such as pod; "*": every kind.', text),
            namespace: z.optional(text),
            name: z.optional(text),
            verbs: z.optional(z.array(z.enum(podVerbs))),
          }),
        ),
      ),
      db_users: described('Users in databases.', templated),
      db_names: described('Databases of a server.', templated),
      db_roles: described('Roles that a user made in a database gets.', templated),
      aws_role_arns: described('Roles in AWS.', templated),
      azure_identities: described('Identities in Azure.', templated),
      gcp_service_accounts: described('Service accounts in Google Cloud.', templated),
      host_groups: described('Groups that a user made on a server joins.', templated),
      host_sudoers: described('Lines of sudoers for a user made on a server, without its name in front.', templated),
      desktop_groups: described('Groups that a user made on a desktop joins.', templated),
      rules: described('What may be managed: users, roles, recordings and the like.', listOf(rule)),
      request: described(
        'What may be asked for.',
        z.partial(
          z.strictObject({
            roles: described('Roles that may be asked for.', globs),
            search_as_roles: described('Resources of these roles may be found and asked for.', roleNames),
            claims_to_roles: claims,
            suggested_reviewers: words,
            thresholds: listOf(
              z.strictObject({
                name: z.optional(text),
                filter: z.optional(readable(read.review)),
                approve: count,
                deny: count,
              }),
            ),
            annotations: described(
              'What requests for this carry, for reviewers, plugins and conditions: texts by name, templates too.',
              z
                .record(
                  filled.check(
                    z.maxLength(ANNOTATION_MOST.characters, `at most ${ANNOTATION_MOST.characters} characters`),
                    visible,
                  ),
                  listOf(readable(read.template, filled), ANNOTATION_MOST.values),
                )
                .check(
                  z.refine(
                    all => Object.keys(all).length <= ANNOTATION_MOST.names,
                    `at most ${ANNOTATION_MOST.names} names`,
                  ),
                ),
            ),
            max_duration: described('How long what is granted lasts at most.', duration),
          }),
        ),
      ),
      review_requests: described(
        'Whose requests may be reviewed.',
        z.partial(
          z.strictObject({
            roles: described('Requests for these roles.', globs),
            preview_as_roles: described(
              'Reviewers see what is asked for, with address and labels, as these roles would show it.',
              roleNames,
            ),
            claims_to_roles: claims,
            where: readable(read.review),
          }),
        ),
      ),
      impersonate: described(
        'For whom certificates may be issued.',
        z.partial(z.strictObject({ users: words, roles: roleNames, where })),
      ),
      require_session_join: described(
        'Who must be present in sessions.',
        listOf(
          z.strictObject({
            name: filled,
            filter: described(
              'Who counts, such as contains(user.spec.roles, "auditor"); empty: everybody.',
              readable(read.person),
            ),
            kinds: sessionKinds,
            modes: sessionModes,
            count: described(
              'How many of them.',
              z.int().check(z.minimum(1, 'a whole number from 1'), z.maximum(1000, 'a whole number up to 1000')),
            ),
            on_leave: z.optional(described('What becomes of the session when they leave: terminate, or pause.', text)),
          }),
        ),
      ),
      join_sessions: described(
        'Whose sessions may be joined, and how.',
        listOf(
          z.strictObject({
            name: filled,
            roles: described('Roles of the owner.', globs),
            kinds: joinKinds,
            modes: sessionModes,
          }),
        ),
      ),
      namespaces: listOf(z.literal('default'), 1),
    }),
  );
}

/** Most guards of a role. */
const GUARDS_MOST = 100;
/** Table, or schema and table, or table and column: `*` stands for any text. */
const objectName = shortText.check(
  z.regex(/^[^\s.]+(\.[^\s.]+){0,2}$/, 'a name such as customers, public.customers or public.*'),
);
const columnName = shortText.check(
  z.regex(/^[^\s.]+(\.[^\s.]+){1,2}$/, 'a table and its column, such as customers.card_number or *.email'),
);

/** A Redis command, with its subcommand or without: `*` stands for any text. */
const commandName = shortText.check(
  z.regex(/^[A-Za-z0-9_.*|-]+( [A-Za-z0-9_.*-]+)?$/, 'a command such as flushall, or with its subcommand: config set'),
);

/** A name in a cluster, or a plural of kinds: `*` stands for any text. */
const objectPattern = shortText.check(z.regex(/^[A-Za-z0-9.*-]+$/, 'a name such as prod-*, or a plural such as pods'));
/** What a guard says of statements, and of requests to clusters. */
const statementFields = ['db_labels', 'statements', 'tables', 'columns', 'commands', 'keys'] as const;
const sqlFields = ['statements', 'tables', 'columns'] as const;
const commandFields = ['commands', 'keys'] as const;
const requestFields = ['kubernetes_labels', 'verbs', 'kinds', 'names', 'namespaces'] as const;
const hasSome = (guard: object, fields: readonly string[]): boolean =>
  fields.some(field => (guard as Readonly<Record<string, unknown>>)[field] !== undefined);

/**
 * What its holders may not simply do inside a session, whichever of their roles lets them in. Each guard is about one kind of resource, which
 * `guardKindOf` tells by its fields: those that a further kind brings stand beside these.
 */
const guardRead = (read: TextReaders) =>
  z
    .strictObject({
      name: described('How refusals and the audit log call it.', shortText.check(z.minLength(1, 'not empty'))),
      db_labels: z.optional(
        described('The databases that it is about: every label must fit. Left out: all of them.', labelsRead(read)),
      ),
      statements: z.optional(described('What statements do, such as ddl.', listOf(z.enum(statementKinds), 20))),
      tables: z.optional(described('Only statements that name one of these tables.', listOf(objectName))),
      columns: z.optional(described('Only statements that read or write one of these columns.', listOf(columnName))),
      commands: z.optional(
        described('Of Redis: only these commands, such as flushall, "config set" or *.', listOf(commandName)),
      ),
      keys: z.optional(described('Of Redis: only commands that may be about such a key.', listOf(shortText))),
      kubernetes_labels: z.optional(
        described('The clusters that it is about: every label must fit. Left out: all of them.', labelsRead(read)),
      ),
      verbs: z.optional(described('What is done in a cluster, such as delete.', listOf(z.enum(podVerbs), 20))),
      kinds: z.optional(
        described('Only requests about one of these kinds, such as namespaces.', listOf(objectPattern)),
      ),
      names: z.optional(described('Only requests that may be about an object of such a name.', listOf(objectPattern))),
      namespaces: z.optional(described('Only requests that may be about such a namespace.', listOf(objectPattern))),
      effect: described(
        'block: it is not executed; ask: it waits until a reviewer has allowed it; warn: the person is told.',
        z.enum(guardEffects),
      ),
      reviewers: z.optional(
        described(
          'Of those who may review statements, only these, or holders of these roles. Left out: all of them.',
          z.partial(z.strictObject({ users: listOf(shortText, 100), roles: listOf(shortText, 100) })),
        ),
      ),
      message: z.optional(described('What the person reads about it.', shortText)),
    })
    .check(
      z.refine(
        ({ statements, tables, columns, commands, keys, verbs, kinds }) =>
          [statements, tables, columns, commands, keys, verbs, kinds].some(list => (list?.length ?? 0) > 0),
        'at least one of statements, tables and columns, of commands and keys, or of verbs and kinds',
      ),
      z.refine(
        guard => !(hasSome(guard, sqlFields) && hasSome(guard, commandFields)),
        'statements, tables and columns, and commands and keys of Redis, go in guards of their own',
      ),
      z.refine(
        guard => !(hasSome(guard, requestFields) && hasSome(guard, statementFields)),
        'statements, tables and columns of databases, and verbs and kinds of clusters, go in guards of their own',
      ),
      z.refine(
        ({ effect, reviewers }) => effect === 'ask' || reviewers === undefined,
        'reviewers go with the effect ask',
      ),
      z.refine(
        ({ effect, statements, tables, columns }) =>
          effect !== 'mask' || (statements === undefined && tables === undefined && (columns?.length ?? 0) > 0),
        'the effect mask goes with columns alone',
      ),
    );

/** A role as YAML says it. */
export const roleDocument = (read: TextReaders) => {
  const conditions = conditionsRead(read);
  const revision = z.optional(z.union([z.number(), z.string()]));
  return z.strictObject({
    kind: z.literal('role'),
    version: z.enum(['v3', 'v4', 'v5', 'v6', 'v7']),
    sub_kind: z.optional(z.literal('')),
    metadata: z.extend(metadata, { id: revision, revision }),
    spec: z.partial(
      z.strictObject({
        options: described('How the sessions of its holders are.', roleOptions),
        allow: described('What its holders may do.', conditions),
        deny: described('What its holders may not do: it wins over what any role allows.', conditions),
        guards: described(
          'What its holders may not simply do inside sessions, whichever role lets them in.',
          listOf(guardRead(read), GUARDS_MOST),
        ),
      }),
    ),
  });
};
type RoleSource = z.output<ReturnType<typeof roleDocument>>;
export type ConditionsSource = NonNullable<RoleSource['spec']['allow']>;
export type GuardSource = NonNullable<RoleSource['spec']['guards']>[number];
/** The kind of resource that a guard is about. */
export const guardKindOf = (guard: GuardSource): GuardedKind => (hasSome(guard, requestFields) ? 'kube_cluster' : 'db');
