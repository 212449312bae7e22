// The kinds that can be written as YAML, once: schema, how each is stored and shown, and what the audit log hears of it.
import type * as core from 'zod/v4/core';
import { SSH_PORT, withPort } from '../../../contract/address.ts';
import { BOT_PREFIX } from '../../../contract/bots.ts';
import { ALERT_BILLING_LABEL, ALERT_LINK_LABEL } from '../../../contract/clusters.ts';
import type { ConnectorKind } from '../../../contract/connectors.ts';
import { Failure } from '../../../contract/failure.ts';
import { LoginRuleError, readLoginRule } from '../../../contract/login-rules.ts';
import { type DocumentKind, type ResourceDocument, resourceDocuments } from '../../../contract/resource-documents.ts';
import { plainText } from '../../../contract/visible-text.ts';
import type { AuditEntry } from '../../ports/audit.ts';
import type { NewResource, Resource, ResourceKind } from '../../store/store.ts';

/** What a check finds beyond the schema. */
interface Found {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}
interface KindRow<Name extends string> {
  readonly kind: Name;
  readonly schema: core.$ZodType;
  /** Beyond the schema; the value has passed it. */
  readonly check: (value: unknown) => readonly Found[];
}

type NotedChange = 'created' | 'updated' | 'removed';

interface ChangeCodes {
  readonly created: string | null;
  readonly updated: string | null;
  readonly removed: string | null;
}

/** A kind that is kept as a resource. */
export interface StoredKind extends KindRow<ResourceKind> {
  /** Of a value that passed `schema` and `check`. `before`: what is stored under its name. Throws Failure bad_request. */
  readonly toResource: (value: unknown, source: string, before: Resource | null) => NewResource | Promise<NewResource>;
  /** The document as an object, or the YAML itself where that is what is kept. */
  readonly toDocument: (resource: Resource) => object | string;
  /** Tells who must hear of a change, where the service of the noun does; else `audit` says what the log hears. */
  readonly note?: (change: NotedChange, resource: NewResource, by: string, value?: unknown) => Promise<void>;
  /** Whether a document says something beside its row that is not so yet: it is a change then. */
  readonly differs?: (value: unknown, before: Resource) => Promise<boolean>;
  /** Labels of the gateway's own that say who made a new one. */
  readonly signed?: (by: string) => Labels;
  /** Roles that it names, which must be there, and where. */
  readonly roles?: (value: unknown) => readonly { readonly path: readonly PropertyKey[]; readonly role: string }[];
  /** Users and access lists that it names, which must be there, and where. */
  readonly holders?: (value: unknown) => readonly {
    readonly path: readonly PropertyKey[];
    readonly kind: 'user' | 'access_list';
    readonly name: string;
  }[];
  /** What of a document is kept and not enforced. */
  readonly notes?: (source: string, value: unknown) => readonly string[];
  /** Codes and fields of the audit log; null: the catalogue has none. */
  readonly audit: {
    readonly codes: ChangeCodes | ((resource: NewResource) => ChangeCodes);
    readonly fields: (resource: NewResource) => Omit<AuditEntry, 'code'>;
  } | null;
}
/** Users have a table of their own. */
export interface UserKind extends KindRow<'user' | 'bot'> {
  readonly user: true;
}
export type AnyKind = StoredKind | UserKind;
export type Kinds = ReadonlyMap<string, AnyKind>;
export type UserDocument = ResourceDocument<'user' | 'bot'>;

/** Name of the user that a document of this name is. */
export const userNameOf = ({ kind }: UserKind, name: string): string =>
  kind === 'bot' ? `${BOT_PREFIX}${name}` : name;

export const isUserKind = (kind: AnyKind): kind is UserKind => 'user' in kind;
export const kindNames = (kinds: Kinds): readonly string[] => [...kinds.keys()];

