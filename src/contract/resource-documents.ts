// Resources as people write them in YAML: kind, version, metadata, spec. Roles have a schema of their own.
import * as z from 'zod/mini';
import { accessListDocument } from './access-list-documents.ts';
import { DNS_NAME, hostAndPort, hostName } from './address.ts';
import { github, oidc, saml } from './connector-documents.ts';
import { userMakingProtocols } from './database-protocols.ts';
import { discoveryDocument } from './discovery-documents.ts';
import { described, metadata, metadataOf, shortText, time, words } from './document-parts.ts';
import { hostKeyLine } from './host-keys.ts';
import { joinMethod, methodRules } from './join-methods.ts';
import { botName, matcherLabels, tokenName, tokenRoles, tokenUses } from './join-tokens.ts';
import { lockMessage, lockTarget } from './locks.ts';
import { loginRuleDocument } from './login-rule-document.ts';
import { pluginDocument } from './plugins.ts';
import { desktopProtocol } from './resources.ts';
import { roleMap } from './role-map.ts';
import { safeName } from './shapes.ts';
import { snippetName, snippetRoles, snippetText } from './snippets.ts';
import { clusterName } from './trusted-clusters.ts';
import { assetTag, osType } from './trusted-devices.ts';
import { traitName } from './users.ts';
import { visible, visibleLines } from './visible-text.ts';

