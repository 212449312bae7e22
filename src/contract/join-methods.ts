// How a machine proves that a join token is meant for it: by the token's secret, or by what somebody else says of it (an ID token, or AWS).
import * as z from 'zod/mini';
import { hostAndPort } from './address.ts';
import { awsAccount } from './aws-shapes.ts';
import { described } from './document-parts.ts';
import { visible } from './visible-text.ts';

/**
 * `token`: whoever has its secret; `iam`: whoever signs a request for AWS that names it as one of its rules allows; the others: whoever shows an
 * ID token of that issuer which one of its rules allows.
 */
const joinMethods = ['token', 'github', 'gitlab', 'kubernetes', 'iam'] as const;
export type JoinMethod = (typeof joinMethods)[number];
/** Those that are proved by what somebody else says. */
export type DelegatedMethod = Exclude<JoinMethod, 'token'>;
export const joinMethod = z.enum(joinMethods, {
  error: `one of ${joinMethods.join(', ')}: this gateway knows no other way to join`,
});

/** Rules of one token, at most. */
const RULES_MOST = 100;

const text = z.string().check(z.minLength(1, 'not empty'), z.maxLength(1024, 'at most 1024 characters'), visible);
const pattern = described('`*` stands for any characters, `?` for one.', text);
const certificate = z
  .string()
  .check(
    z.maxLength(65_536, 'at most 65536 characters'),
    z.regex(/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/, 'PEM certificates'),
  );
const caCert = z.optional(
  described('PEM certificates that vouch for the issuer; else those that everybody knows do.', certificate),
);
const rules = <Rule extends z.ZodMiniType>(rule: Rule) =>
  described(
    'Whoever one of these fits may join: all that a rule names must be so.',
    z.array(rule).check(z.minLength(1, 'at least one rule'), z.maxLength(RULES_MOST, `at most ${RULES_MOST} rules`)),
  );
/** A rule that named none of these would let in everybody whom the issuer serves. */
const naming = <Rule extends z.ZodMiniType<object>>(rule: Rule, ...needed: readonly string[]): Rule =>
  rule.check(
    z.refine(
      given => needed.some(name => Object.hasOwn(given, name)),
      `a rule names ${needed.join(', ')}: one at least`,
    ),
  ) as Rule;

/** What GitHub says of a run of a workflow (its documentation: "OpenID Connect reference"). */
const githubRule = naming(
  z.partial(
    z.strictObject({
      sub: described('Subject, such as repo:acme/shop:ref:refs/heads/main.', text),
      repository: described('Such as acme/shop.', text),
      repository_owner: described('Organization or person, such as acme.', text),
      workflow: described('Name of the workflow.', text),
      environment: described('Environment of the job.', text),
      actor: described('Who started the run.', text),
      ref: described('Such as refs/heads/main.', text),
      ref_type: described('branch or tag.', z.enum(['branch', 'tag'], { error: 'branch or tag' })),
    }),
  ),
  'sub',
  'repository',
  'repository_owner',
);
const github = z.strictObject({
  enterprise_server_host: z.optional(
    described('host[:port] of a GitHub Enterprise Server; else github.com.', hostAndPort),
  ),
  enterprise_slug: z.optional(
    described(
      'Of an enterprise at github.com that has its own issuer.',
      z.string().check(z.regex(/^[A-Za-z0-9-]{1,100}$/, 'letters, digits and dashes')),
    ),
  ),
  ca_cert: caCert,
  allow: rules(githubRule),
});

/** What GitLab says of a job (its documentation: "OpenID Connect (OIDC) Authentication Using ID Tokens"). */
const gitlabRule = naming(
  z.partial(
    z.strictObject({
      sub: described('Subject, such as project_path:acme/shop:ref_type:branch:ref:main. ', pattern),
      ref: described('Branch or tag, such as main.', pattern),
      ref_type: described('branch or tag.', z.enum(['branch', 'tag'], { error: 'branch or tag' })),
      ref_protected: described('Whether the branch or tag is protected.', z.boolean()),
      namespace_path: described('Group or person, such as acme.', text),
      project_path: described('Such as acme/shop.', text),
      project_visibility: described('public, internal or private.', text),
      pipeline_source: described('What started the pipeline, such as web or push.', text),
      environment: described('Environment of the job.', text),
      environment_protected: described('Whether the environment is protected.', z.boolean()),
      deployment_tier: described('Such as production.', text),
      user_login: described('Who started the job.', text),
      user_email: described('Address of who started the job.', text),
      ci_config_ref_uri: described('Where the configuration of the pipeline is from.', text),
      ci_config_sha: described('Commit of that configuration.', text),
    }),
  ),
  'sub',
  'project_path',
  'namespace_path',
  'ci_config_ref_uri',
);
const gitlab = z.strictObject({
  domain: z.optional(described('host[:port] of a GitLab of your own; else gitlab.com.', hostAndPort)),
  ca_cert: caCert,
  allow: rules(gitlabRule),
});

