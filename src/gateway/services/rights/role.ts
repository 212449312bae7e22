// Reads a role's YAML into what rights are computed from. Says where it is wrong, by line and column.
import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { explainIssues } from '../../../contract/explain.ts';
import { Failure } from '../../../contract/failure.ts';
import type { GuardedKind } from '../../../contract/guards.ts';
import type { Mode } from '../../../contract/live-sessions.ts';
import { checkPattern } from '../../../contract/pattern.ts';
import { type Expression, parsePredicate } from '../../../contract/predicate.ts';
import { type ConditionsSource, type GuardSource, guardKindOf, roleDocument } from '../../../contract/role-document.ts';
import type { RoleOptions } from '../../../contract/role-options.ts';
import { documentErrors, documentValue, offsetOf, PARSING } from '../../../contract/yaml-offset.ts';
import type { JoinKind, JoinPolicy, LabelledKind, PrincipalKey } from '../../ports/rights.ts';
import { prototypeKey } from '../prototype-keys.ts';
import { parseTemplateValue, type Template } from './template.ts';

/** What a role's YAML is held against. */
export const roleSchema = roleDocument({
  pattern: checkPattern,
  template: parseTemplateValue,
  labelValue: value => parseTemplateValue(value).inside ?? checkPattern(value),
  labels: value => parsePredicate(value, 'labels'),
  where: value => parsePredicate(value, 'where'),
  person: value => value === '' || parsePredicate(value, 'person'),
  review: value => value === '' || parsePredicate(value, 'review'),
});

/** A role, read. `content` is the YAML it came from. */
export interface Role {
  readonly name: string;
  readonly version: 3 | 4 | 5 | 6 | 7;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly expires: Date | null;
  readonly options: RoleOptions;
  readonly allow: Conditions;
  readonly deny: Conditions;
  readonly guards: readonly RoleGuard[];
  readonly content: string;
}

/** One side of a role. */
export interface Conditions {
  /** What may be used on the resources selected: OS logins, database users and the like. */
  readonly principals: Readonly<Record<PrincipalKey | 'logins', readonly Template[]>>;
  readonly selectors: Readonly<Partial<Record<LabelledKind, RoleSelector>>>;
  readonly rules: readonly Rule[];
  readonly joinSessions: readonly JoinRule[];
  /** One of those of a kind must be met in each session of that kind. */
  readonly requireJoin: readonly (JoinPolicy & { readonly kinds: readonly JoinKind[] })[];
  /** Everything else of this side, as written. */
  readonly source: ConditionsSource;
}

/** A guard; `labels` null: it is about all resources of its kind. */
export interface RoleGuard {
  readonly kind: GuardedKind;
  readonly labels: RoleSelector['labels'];
  readonly source: GuardSource;
}

/** A choice of resources before a person's traits are filled in. */
interface RoleSelector {
  readonly labels: Readonly<Record<string, readonly Template[]>> | null;
  readonly expression: Expression | null;
}
export interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly where: Expression | null;
}
interface JoinRule {
  /** Patterns of the owner's roles. */
  readonly roles: readonly string[];
  readonly kinds: readonly JoinKind[];
  readonly modes: readonly Mode[];
}

/** Keys of a side that hold principals. */
export const principalKeys = [
  'logins',
  'db_users',
  'db_names',
  'db_roles',
  'host_groups',
  'host_sudoers',
  'kubernetes_users',
  'kubernetes_groups',
  'windows_desktop_logins',
  'aws_role_arns',
  'azure_identities',
  'gcp_service_accounts',
] as const satisfies readonly (PrincipalKey | 'logins')[];

/** Resource kind -> the key that selects it. */
export const selectorKeys = {
  node: 'node_labels',
  app: 'app_labels',
  db: 'db_labels',
  db_service: 'db_service_labels',
  windows_desktop: 'windows_desktop_labels',
  kube_cluster: 'kubernetes_labels',
  user_group: 'group_labels',
  remote_cluster: 'cluster_labels',
} as const satisfies Record<LabelledKind, keyof ConditionsSource>;
export const labelledKinds = Object.keys(selectorKeys) as readonly LabelledKind[];

