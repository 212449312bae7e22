// What a role may hold, key by key. Unknown keys are refused, not ignored: a misspelt deny must not open a door.
import * as z from 'zod';
import { verbs } from '../../../contract/acl.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { checkPattern } from '../../../contract/pattern.ts';
import { parsePredicate } from '../../../contract/predicate.ts';
import { labelName, safeName } from '../../../contract/shapes.ts';
import { visible, visibleLines } from '../../../contract/visible-text.ts';
import { parseTemplateValue } from './template.ts';

/** Bounds: far beyond what people write, far below what hurts. */
const TEXT_MOST_CHARACTERS = 4096;
const LIST_MOST_ITEMS = 1000;

/** Of several lines: descriptions, prompts, conditions. */
const lines = z.string().max(TEXT_MOST_CHARACTERS).check(visibleLines);
const text = z.string().max(TEXT_MOST_CHARACTERS).check(visible);
const words = z.array(text.min(1)).max(LIST_MOST_ITEMS);

/** Refuses a text that `read` throws at, in its own words. */
const readable = (read: (value: string) => unknown, written = text) =>
  written.superRefine((value, context) => {
    try {
      read(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    }
  });

/** A value that may hold a `{{template}}`. */
const templated = readable(parseTemplateValue);
const templatedWords = z.array(templated.min(1)).max(LIST_MOST_ITEMS);
const labelExpression = readable(value => parsePredicate(value, 'labels'), lines);
const where = readable(value => parsePredicate(value, 'where'), lines);
/** Empty: everybody. */
const person = readable(value => value === '' || parsePredicate(value, 'person'));

const labelValue = readable(value => {
  if (parseTemplateValue(value).inside === null) checkPattern(value);
});
/** `"*"` stands for every label and takes only `"*"`. */
const labels = z
  .record(text.min(1).max(255), z.union([labelValue, z.array(labelValue).max(LIST_MOST_ITEMS)]))
  .superRefine((map, context) => {
    const all = Object.hasOwn(map, '*') ? map['*'] : undefined;
    if (
      all !== undefined &&
      !(all === '*' || (Array.isArray(all) && all.length > 0 && all.every(value => value === '*')))
    )
      context.addIssue({ code: 'custom', path: ['*'], message: 'the key "*" takes only the value "*"' });
  });

const duration = z.string().refine(value => parseDuration(value) !== undefined, 'a duration such as 30h0m0s or 15m');
const durationOrNever = z
  .string()
  .refine(value => value === 'never' || parseDuration(value) !== undefined, 'a duration such as 15m, or never');
/** Roles written for other tools say yes and no too. */
const flag = z.union([
  z.boolean(),
  z.enum(['yes', 'no', 'true', 'false']).transform(value => value === 'yes' || value === 'true'),
]);
const count = z.number().int().min(0).max(1_000_000);
const strictness = z.enum(['best_effort', 'strict']);

const options = z.strictObject({
  max_session_ttl: duration,
  forward_agent: flag,
  port_forwarding: flag,
  ssh_file_copy: flag,
  permit_x11_forwarding: flag,
  client_idle_timeout: durationOrNever,
  disconnect_expired_cert: flag,
  enhanced_recording: z.array(z.enum(['command', 'disk', 'network'])).max(3),
  max_connections: count,
  max_kubernetes_connections: count,
  max_sessions: count,
  require_session_mfa: z.union([flag, z.enum(['hardware_key', 'hardware_key_touch'])]),
  device_trust_mode: z.enum(['', 'off', 'optional', 'required']),
  lock: z.enum(['', 'best_effort', 'strict']),
  record_session: z.strictObject({ desktop: flag, default: strictness, ssh: strictness }).partial(),
  desktop_clipboard: flag,
  desktop_directory_sharing: flag,
  request_access: z.enum(['', 'optional', 'always', 'reason']),
  request_prompt: lines,
  pin_source_ip: flag,
  cert_format: z.enum(['standard', 'oldssh']),
  cert_extensions: z
    .array(z.strictObject({ type: z.literal('ssh'), mode: z.literal('extension'), name: text, value: text }))
    .max(100),
  create_host_user: flag,
  create_host_user_mode: z.enum(['off', 'drop', 'keep']),
  create_db_user: flag,
  create_desktop_user: flag,
  idp: z.strictObject({ saml: z.strictObject({ enabled: flag }).partial() }).partial(),
});

const rule = z.strictObject({
  /** Names of the catalogue, `*`, or names that other products of this wire know: they select nothing here. */
  resources: z
    .array(z.string().regex(/^(\*|[a-z][a-z0-9_]{0,63})$/, 'a resource name such as user, or "*"'))
    .min(1)
    .max(LIST_MOST_ITEMS),
  verbs: z
    .array(z.enum([...verbs, '*']))
    .min(1)
    .max(LIST_MOST_ITEMS),
  where: where.optional(),
  actions: words.optional(),
});

const sessionKinds = z.array(z.enum(['ssh', 'k8s', '*'])).max(10);
const sessionModes = z.array(z.enum(['moderator', 'peer', 'observer'])).max(3);
const claims = z.array(z.strictObject({ claim: text, value: text, roles: words })).max(LIST_MOST_ITEMS);
const globs = z.array(readable(checkPattern)).max(LIST_MOST_ITEMS);

const conditions = z.strictObject({
  logins: templatedWords,
  node_labels: labels,
  node_labels_expression: labelExpression,
  app_labels: labels,
  app_labels_expression: labelExpression,
  db_labels: labels,
  db_labels_expression: labelExpression,
  db_service_labels: labels,
  db_service_labels_expression: labelExpression,
  kubernetes_labels: labels,
  kubernetes_labels_expression: labelExpression,
  windows_desktop_labels: labels,
  windows_desktop_labels_expression: labelExpression,
  cluster_labels: labels,
  cluster_labels_expression: labelExpression,
  group_labels: labels,
  group_labels_expression: labelExpression,
  windows_desktop_logins: templatedWords,
  kubernetes_groups: templatedWords,
  kubernetes_users: templatedWords,
  kubernetes_resources: z
    .array(
      z.strictObject({
        kind: text,
        namespace: text.optional(),
        name: text.optional(),
        verbs: z
          .array(
            z.enum([
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
            ]),
          )
          .optional(),
      }),
    )
    .max(LIST_MOST_ITEMS),
  db_users: templatedWords,
  db_names: templatedWords,
  db_roles: templatedWords,
  aws_role_arns: templatedWords,
  azure_identities: templatedWords,
  gcp_service_accounts: templatedWords,
  host_groups: templatedWords,
  host_sudoers: words,
  desktop_groups: templatedWords,
  rules: z.array(rule).max(LIST_MOST_ITEMS),
  request: z
    .strictObject({
      roles: globs,
      search_as_roles: words,
      claims_to_roles: claims,
      suggested_reviewers: words,
      thresholds: z
        .array(z.strictObject({ name: text.optional(), filter: text.optional(), approve: count, deny: count }))
        .max(LIST_MOST_ITEMS),
      annotations: z.record(text, words),
      max_duration: duration,
    })
    .partial(),
  review_requests: z
    .strictObject({ roles: words, preview_as_roles: words, claims_to_roles: claims, where: text })
    .partial(),
  impersonate: z.strictObject({ users: words, roles: words, where }).partial(),
  require_session_join: z
    .array(
      z.strictObject({
        name: text.min(1),
        filter: person,
        kinds: sessionKinds,
        modes: sessionModes,
        count: z.number().int().min(1).max(1000),
        on_leave: text.optional(),
      }),
    )
    .max(LIST_MOST_ITEMS),
  join_sessions: z
    .array(z.strictObject({ name: text.min(1), roles: globs, kinds: sessionKinds, modes: sessionModes }))
    .max(LIST_MOST_ITEMS),
  namespaces: z.array(z.literal('default')).max(1),
});

/** A role as YAML says it. */
export const roleSchema = z.strictObject({
  kind: z.literal('role'),
  version: z.enum(['v3', 'v4', 'v5', 'v6', 'v7']),
  sub_kind: z.literal('').optional(),
  metadata: z.strictObject({
    name: safeName,
    namespace: z.literal('default').optional(),
    description: lines.optional(),
    labels: z.record(labelName, text).optional(),
    expires: z.iso.datetime({ offset: true }).optional(),
    id: z.union([z.number(), z.string()]).optional(),
    revision: z.union([z.number(), z.string()]).optional(),
  }),
  spec: z
    .strictObject({
      options: options.partial(),
      allow: conditions.partial(),
      deny: conditions.partial(),
    })
    .partial(),
});
type RoleSource = z.output<typeof roleSchema>;
export type ConditionsSource = NonNullable<RoleSource['spec']['allow']>;
export type RoleOptions = NonNullable<RoleSource['spec']['options']>;