/** What other services know better. */
export interface KindParts {
  /** Schema of a role, and its reading. Throws Failure bad_request for YAML that is no role. */
  readonly role: {
    readonly schema: core.$ZodType;
    readonly toResource: (content: string) => NewResource;
    /** What of it is kept and not enforced, a sentence each. */
    readonly notes: (content: string) => readonly string[];
    readonly note: (change: NotedChange, role: NewResource, by: string) => Promise<void>;
  };
  readonly server: {
    /** Throws Failure bad_request for a line that is no public key. */
    readonly checkHostKey: (line: string) => void;
    readonly note: (change: NotedChange, server: NewResource, by: string, door: 'resource') => Promise<void>;
  };
  readonly connector: {
    /** Seals the secrets; those that are left out are those of before. Throws Failure bad_request when there are none. */
    readonly columns: (
      document: ResourceDocument<ConnectorKind>,
      before: Resource | null,
    ) => Promise<Partial<NewResource>>;
    /** The spec without its secrets. */
    readonly written: (resource: Resource) => object;
    readonly roles: (spec: object) => readonly { readonly path: readonly PropertyKey[]; readonly role: string }[];
    /** Patterns that could not be run. */
    readonly unreadable: (spec: object) => readonly Found[];
  };
  readonly application: {
    /** Throws Failure bad_request for a service provider that cannot be read. */
    readonly check: (spec: ResourceDocument<'app'>['spec']) => Promise<void>;
  };
  readonly kubernetes: {
    /** Seals the secret; one that is left out is that of before. Throws Failure bad_request. */
    readonly columns: (
      document: ResourceDocument<'kube_cluster'>,
      before: Resource | null,
    ) => Promise<Partial<NewResource>>;
    /** The spec without its secret. */
    readonly written: (resource: Resource) => object;
  };
  readonly trustedCluster: {
    /** Seals the token and makes a key; both are those of before where there is one. Throws Failure bad_request. */
    readonly columns: (
      document: ResourceDocument<'trusted_cluster'>,
      before: Resource | null,
    ) => Promise<Partial<NewResource>>;
    /** The spec without token and keys. */
    readonly written: (resource: Resource) => object;
  };
  readonly discovery: {
    /** Seals the password; one that is left out is that of before. Throws Failure bad_request. */
    readonly columns: (
      document: ResourceDocument<'discovery_config'>,
      before: Resource | null,
    ) => Promise<Partial<NewResource>>;
    /** The spec without its password. */
    readonly written: (resource: Resource) => object;
    readonly note: (change: NotedChange, discovery: NewResource, by: string) => Promise<void>;
  };
  readonly plugin: {
    /** Seals the secrets; those that are left out are those of before. Throws Failure bad_request. */
    readonly columns: (document: ResourceDocument<'plugin'>, before: Resource | null) => Promise<Partial<NewResource>>;
    /** The spec without its secrets. */
    readonly written: (resource: Resource) => object;
    readonly note: (change: NotedChange, plugin: NewResource, by: string) => Promise<void>;
  };
  readonly lock: {
    readonly columns: (spec: ResourceDocument<'lock'>['spec']) => Partial<NewResource>;
    readonly written: (resource: Resource) => object;
    readonly signed: (by: string) => Labels;
    readonly note: (change: NotedChange, lock: NewResource, by: string) => Promise<void>;
  };
  readonly device: {
    /** Who has enrolled it stays what it was. */
    readonly columns: (document: ResourceDocument<'device'>, before: Resource | null) => Partial<NewResource>;
    readonly written: (resource: Resource) => object;
    readonly note: (change: NotedChange, device: NewResource, by: string) => Promise<void>;
  };
  readonly accessList: {
    /** Throws Failure bad_request. */
    readonly columns: (
      document: ResourceDocument<'access_list'>,
      before: Resource | null,
    ) => Promise<Partial<NewResource>>;
    readonly written: (resource: Resource) => object;
    readonly roles: NonNullable<StoredKind['roles']>;
    readonly holders: NonNullable<StoredKind['holders']>;
    readonly differs: NonNullable<StoredKind['differs']>;
    readonly note: NonNullable<StoredKind['note']>;
  };
  readonly token: {
    /** Keeps the digest of the secret; one that is left out is that of before. Throws Failure bad_request when there is none. */
    readonly columns: (document: ResourceDocument<'token'>, before: Resource | null) => Partial<NewResource>;
    /** The spec without the secret. */
    readonly written: (resource: Resource) => object;
    readonly signed: (by: string) => Labels;
    readonly note: (change: NotedChange, token: NewResource, by: string) => Promise<void>;
  };
}

