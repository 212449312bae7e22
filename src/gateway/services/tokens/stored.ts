// A join token as the store keeps it, and as it is read back.
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import {
  type JoinRole,
  type JoinToken,
  joinMethod,
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
  /** SHA-256 of the secret part, hex. */
  hash: z.string(),
  roles: tokenRoles,
  method: z._default(joinMethod, 'token'),
  /** How many may join; null: as many as there are. */
  uses: z.nullable(z.int()),
  used: z._default(z.int(), 0),
  labels: z._default(z.record(z.string(), z.string()), {}),
  matchers: z._default(matcherLabels, {}),
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
    ...given
  }: {
    readonly secret: string;
    readonly roles: readonly JoinRole[];
    readonly uses: number | null;
    readonly labels: Labels;
    readonly matchers: TokenSpec['matchers'];
  },
  by: string,
  expires: Date,
): NewResource => ({
  kind: 'token',
  name,
  title: name,
  description: '',
  address: '',
  subtype: 'token',
  labels: madeBy(by),
  words: [],
  spec: { ...given, method: 'token', hash: digest(secret), used: 0 } satisfies Record<keyof TokenSpec, unknown>,
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
  const hash = given.secret === undefined ? kept?.hash : digest(given.secret);
  if (hash === undefined)
    throw new Failure('bad_request', 'spec.secret: a new token needs one: 32 to 128 letters, digits, - and _');
  const labels = Object.fromEntries(
    Object.entries(given.suggested_labels ?? {}).map(([name, values]) => [name, [values].flat()[0] ?? '']),
  );
  // A document that is applied again gives nobody another try.
  const own = Object.entries(kept?.labels ?? {}).filter(([name]) => name === RESOURCE_ID_LABEL);
  return {
    subtype: given.join_method,
    spec: {
      hash,
      roles: [...given.roles],
      method: given.join_method,
      uses: given.uses ?? null,
      used: kept?.used ?? 0,
      labels: { ...labels, ...Object.fromEntries(own) },
      matchers: given.suggested_agent_matcher_labels ?? {},
    } satisfies z.input<typeof spec>,
  };
}

/** The spec that a document shows: all but the secret. */
export function writtenToken(resource: Resource): object {
  const read = readSpec(resource);
  if (!read) return {};
  const labels = shownLabels(read.labels).map(({ name, value }) => [name, [value]] as const);
  return {
    roles: read.roles,
    join_method: read.method,
    ...(read.uses !== null && { uses: read.uses }),
    ...(labels.length > 0 && { suggested_labels: Object.fromEntries(labels) }),
    ...(Object.keys(read.matchers).length > 0 && { suggested_agent_matcher_labels: read.matchers }),
  };
}
