// Who may join by what somebody else says: which issuer a join token names, and which of its rules what was said fits.
import { Failure } from '../../../contract/failure.ts';
import type { DelegatedMethod, MethodRules } from '../../../contract/join-methods.ts';
import type { Believed } from './issuers.ts';

const GITHUB = 'https://token.actions.githubusercontent.com';
const GITLAB = 'gitlab.com';

type Claims = Readonly<Record<string, unknown>>;

/** Those whose proof is an ID token. */
export type IdTokenMethod = Exclude<DelegatedMethod, 'iam'>;

/** Whose word a token takes. */
export function believedBy(method: IdTokenMethod, rules: MethodRules): Believed {
  if (method === 'github') {
    const { enterprise_server_host: host, enterprise_slug: slug, ca_cert: ca } = rules.github ?? {};
    const issuer = host === undefined ? GITHUB : `https://${host}/_services/token`;
    return { issuer: slug === undefined ? issuer : `${issuer}/${slug}`, ca };
  }
  if (method === 'gitlab') return { issuer: `https://${rules.gitlab?.domain ?? GITLAB}`, ca: rules.gitlab?.ca_cert };
  const { oidc, static_jwks: fixed } = rules.kubernetes ?? {};
  if (oidc) return { issuer: oidc.issuer, ca: oidc.ca_cert };
  return { keys: fixed?.jwks ?? '{"keys":[]}' };
}

/** GitHub and GitLab make one for each job: it counts once. Kubernetes hands a pod the same until it is renewed. */
export const countsOnce = (method: IdTokenMethod): boolean => method !== 'kubernetes';

/** What of the claims goes into the audit log. */
const told: Readonly<Record<DelegatedMethod, readonly string[]>> = {
  github: ['sub', 'repository', 'ref', 'workflow', 'environment', 'actor', 'run_id', 'sha', 'event_name'],
  gitlab: [
    'sub',
    'project_path',
    'ref',
    'ref_type',
    'environment',
    'user_login',
    'pipeline_id',
    'job_id',
    'pipeline_source',
  ],
  kubernetes: ['sub'],
  iam: ['account', 'arn'],
};

/** Throws Failure denied unless a rule fits. Answers what the audit log is told. */
export function allowed(method: DelegatedMethod, rules: MethodRules, claims: Claims): Readonly<Record<string, string>> {
  if (!fits(method, rules, claims))
    throw new Failure(
      'denied',
      `no rule of this join token lets ${JSON.stringify(String(claims[method === 'iam' ? 'arn' : 'sub']).slice(0, 200))} in`,
    );
  return Object.fromEntries(
    told[method].flatMap(name => (claims[name] === undefined ? [] : [[name, String(claims[name]).slice(0, 255)]])),
  );
}

function fits(method: DelegatedMethod, rules: MethodRules, claims: Claims): boolean {
  if (method === 'iam')
    return (rules.allow ?? []).some(
      ({ aws_account: account, aws_arn: arn }) =>
        (account ?? arn) !== undefined &&
        (account === undefined || account === claims.account) &&
        (arn === undefined || matches(arn, claims.arn)),
    );
  if (method === 'github') return (rules.github?.allow ?? []).some(rule => all(rule, claims, isSame));
  if (method === 'gitlab')
    return (rules.gitlab?.allow ?? []).some(rule =>
      all(rule, claims, (wanted, given, name) =>
        name === 'sub' || name === 'ref' ? matches(String(wanted), given) : isSame(wanted, given),
      ),
    );
  const pod = podOf(claims);
  return pod !== null && (rules.kubernetes?.allow ?? []).some(({ service_account: wanted }) => wanted === pod);
}

/** `namespace:serviceaccount` of a token that is bound to a pod; null for one that is not, which never ends. */
function podOf(claims: Claims): string | null {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(String(claims.sub)) ?? [];
  const own = claims['kubernetes.io'] as
    | { namespace?: unknown; pod?: unknown; serviceaccount?: { name?: unknown } }
    | undefined;
  const isBound = typeof own === 'object' && own !== null && own.pod !== undefined;
  const isSaid = isBound && own.namespace === namespace && own.serviceaccount?.name === account;
  return namespace !== undefined && isSaid ? `${namespace}:${account}` : null;
}

const all = (
  rule: object,
  claims: Claims,
  same: (wanted: unknown, given: unknown, name: string) => boolean,
): boolean => {
  const named = Object.entries(rule).filter(([, wanted]) => wanted !== undefined);
  return named.length > 0 && named.every(([name, wanted]) => same(wanted, claims[name], name));
};
/** GitLab says true and false as texts. */
const isSame = (wanted: unknown, given: unknown): boolean =>
  typeof wanted === 'boolean' ? given === wanted || given === String(wanted) : given === wanted;

/** Walks both texts once, so that no pattern is slow: of several stars, the last one takes up what does not fit. */
export function matches(pattern: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  let at = 0;
  let star = -1;
  let taken = 0;
  let from = 0;
  while (at < given.length) {
    if (pattern[from] === '*') {
      star = from++;
      taken = at;
    } else if (pattern[from] === '?' || pattern[from] === given[at]) {
      from += 1;
      at += 1;
    } else if (star >= 0) {
      from = star + 1;
      at = ++taken;
    } else return false;
  }
  while (pattern[from] === '*') from += 1;
  return from === pattern.length;
}