/** A side that selects all there is. */
const EVERYTHING: Pick<Conditions, 'selectors' | 'rules' | 'joinSessions'> = {
  selectors: Object.fromEntries(
    labelledKinds.map(kind => [kind, { labels: { '*': [parseTemplateValue('*')] }, expression: null }]),
  ),
  rules: [{ resources: ['*'], verbs: ['*'], where: null }],
  joinSessions: [{ roles: ['*'], kinds: ['ssh', 'k8s', 'desktop'], modes: ['peer', 'observer', 'moderator'] }],
};

/** Longest role, characters: the contract's limit for a resource's YAML. */
const CONTENT_MOST_CHARACTERS = 262_144;

/** Reads a role. Throws Failure bad_request that names the path, what is allowed, and line and column. */
export function parseRole(content: string): Role {
  const { value, contents, lines } = readYaml(content);
  const reaching = prototypeKey(value);
  if (reaching)
    throw new Failure(
      'bad_request',
      `role: ${reaching.join('.')}: is not a name that a role can hold (${place(lines, offsetOf(contents, reaching, true))})`,
    );
  const read = z.safeParse(roleSchema, value);
  if (!read.success) {
    const [problem] = explainIssues(read.error.issues, value, roleSchema);
    const { text, path, key } = problem ?? { text: 'not a role', path: [], key: false };
    throw new Failure('bad_request', `role: ${text} (${place(lines, offsetOf(contents, path, key))})`);
  }
  return roleOf(read.data, content);
}

/**
 * What is left of a stored role that parseRole refuses. It allows nothing. Its deny side and its options hold where they can be read by
 * themselves; where they cannot, or where it asked that others be present, it denies everything.
 */
export function unreadableRole(name: string, content: string): Role {
  const bare = { kind: 'role', version: 'v7', metadata: { name } };
  const restrictions = restrictionsOf(content);
  const read =
    restrictions && prototypeKey(restrictions) === null
      ? z.safeParse(roleSchema, { ...bare, spec: restrictions })
      : null;
  const role = roleOf(read?.success ? read.data : z.parse(roleSchema, { ...bare, spec: {} }), content);
  return read?.success ? role : { ...role, deny: { ...role.deny, ...EVERYTHING } };
}