/** Labels with this prefix are the gateway's own. */
const OWN_PREFIX = 'postern.';
/** Where a resource comes from. Absent: people made it. */
export const ORIGIN_LABEL = 'postern.internal/origin';
/** The gateway whose static configuration holds it. */
export const ORIGIN_GATEWAY_LABEL = 'postern.internal/origin-gateway';
/** Labels of the gateway's own that people write on alerts. */
const alertLabels: readonly string[] = [
  ALERT_LINK_LABEL,
  ALERT_BILLING_LABEL,
  'postern.internal/alert-on-login',
  'postern.internal/alert-permit-all',
  'postern.internal/alert-verb-permit',
];

type Labels = Readonly<Record<string, string>>;
type Metadata = ResourceDocument<'node'>['metadata'];

/** Labels that a document may not set, and that stay what they are when one is applied. */
export const managedLabels = (kind: ResourceKind, labels: Labels): Labels =>
  Object.fromEntries(
    Object.entries(labels).filter(
      ([name]) =>
        kind !== 'role' &&
        name.startsWith(OWN_PREFIX) &&
        name !== ORIGIN_LABEL &&
        name !== ORIGIN_GATEWAY_LABEL &&
        !(kind === 'cluster_alert' && alertLabels.includes(name)),
    ),
  );
const writtenLabels = ({ kind, labels }: Pick<Resource, 'kind' | 'labels'>): Labels => {
  const managed = managedLabels(kind, labels);
  return Object.fromEntries(
    Object.entries(labels).filter(
      ([name]) => !Object.hasOwn(managed, name) && name !== ORIGIN_LABEL && name !== ORIGIN_GATEWAY_LABEL,
    ),
  );
};

const ownLabels = (value: unknown, allowed: readonly string[] = []): readonly Found[] =>
  Object.keys((value as { readonly metadata: Metadata }).metadata.labels ?? {})
    .filter(name => name.startsWith(OWN_PREFIX) && !allowed.includes(name))
    .map(name => ({
      path: ['metadata', 'labels', name],
      text: `metadata.labels.${name}: names that begin with "${OWN_PREFIX}" are the gateway's own`,
    }));

const basics = (kind: ResourceKind, { name, description, labels, expires }: Metadata): NewResource => ({
  kind,
  name,
  title: name,
  description: description ?? '',
  address: '',
  subtype: '',
  labels: labels ?? {},
  words: [],
  spec: {},
  expires: expires === undefined ? null : new Date(expires),
});

