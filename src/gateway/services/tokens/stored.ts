// A join token as the store keeps it, and as it is read back.
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import {
  type JoinMethod,
  joinMethod,
  type MethodRules,
  methodRules,
  wrongRules,
} from '../../../contract/join-methods.ts';
import {
  type JoinRole,
  type JoinToken,
  matcherLabels,
  RESOURCE_ID_LABEL,
  tokenRoles,
} from '../../../contract/join-tokens.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { NewResource, Resource } from '../../store/store.ts';
import { shownLabels } from '../lists.ts';
import { digest } from '../secrets.ts';

/** Label with the name of who made it: a document cannot set it. */
const MADE_BY_LABEL = 'postern.internal/created-by';

type Labels = Readonly<Record<string, string>>;
const spec = z.object({
  /** SHA-256 of the secret part, hex; empty where an ID token is the proof. */
  hash: z.string(),
  roles: tokenRoles,
  method: z._default(joinMethod, 'token'),
  /** How many may join; null: as many as there are. */
  uses: z.nullable(z.int()),
  used: z._default(z.int(), 0),
  labels: z._default(z.record(z.string(), z.string()), {}),
  matchers: z._default(matcherLabels, {}),
  /** Which bot joins with it, where one does. */
  bot: z._default(z.string(), ''),
  ...methodRules,
});
export type TokenSpec = z.output<typeof spec>;

/** What of a stored token says how it is used; null for a row that holds none. */
export function readSpec(resource: Pick<Resource, 'spec'>): TokenSpec | null {
  const read = z.safeParse(spec, resource.spec);
  return read.success ? read.data : null;
}

/** Labels of a new one. */
export const madeBy = (by: string): Labels => ({ [MADE_BY_LABEL]: by });

export const newToken = (
  name: string,
  {
    secret,
    rules,
    ...given
  }: {
    readonly secret: string;
    readonly roles: readonly JoinRole[];
    readonly uses: number | null;
    readonly labels: Labels;
    readonly matchers: TokenSpec['matchers'];
    readonly bot: string;
    readonly method: JoinMethod;
    readonly rules: MethodRules;
  },
  by: string,
  expires: Date | null,
): NewResource => ({
  kind: 'token',
  name,
  title: name,
  description: '',
  address: '',
  subtype: given.method,
  labels: madeBy(by),
  words: [],
  spec: {
    ...given,
    ...rules,
    roles: [...given.roles],
    hash: given.method === 'token' ? digest(secret) : '',
    used: 0,
  } satisfies z.input<typeof spec>,
  expires,
});

/** What is left to join; null: any number. */
export const usesLeft = ({ uses, used }: TokenSpec): number | null => (uses === null ? null : Math.max(0, uses - used));

/** Null for a row that holds no token. */
export function readToken(resource: Resource): JoinToken | null {
  const read = readSpec(resource);
  if (!read) return null;
  return {
    name: resource.name,
    roles: read.roles,
    method: read.method,
    ...(read.bot !== '' && { bot: read.bot }),
    labels: shownLabels(read.labels),
    usesLeft: usesLeft(read),
    used: read.used,
    expiry: resource.expires?.toISOString() ?? null,
    created: resource.created.toISOString(),
    createdBy: resource.labels[MADE_BY_LABEL] ?? '',
  };
}

/** What makes a row a token, beside its name and labels. Its secret is that of before where the document leaves it out. */
export function tokenColumns(
  { spec: given }: ResourceDocument<'token'>,
  before: Resource | null,
): Partial<NewResource> {
  const kept = before && readSpec(before);
  const wrong = wrongToken(given);
  if (wrong !== null) throw new Failure('bad_request', `spec.${wrong}`);
  const isSecret = given.join_method === 'token';
  const hash = !isSecret ? '' : given.secret === undefined ? kept?.hash : digest(given.secret);
  if (!hash && isSecret)
    throw new Failure('bad_request', 'spec.secret: a new token needs one: 32 to 128 letters, digits, - and _');
  const labels = Object.fromEntries(
    Object.entries(given.suggested_labels ?? {}).map(([name, values]) => [name, [values].flat()[0] ?? '']),
  );
  // A document that is applied again gives nobody another try.
  const own = Object.entries(kept?.labels ?? {}).filter(([name]) => name === RESOURCE_ID_LABEL);
  return {
    subtype: given.join_method,
    spec: {
      hash: hash ?? '',
      roles: [...given.roles],
      method: given.join_method,
      uses: given.uses ?? null,
      used: kept?.used ?? 0,
      labels: { ...labels, ...Object.fromEntries(own) },
      matchers: given.suggested_agent_matcher_labels ?? {},
      bot: given.bot_name ?? '',
      ...rulesOf(given),
    } satisfies z.input<typeof spec>,
  };
}

/** Of what is given, the rules of methods. */
export const rulesOf = ({ allow, github, gitlab, kubernetes }: MethodRules): MethodRules => ({
  ...(allow && { allow }),
  ...(github && { github }),
  ...(gitlab && { gitlab }),
  ...(kubernetes && { kubernetes }),
});
/** What is wrong with a token that is to be made, or null. */
export function wrongToken(
  given: MethodRules & {
    readonly roles: readonly JoinRole[];
    readonly join_method: JoinMethod;
    readonly bot_name?: string | undefined;
    readonly secret?: string | undefined;
  },
): string | null {
  const isBot = given.roles.includes('Bot');
  if (isBot && given.roles.length > 1) return 'roles: Bot stands alone: what joins as a bot is nothing else';
  if (isBot !== (given.bot_name !== undefined))
    return isBot ? 'bot_name: which bot joins with it' : 'bot_name: only with roles [Bot]';
  if (given.roles.includes('Trusted_cluster') && given.join_method !== 'token')
    return 'join_method: a leaf cluster joins with token';
  if (isBot && given.join_method === 'iam')
    return 'join_method: iam lets servers, applications and databases join: a bot joins with another';
  if (given.secret !== undefined && given.join_method !== 'token')
    return `secret: join_method ${given.join_method} has none: ${given.join_method === 'iam' ? 'AWS' : 'an ID token'} is the proof`;
  return wrongRules(given.join_method, given);
}

/** The spec that a document shows: all but the secret. */
export function writtenToken(resource: Resource): object {
  const read = readSpec(resource);
  if (!read) return {};
  const labels = shownLabels(read.labels).map(({ name, value }) => [name, [value]] as const);
  return {
    roles: read.roles,
    join_method: read.method,
    ...(read.bot !== '' && { bot_name: read.bot }),
    ...rulesOf(read),
    ...(read.uses !== null && { uses: read.uses }),
    ...(labels.length > 0 && { suggested_labels: Object.fromEntries(labels) }),
    ...(Object.keys(read.matchers).length > 0 && { suggested_agent_matcher_labels: read.matchers }),
  };
}