/** The parts of a role that only take away; null where they cannot be told apart. */
function restrictionsOf(content: string): object | null {
  try {
    const { value } = readYaml(content);
    const spec = isRecord(value) ? value.spec : null;
    if (!isRecord(spec) || (isRecord(spec.allow) && Object.hasOwn(spec.allow, 'require_session_join'))) return null;
    return {
      ...(spec.options !== undefined && { options: spec.options }),
      ...(spec.deny !== undefined && { deny: spec.deny }),
      ...(spec.guards !== undefined && { guards: spec.guards }),
    };
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws Failure bad_request for what is no YAML. */
function readYaml(content: string): {
  readonly value: unknown;
  readonly contents: unknown;
  readonly lines: LineCounter;
} {
  if (content.length > CONTENT_MOST_CHARACTERS)
    throw new Failure('bad_request', `role: longer than ${CONTENT_MOST_CHARACTERS} characters`);
  const lines = new LineCounter();
  const document = parseDocument(content, { ...PARSING, lineCounter: lines });
  const [broken] = documentErrors(document);
  if (broken)
    throw new Failure('bad_request', `role: not readable as YAML: ${broken.message} (${place(lines, broken.pos[0])})`);
  try {
    return { value: documentValue(document), contents: document.contents, lines };
  } catch (error) {
    throw new Failure(
      'bad_request',
      `role: not readable as YAML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function roleOf({ metadata, version, spec }: z.output<typeof roleSchema>, content: string): Role {
  const number = Number(version.slice(1)) as Role['version'];
  return {
    name: metadata.name,
    version: number,
    description: metadata.description ?? '',
    labels: metadata.labels ?? {},
    expires: metadata.expires === undefined ? null : new Date(metadata.expires),
    options: spec.options ?? {},
    allow: conditionsOf(spec.allow ?? {}, number, true),
    deny: conditionsOf(spec.deny ?? {}, number, false),
    guards: (spec.guards ?? []).map(source => ({
      kind: guardKindOf(source),
      source,
      labels: guardedLabels(source),
    })),
    content,
  };
}

const guardedLabels = ({ db_labels: databases, kubernetes_labels: clusters }: GuardSource): RoleGuard['labels'] => {
  const labels = databases ?? clusters;
  return labels ? labelsOf(labels) : null;
};

/** Where a path of a role's YAML stands, such as `line 3, column 5`. */
export function placeOf(content: string, path: readonly PropertyKey[]): string {
  const { line, column } = positionOf(content, path);
  return `line ${line}, column ${column}`;
}
/** The same as numbers, from 1; `isKey`: of the key rather than its value. A path that is not there stands where its nearest parent does. */
export function positionOf(
  content: string,
  path: readonly PropertyKey[],
  isKey = false,
): { readonly line: number; readonly column: number } {
  const lines = new LineCounter();
  const document = parseDocument(content, { ...PARSING, lineCounter: lines });
  const { line, col } = lines.linePos(offsetOf(document.contents, path, isKey));
  return { line, column: col };
}

const place = (lines: LineCounter, offset: number): string => {
  const { line, col } = lines.linePos(offset);
  return `line ${line}, column ${col}`;
};

function conditionsOf(source: ConditionsSource, version: number, allow: boolean): Conditions {
  const selectors: Partial<Record<LabelledKind, RoleSelector>> = {};
  for (const kind of labelledKinds) {
    const selector = selectorOf(source, kind, version, allow);
    if (selector) selectors[kind] = selector;
  }
  return {
    principals: Object.fromEntries(
      principalKeys.map(key => [key, (source[key] ?? []).map(parseTemplateValue)]),
    ) as unknown as Conditions['principals'],
    selectors,
    rules: (source.rules ?? []).map(rule => ({
      resources: rule.resources,
      verbs: rule.verbs,
      where: rule.where === undefined ? null : parsePredicate(rule.where, 'where'),
    })),
    // Sessions with others in them came with version 5, and so did the demand for them.
    requireJoin:
      version < 5
        ? []
        : (source.require_session_join ?? []).map(({ name, filter, kinds, modes, count, on_leave }) => ({
            name,
            filter: filter === '' ? null : parsePredicate(filter, 'person'),
            kinds: kindsOf(kinds),
            modes,
            count,
            onLeave: on_leave === 'pause' ? 'pause' : 'terminate',
          })),
    joinSessions:
      version < 5
        ? []
        : (source.join_sessions ?? []).map(join => ({
            roles: join.roles,
            kinds: kindsOf(join.kinds),
            modes: join.modes,
          })),
    source,
  };
}

const kindsOf = (kinds: readonly (JoinKind | '*')[]): readonly JoinKind[] =>
  kinds.includes('*') ? ['ssh', 'k8s', 'desktop'] : kinds.flatMap(kind => (kind === '*' ? [] : [kind]));

/** Kinds that version 3 opens to everyone when the role says nothing about them. */
const openInVersion3: readonly LabelledKind[] = ['node', 'app', 'db', 'kube_cluster'];

function selectorOf(
  source: ConditionsSource,
  kind: LabelledKind,
  version: number,
  allow: boolean,
): RoleSelector | undefined {
  const key = selectorKeys[kind];
  const written = source[key];
  const text = source[`${key}_expression`];
  const expression = text === undefined || text === '' ? null : parsePredicate(text, 'labels');
  const open =
    allow &&
    version === 3 &&
    written === undefined &&
    openInVersion3.includes(kind) &&
    (kind !== 'node' || (source.logins ?? []).length > 0);
  const labels = open ? { '*': '*' } : (written ?? {});
  // An empty selector selects nothing; beside an expression it says nothing.
  if (Object.keys(labels).length === 0) return expression ? { labels: null, expression } : undefined;
  return { labels: labelsOf(labels), expression };
}

const labelsOf = (labels: NonNullable<ConditionsSource['db_labels']>): NonNullable<RoleSelector['labels']> =>
  Object.fromEntries(
    Object.entries(labels).map(
      ([name, values]) => [name, (Array.isArray(values) ? values : [values]).map(parseTemplateValue)] as const,
    ),
  );