const httpsAddress = z
  .string()
  .check(
    z.maxLength(1024, 'at most 1024 characters'),
    z.regex(/^https:\/\/[^\s\p{Cc}/?#@]+(\/[^\s\p{Cc}?#]*)?$/u, 'an address such as https://oidc.example.com/id'),
  );
const kubernetes = z
  .strictObject({
    oidc: z.optional(
      described(
        'The cluster publishes its keys: the issuer of its service account tokens.',
        z.strictObject({ issuer: httpsAddress, ca_cert: caCert }),
      ),
    ),
    static_jwks: z.optional(
      described(
        'The cluster publishes nothing: what `kubectl get --raw /openid/v1/jwks` answers.',
        z.strictObject({
          jwks: z
            .string()
            .check(
              z.maxLength(65_536, 'at most 65536 characters'),
              z.refine(isKeySet, 'a set of public keys as JSON: {"keys": [...]}'),
            ),
        }),
      ),
    ),
    allow: rules(
      z.strictObject({
        service_account: described(
          'NAMESPACE:NAME of the service account of the pod.',
          z
            .string()
            .check(
              z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?:[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'NAMESPACE:NAME'),
            ),
        ),
      }),
    ),
  })
  .check(
    z.refine(
      ({ oidc, static_jwks }) => (oidc === undefined) !== (static_jwks === undefined),
      'either oidc or static_jwks: where the keys of the cluster are from',
    ),
  );

function isKeySet(given: string): boolean {
  try {
    const read: unknown = JSON.parse(given);
    const { keys } = (read ?? {}) as { readonly keys?: unknown };
    // Nothing that is private belongs here.
    return (
      Array.isArray(keys) &&
      keys.length > 0 &&
      keys.length <= 100 &&
      keys.every(key => typeof key === 'object' && key !== null && 'kty' in key && !('d' in key) && key.kty !== 'oct')
    );
  } catch {
    return false;
  }
}

/** Who a machine is to AWS, as GetCallerIdentity of its STS answers (AWS, STS API reference). */
const iamRule = z
  .partial(
    z.strictObject({
      aws_account: described('The twelve digits of the account.', awsAccount),
      aws_arn: described(
        'Such as arn:aws:sts::123456789012:assumed-role/web/i-*. `*` stands for any characters, `?` for one; the account is written out.',
        z
          .string()
          .check(
            z.maxLength(2048, 'at most 2048 characters'),
            z.regex(
              /^arn:aws[a-z-]*:(sts|iam)::\d{12}:[^\s\p{Cc}]+$/u,
              'an ARN with its account, such as arn:aws:sts::123456789012:assumed-role/web/*',
            ),
          ),
      ),
    }),
  )
  .check(
    z.refine(
      ({ aws_account, aws_arn }) => (aws_account ?? aws_arn) !== undefined,
      'a rule names aws_account or aws_arn',
    ),
  );

/** Fields of a token, one for each method that has rules. */
export const methodRules = {
  allow: z.optional(described('Machines in AWS, with join_method iam.', rules(iamRule))),
  github: z.optional(described('Runs of GitHub Actions, with join_method github.', github)),
  gitlab: z.optional(described('Jobs of GitLab, with join_method gitlab.', gitlab)),
  kubernetes: z.optional(described('Pods of a Kubernetes cluster, with join_method kubernetes.', kubernetes)),
};
const given = z.object(methodRules);
export type MethodRules = z.output<typeof given>;

/** Where the rules of each method stand. */
const ruleFields = {
  github: 'github',
  gitlab: 'gitlab',
  kubernetes: 'kubernetes',
  iam: 'allow',
} as const satisfies Record<DelegatedMethod, keyof MethodRules>;

/** What is wrong with a token that has this method and these rules, or null. */
export function wrongRules(method: JoinMethod, rulesGiven: MethodRules): string | null {
  const own = method === 'token' ? undefined : ruleFields[method];
  const other = Object.entries(ruleFields).find(([, field]) => field !== own && rulesGiven[field] !== undefined);
  if (other) return `${other[1]}: only with join_method ${other[0]}`;
  return own !== undefined && rulesGiven[own] === undefined
    ? `${own}: join_method ${method} needs rules: who may join`
    : null;
}