/** Without a user and a password: what stands here is shown to everyone who sees the list. */
const address = z
  .string()
  .check(
    z.maxLength(2048, 'at most 2048 characters'),
    z.regex(
      /^(https?|tcp|cloud):\/\/[^\s\p{Cc}/?#@]+([/?#][^\s\p{Cc}]*)?$/u,
      'an address without a user and a password, such as http://localhost:8080, tcp://host:port or cloud://AWS',
    ),
    visible,
  );

/** OpenSSH server. `metadata.name` is its id; `hostKey` the key it is pinned to (or its keys, when it has several). */
const node = z.strictObject({
  kind: z.literal('node'),
  version: z.literal('v2'),
  sub_kind: z.optional(z.literal('openssh')),
  metadata,
  spec: z.strictObject({
    hostname: z.optional(hostName),
    addr: hostAndPort,
    hostKey: z.union([
      hostKeyLine,
      z.array(hostKeyLine).check(z.minLength(1, 'at least one key'), z.maxLength(16, 'at most 16 keys')),
    ]),
  }),
});

/** A few authorities, with what people write between them. */
const certificates = z
  .string()
  .check(
    z.maxLength(65_536, 'at most 65536 characters'),
    z.regex(/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/, 'PEM certificates'),
    visibleLines,
  );

/** RFC 9110, section 5.6.2; none that says where a request goes, how long it is, or who asks. */
const headerName = z
  .string()
  .check(
    z.regex(
      /^(?!(host|cookie|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|forwarded|(proxy|postern|x-postern|x-forwarded)-.*)$)[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/i,
      "the name of a header that is not the gateway's own",
    ),
  );

/** A service provider of SAML, whose identity provider the gateway is. */
const serviceProvider = z.partial(
  z.strictObject({
    entity_descriptor: described(
      'What the service provider says about itself: its metadata as XML.',
      z.string().check(z.maxLength(64 * 1024, 'at most 64 KiB')),
    ),
    entity_id: described(
      'Its entity ID, where there is no metadata.',
      z.string().check(z.maxLength(1024, 'at most 1024 characters')),
    ),
    acs_url: described(
      'Where answers are posted, where there is no metadata.',
      z.string().check(z.maxLength(2048, 'at most 2048 characters')),
    ),
    attributes: described(
      'What it is told of a person: user.name, user.roles or traits.NAME. Else uid and roles.',
      z
        .array(
          z.strictObject({
            name: z.string().check(z.minLength(1, 'not empty'), z.maxLength(1024, 'at most 1024 characters')),
            value: z
              .string()
              .check(z.regex(/^(user\.(name|roles)|traits\..{1,255})$/, 'user.name, user.roles or traits.NAME')),
          }),
        )
        .check(z.maxLength(64, 'at most 64')),
    ),
    relay_state: described(
      'Goes with a sign-in that begins in the console, as the service provider wants it.',
      z.string().check(z.maxLength(1024, 'at most 1024 characters')),
    ),
  }),
);

/** Web, TCP or cloud application, or a service provider of SAML. Its name is part of its address, so it is a DNS label. */
const app = z.strictObject({
  kind: z.literal('app'),
  version: z.literal('v3'),
  metadata: metadataOf(
    z
      .string()
      .check(
        z.regex(
          /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
          'a DNS label: at most 63 lower-case letters, digits and dashes',
        ),
      ),
  ),
  spec: z.strictObject({
    uri: address,
    public_addr: z.optional(
      z
        .string()
        .check(
          z.maxLength(253, 'at most 253 characters'),
          z.regex(DNS_NAME, 'a host name without scheme, port or path'),
        ),
    ),
    friendly_name: z.optional(shortText),
    user_groups: z.optional(words),
    rewrite: z.optional(
      z.partial(
        z.strictObject({
          headers: described(
            'Headers that the application gets, in place of what the browser sent.',
            z.array(z.strictObject({ name: headerName, value: shortText })).check(z.maxLength(64, 'at most 64')),
          ),
          redirect: described(
            'Hosts by which the application calls itself in redirects, beside that of its address.',
            words,
          ),
        }),
      ),
    ),
    saml: z.optional(serviceProvider),
    tls: z.optional(
      z.partial(
        z.strictObject({
          ca_cert: described(
            'PEM certificates that vouch for the application; else those of the machine do.',
            certificates,
          ),
        }),
      ),
    ),
  }),
});

const databaseProtocols = [
  'postgres',
  'mysql',
  'mongodb',
  'oracle',
  'redis',
  'cockroachdb',
  'sqlserver',
  'snowflake',
  'cassandra',
  'elasticsearch',
  'opensearch',
  'dynamodb',
] as const;
const databaseTypes = [
  'self-hosted',
  'rds',
  'rdsproxy',
  'redshift',
  'redshift-serverless',
  'gcp',
  'azure',
  'elasticache',
  'memorydb',
  'keyspace',
  'cassandra',
  'dynamodb',
  'opensearch',
  'mongo-atlas',
] as const;
const short = z.optional(shortText);
const db = z.strictObject({
  kind: z.literal('db'),
  version: z.literal('v3'),
  metadata,
  spec: z
    .strictObject({
      protocol: z.enum(databaseProtocols),
      type: z.optional(z.enum(databaseTypes)),
      /** host:port, or an address with a scheme where the protocol has one. */
      uri: z
        .string()
        .check(
          z.maxLength(2048, 'at most 2048 characters'),
          z.regex(/^[^\s\p{Cc}@]+$/u, 'host:port, or an address without a user and a password'),
          visible,
        ),
      tls: z.optional(
        z.partial(
          z.strictObject({
            ca_cert: described(
              'PEM certificates that vouch for the database; else those of this cluster and of the machine do.',
              certificates,
            ),
            server_name: described('Name that its certificate has, where that is not the host of the address.', short),
          }),
        ),
      ),
      admin_user: z.optional(
        z.strictObject({
          name: described(
            'User of a PostgreSQL, MySQL or MariaDB as whom the gateway makes users for sessions, where roles say create_db_user.',
            shortText,
          ),
          default_database: described(
            'Database that it connects to. Unless said: postgres in PostgreSQL, none in MySQL and MariaDB.',
            short,
          ),
        }),
      ),
      aws: z.optional(
        z.strictObject({
          region: short,
          account_id: short,
          rds: z.optional(
            z.strictObject({
              instance_id: short,
              cluster_id: short,
              resource_id: short,
              region: short,
              iam_auth: z.optional(z.boolean()),
              subnets: z.optional(words),
              vpc_id: short,
            }),
          ),
        }),
      ),
    })
    .check(
      z.refine(({ protocol, admin_user: admin }) => admin === undefined || userMakingProtocols.has(protocol), {
        error: 'users are made in databases that speak postgres or mysql alone: leave it out',
        path: ['admin_user'],
      }),
    ),
});

const desktop = z.strictObject({
  kind: z.literal('windows_desktop'),
  version: z.literal('v3'),
  metadata,
  spec: z.strictObject({
    /** host or host:port; without a port, that of the protocol: 3389 or 5900. */
    addr: hostAndPort,
    protocol: z.optional(desktopProtocol),
    domain: z.optional(shortText),
    host_id: z.optional(safeName),
  }),
});

/** Without a user, a password, a query; a path where the API server is below one. */
const apiServer = z
  .string()
  .check(
    z.maxLength(2048, 'at most 2048 characters'),
    z.regex(/^https:\/\/[^\s\p{Cc}/?#@%]+(\/[A-Za-z0-9._~/-]*)?$/u, 'an address such as https://10.0.0.5:6443'),
    visible,
  );
const secretText = z.string().check(z.minLength(1, 'not empty'), z.maxLength(65_536, 'at most 65536 characters'));
const kube = z.strictObject({
  kind: z.literal('kube_cluster'),
  version: z.literal('v3'),
  metadata,
  spec: z.optional(
    z.partial(
      z.strictObject({
        server: described('Address of its API server, such as https://10.0.0.5:6443.', apiServer),
        ca_cert: described('PEM certificates that vouch for it; else those that everybody knows do.', certificates),
        server_name: described('Name that its certificate has, where that is not the host of the address.', short),
        client_cert: described('PEM: the certificate that the gateway shows it.', certificates),
        client_key: described('PEM: the key of client_cert. Kept sealed, and never shown again.', secretText),
        token: described('In place of client_cert. Kept sealed, and never shown again.', secretText),
      }),
    ),
  ),
});

const userGroup = z.strictObject({
  kind: z.literal('user_group'),
  version: z.literal('v1'),
  metadata,
  spec: z.strictObject({
    friendly_name: z.optional(shortText),
    applications: z.optional(words),
  }),
});

const userTraits = z
  .record(traitName, words)
  .check(z.refine(map => Object.keys(map).length <= 100, 'at most 100 traits'));

/** `name` is what the person signs in with. A new one has no password: a link to set one is made for them. */
const user = z.strictObject({
  kind: z.literal('user'),
  version: z.literal('v2'),
  metadata: z.strictObject({
    name: z
      .string()
      .check(
        z.minLength(1, 'not empty'),
        z.maxLength(255, 'at most 255 characters'),
        z.regex(/^[^\p{Cc}/]+$/u, 'no control characters or slashes'),
      ),
    namespace: z.optional(z.literal('default')),
  }),
  spec: z.strictObject({
    roles: words.check(z.minLength(1, 'at least one role'), z.maxLength(100, 'at most 100 roles')),
    traits: z.optional(userTraits),
  }),
});

/** Banner at the top of the console. Its link and who sees it are labels. */
const clusterAlert = z.strictObject({
  kind: z.literal('cluster_alert'),
  version: z.literal('v1'),
  metadata,
  spec: z.strictObject({
    severity: z
      .int()
      .check(z.minimum(0, 'a whole number from 0 to 100'), z.maximum(100, 'a whole number from 0 to 100')),
    message: z.string().check(z.minLength(1, 'not empty'), z.maxLength(1024, 'at most 1024 characters'), visible),
  }),
});

/** Exactly one target. When and by whom it was made is the gateway's to say: it is shown, and what a document says of it is not kept. */
const lock = z.strictObject({
  kind: z.literal('lock'),
  version: z.literal('v2'),
  metadata,
  spec: z.strictObject({
    target: lockTarget,
    message: z.optional(lockMessage),
    expires: z.optional(time),
    created_at: z.optional(time),
    created_by: z.optional(shortText),
  }),
});

/** Its name is its id. Who has enrolled it, with what key, is the gateway's to say: it is shown, and what a document says of it is not kept. */
const device = z.strictObject({
  kind: z.literal('device'),
  version: z.literal('v1'),
  metadata,
  spec: z.strictObject({
    os_type: osType,
    asset_tag: described('What the owner of the machine calls it, such as its serial number.', assetTag),
    enroll_status: z.optional(z.enum(['enrolled', 'not_enrolled'])),
    credential: z.optional(z.strictObject({ id: shortText })),
  }),
});

/** Lets machines join: `NAME.SECRET` is what they show, or an ID token that a rule fits. The gateway keeps the secret's digest. */
const token = z.strictObject({
  kind: z.literal('token'),
  version: z.literal('v2'),
  metadata: metadataOf(tokenName),
  spec: z.strictObject({
    roles: tokenRoles,
    join_method: z._default(joinMethod, 'token'),
    secret: z.optional(
      described(
        'What stands after the dot of the token. Never shown again.',
        z.string().check(z.regex(/^[A-Za-z0-9_-]{32,128}$/, '32 to 128 letters, digits, - and _')),
      ),
    ),
    uses: z.optional(described('How many may join; else as many as there are.', tokenUses)),
    suggested_labels: z.optional(described('What joins is labelled with these, a value each.', matcherLabels)),
    suggested_agent_matcher_labels: z.optional(matcherLabels),
    bot_name: z.optional(described('Which bot joins with it, where the roles are [Bot].', botName)),
    ...methodRules,
  }),
});

/** A user that is a machine: the name of its user is `bot-` and this name. It joins with a token of role Bot. */
const bot = z.strictObject({
  kind: z.literal('bot'),
  version: z.literal('v1'),
  metadata: z.strictObject({ name: botName, namespace: z.optional(z.literal('default')) }),
  spec: z.strictObject({
    roles: words.check(z.minLength(1, 'at least one role'), z.maxLength(100, 'at most 100 roles')),
    traits: z.optional(userTraits),
  }),
});

/** A root cluster that this one joins. Its name is that of the root. Once it has joined, only `enabled` and `role_map` change. */
const trustedCluster = z.strictObject({
  kind: z.literal('trusted_cluster'),
  version: z.literal('v2'),
  metadata: metadataOf(clusterName),
  spec: z.strictObject({
    enabled: z._default(described('Whether this cluster dials its root and lets its people in.', z.boolean()), true),
    token: z.optional(
      described(
        'A join token of the root for Trusted_cluster. Used once, and never shown again.',
        z.string().check(z.regex(/^[A-Za-z0-9-]{1,63}\.[A-Za-z0-9_-]{1,128}$/, 'a join token, NAME.SECRET')),
      ),
    ),
    tunnel_addr: described('host:port of the tunnel port of the root (its setting is --ssh-listen).', hostAndPort),
    web_proxy_addr: described('host:port of the web address of the root.', hostAndPort),
    role_map: described('Which roles its people have here, by the roles that they have there.', roleMap),
  }),
});

/** Shared with roles; people write their own in the console. */
const snippet = z.strictObject({
  kind: z.literal('snippet'),
  version: z.literal('v1'),
  metadata: metadataOf(snippetName),
  spec: z.strictObject({
    text: snippetText,
    enters: z._default(z.boolean(), false),
    roles: snippetRoles.check(z.minLength(1, 'at least one role')),
  }),
});

/** Kind -> schema of its document. A kind is here when the gateway does something with it. */
export const resourceDocuments = {
  node,
  app,
  db,
  windows_desktop: desktop,
  kube_cluster: kube,
  user_group: userGroup,
  user,
  bot,
  cluster_alert: clusterAlert,
  lock,
  device,
  access_list: accessListDocument,
  token,
  trusted_cluster: trustedCluster,
  snippet,
  plugin: pluginDocument,
  login_rule: loginRuleDocument,
  discovery_config: discoveryDocument,
  github,
  oidc,
  saml,
} as const;
export type DocumentKind = keyof typeof resourceDocuments;
export type ResourceDocument<Kind extends DocumentKind> = z.output<(typeof resourceDocuments)[Kind]>;

/** What applying did, or would do, to one resource. */
export interface AppliedResource {
  readonly kind: string;
  readonly name: string;
  readonly change: 'created' | 'updated' | 'unchanged' | 'removed';
}

/** A file of resources as it was read. `name` begins each of its problems. */
export interface ResourceFile {
  readonly name: string;
  readonly content: string;
}