const metadataOf = (resource: Resource) => {
  const labels = writtenLabels(resource);
  return {
    name: resource.name,
    ...(resource.description !== '' && { description: resource.description }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(resource.expires && { expires: resource.expires.toISOString() }),
  };
};

const RDP_PORT = 3389;
const VNC_PORT = 5900;

const codes = (created: string | null, updated: string | null, removed: string | null) => ({
  created,
  updated,
  removed,
});

/** Of a service provider, as its application says it; null where it is none. */
function entityIdOf(spec: unknown): string | null {
  const { saml } = spec as ResourceDocument<'app'>['spec'];
  return saml
    ? (saml.entity_id ?? /\bentityID\s*=\s*["']([^"']*)["']/.exec(saml.entity_descriptor ?? '')?.[1] ?? '')
    : null;
}

/** The kinds of this gateway. */
export function createKinds({
  role,
  server,
  connector: connectorParts,
  application,
  kubernetes,
  trustedCluster,
  discovery,
  plugin,
  lock,
  device,
  token,
  accessList,
}: KindParts): Kinds {
  const stored = <Kind extends Exclude<DocumentKind, 'user' | 'bot'>>(
    kind: Kind,
    version: string,
    row: {
      readonly check?: (value: ResourceDocument<Kind>) => readonly Found[];
      readonly columns: (
        value: ResourceDocument<Kind>,
        before: Resource | null,
      ) => Partial<NewResource> | Promise<Partial<NewResource>>;
      /** Default: the spec as it is kept. */
      readonly spec?: (resource: Resource) => object;
      readonly audit?: StoredKind['audit'];
      readonly note?: StoredKind['note'];
      readonly signed?: StoredKind['signed'];
      readonly notes?: (value: ResourceDocument<Kind>) => readonly string[];
      readonly roles?: StoredKind['roles'];
      readonly holders?: StoredKind['holders'];
      readonly differs?: StoredKind['differs'];
    },
  ): StoredKind => ({
    kind,
    schema: resourceDocuments[kind],
    check: value => [
      ...ownLabels(value, kind === 'cluster_alert' ? alertLabels : []),
      ...(row.check?.(value as ResourceDocument<Kind>) ?? []),
    ],
    toResource: async (value, _source, before) => {
      const document = value as ResourceDocument<Kind>;
      return {
        ...basics(kind, document.metadata),
        spec: document.spec ?? {},
        ...(await row.columns(document, before)),
      };
    },
    toDocument: resource => ({
      kind,
      version,
      ...((kind === 'node' || kind === 'plugin') && { sub_kind: resource.subtype }),
      metadata: metadataOf(resource),
      spec: row.spec?.(resource) ?? resource.spec,
    }),
    audit: row.audit ?? null,
    ...(row.note && { note: row.note }),
    ...(row.signed && { signed: row.signed }),
    ...(row.notes && { notes: (_source, value) => row.notes?.(value as ResourceDocument<Kind>) ?? [] }),
    ...(row.roles && { roles: row.roles }),
    ...(row.holders && { holders: row.holders }),
    ...(row.differs && { differs: row.differs }),
  });

  /** Why a stored role cannot be read, or null. */
  const roleProblem = (content: string): string | null => {
    try {
      role.toResource(content);
      return null;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  };
  const connector = {
    check: ({ spec }: ResourceDocument<ConnectorKind>) => connectorParts.unreadable(spec),
    columns: connectorParts.columns,
    spec: connectorParts.written,
    roles: (value: unknown) => connectorParts.roles((value as ResourceDocument<ConnectorKind>).spec),
  };
  const rows: readonly AnyKind[] = [
    {
      kind: 'role',
      schema: role.schema,
      check: () => [],
      toResource: (_value, source) => role.toResource(source),
      toDocument: ({ spec }) => {
        const content = String((spec as { readonly content?: unknown } | null)?.content ?? '');
        const problem = roleProblem(content);
        return problem === null
          ? content
          : `# Allows nothing until it is written anew: ${plainText(problem)}\n${content}`;
      },
      note: role.note,
      notes: role.notes,
      audit: null,
    },
    { kind: 'user', schema: resourceDocuments.user, check: () => [], user: true },
    stored('node', 'v2', {
      check: ({ spec }) =>
        [spec.hostKey].flat().flatMap((line, index) => {
          try {
            server.checkHostKey(line);
            return [];
          } catch (error) {
            const path = ['spec', 'hostKey', ...(Array.isArray(spec.hostKey) ? [index] : [])];
            return [{ path, text: `spec.hostKey: ${error instanceof Error ? error.message : String(error)}` }];
          }
        }),
      columns: ({ metadata, spec }) => ({
        title: spec.hostname ?? metadata.name,
        address: withPort(spec.addr, SSH_PORT),
        subtype: 'openssh',
        spec: { hostKeys: [spec.hostKey].flat().map(line => line.trim()) },
      }),
      spec: ({ title, address, spec }) => {
        const keys = (spec as { readonly hostKeys?: readonly string[] } | null)?.hostKeys ?? [];
        return { hostname: title, addr: address, hostKey: keys.length === 1 ? keys[0] : keys };
      },
      note: (change, resource, by) => server.note(change, resource, by, 'resource'),
    }),
    stored('app', 'v3', {
      columns: async ({ metadata, spec }) => {
        await application.check(spec);
        return {
          title: spec.friendly_name ?? metadata.name,
          address: spec.public_addr ?? '',
          words: [spec.uri, ...(spec.saml ? ['saml', 'single sign-on'] : [])],
        };
      },
      audit: {
        codes: ({ spec }) =>
          entityIdOf(spec) === null ? codes('TAP03I', 'TAP04I', 'TAP05I') : codes('TSI001I', 'TSI002I', 'TSI003I'),
        fields: ({ name, labels, spec, address }) => ({
          app_name: name,
          app_uri: (spec as ResourceDocument<'app'>['spec']).uri,
          app_public_addr: address,
          app_labels: labels,
          ...(entityIdOf(spec) !== null && { service_provider_entity_id: entityIdOf(spec) }),
        }),
      },
    }),
    stored('db', 'v3', {
      columns: ({ spec }) => ({
        address: spec.uri.slice(0, 255),
        subtype: spec.type ?? 'self-hosted',
        words: [spec.protocol, ...(spec.type === 'gcp' ? ['cloud', 'cloud sql'] : [])],
      }),
      audit: {
        codes: codes('TDB03I', 'TDB04I', 'TDB05I'),
        fields: ({ name, labels, spec, subtype }) => ({
          db_service: name,
          db_protocol: (spec as ResourceDocument<'db'>['spec']).protocol,
          db_uri: (spec as ResourceDocument<'db'>['spec']).uri,
          db_labels: labels,
          db_type: subtype,
          db_origin: labels[ORIGIN_LABEL] ?? 'dynamic',
        }),
      },
    }),
    stored('windows_desktop', 'v3', {
      columns: ({ spec }) => ({
        address: withPort(spec.addr, spec.protocol === 'vnc' ? VNC_PORT : RDP_PORT),
        subtype: spec.protocol ?? 'rdp',
      }),
    }),
    stored('kube_cluster', 'v3', {
      columns: kubernetes.columns,
      spec: kubernetes.written,
      audit: { codes: codes('T3010I', 'T3011I', 'T3012I'), fields: ({ labels }) => ({ kube_labels: labels }) },
    }),
    stored('user_group', 'v1', {
      columns: ({ metadata, spec }) => ({ title: spec.friendly_name ?? metadata.name }),
    }),
    stored('cluster_alert', 'v1', { columns: ({ spec }) => ({ title: spec.message.slice(0, 255) }) }),
    stored('lock', 'v2', {
      columns: ({ metadata: { expires }, spec }) => lock.columns({ expires, ...spec }),
      spec: lock.written,
      signed: lock.signed,
      note: lock.note,
    }),
    stored('device', 'v1', { columns: device.columns, spec: device.written, note: device.note }),
    stored('token', 'v2', { columns: token.columns, spec: token.written, signed: token.signed, note: token.note }),
    stored('access_list', 'v1', {
      columns: accessList.columns,
      spec: accessList.written,
      roles: accessList.roles,
      holders: accessList.holders,
      differs: accessList.differs,
      note: accessList.note,
    }),
    stored('trusted_cluster', 'v2', {
      columns: trustedCluster.columns,
      spec: trustedCluster.written,
      // What is made of a capture is looked for when somebody comes.
      roles: value =>
        (value as ResourceDocument<'trusted_cluster'>).spec.role_map.flatMap(({ local }, rule) =>
          local.flatMap((role, index) =>
            role.includes('$') ? [] : [{ path: ['spec', 'role_map', rule, 'local', index], role }],
          ),
        ),
      audit: { codes: codes('T7000I', 'T7000I', 'T7001I'), fields: () => ({}) },
    }),
    stored('snippet', 'v1', {
      columns: ({ spec }) => ({ subtype: 'shared', spec: { ...spec, owner: '' } }),
      spec: ({ spec }) => {
        const { text, enters, roles } = spec as ResourceDocument<'snippet'>['spec'];
        return { text, enters, roles };
      },
      audit: {
        codes: codes('TSN00I', 'TSN01I', 'TSN02I'),
        fields: ({ spec }) => ({ roles: (spec as ResourceDocument<'snippet'>['spec']).roles }),
      },
    }),
    stored('plugin', 'v1', { columns: plugin.columns, spec: plugin.written, note: plugin.note }),
    stored('discovery_config', 'v1', {
      columns: discovery.columns,
      spec: discovery.written,
      note: discovery.note,
    }),
    stored('login_rule', 'v1', {
      check: ({ spec }) => {
        try {
          readLoginRule(spec);
          return [];
        } catch (error) {
          if (!(error instanceof LoginRuleError)) throw error;
          return [{ path: ['spec', ...error.path], text: `spec.${error.path.join('.')}: ${error.message}` }];
        }
      },
      columns: ({ spec }) => ({ subtype: String(spec.priority) }),
      audit: { codes: codes('TLR00I', 'TLR00I', 'TLR01I'), fields: () => ({}) },
    }),
    stored('github', 'v3', { ...connector, audit: { codes: codes('T8000I', 'T8002I', 'T8001I'), fields: () => ({}) } }),
    stored('oidc', 'v3', { ...connector, audit: { codes: codes('T8100I', 'T8102I', 'T8101I'), fields: () => ({}) } }),
    stored('saml', 'v2', { ...connector, audit: { codes: codes('T8200I', 'T8202I', 'T8201I'), fields: () => ({}) } }),
    { kind: 'bot', schema: resourceDocuments.bot, check: () => [], user: true },
  ];
  return new Map(rows.map(row => [row.kind, row]));
}
