// The services of the nouns over one store: what the web API, the admin socket and YAML call. None of them sees the store.
import type { WebConfig } from '../contract/config.ts';
import type { DeviceTrustMode } from '../contract/device-trust.ts';
import { notificationSources } from './notification-sources.ts';
import type { AuditLog } from './ports/audit.ts';
import type { Changes } from './ports/changes.ts';
import type { Rights } from './ports/rights.ts';
import type { Barring } from './ports/who.ts';
import { createAccessLists, type ManagedLists } from './services/access-lists/access-lists.ts';
import { createKeptLists } from './services/access-lists/kept.ts';
import type { Listed } from './services/access-lists/listed.ts';
import { type Agents, createAgents } from './services/agents/agents.ts';
import { type Alerts, createAlerts } from './services/alerts/alerts.ts';
import { type AwsOidc, type AwsOidcParts, createAwsOidc } from './services/aws-oidc/aws-oidc.ts';
import { type AwsIssuer, createAwsIssuer } from './services/aws-oidc/issuer.ts';
import { type Bots, createBots } from './services/bots/bots.ts';
import { type BotJoining, createBotJoining } from './services/bots/joining.ts';
import { discoveryColumns, writtenDiscovery } from './services/discovery/stored.ts';
import type { Accounts } from './services/identity/accounts.ts';
import type { SecretBox } from './services/identity/secret-box.ts';
import { type Connectors, createConnectors } from './services/identity/sso/connectors.ts';
import { connectorColumns, rolesGiven, unreadablePatterns, writtenSpec } from './services/identity/sso/stored.ts';
import type { Sessions } from './services/identity/web-sessions.ts';
import { createWrittenLoginRules, type WrittenLoginRules } from './services/identity/written-login-rules.ts';
import { createIntegrations, type Integrations } from './services/integrations/integrations.ts';
import { clusterColumns, writtenCluster } from './services/kubernetes/stored.ts';
import { allOf } from './services/lists.ts';
import { createLocks, type Locks } from './services/locks/locks.ts';
import { lockColumns, madeBy, writtenLock } from './services/locks/stored.ts';
import { createNotifications, type Notifications } from './services/notifications/notifications.ts';
import { createOutgoing } from './services/plugins/outgoing.ts';
import { createPlugins, type Plugins } from './services/plugins/plugins.ts';
import { pluginColumns, writtenPlugin } from './services/plugins/stored.ts';
import { createPreferences, type PersonalPreferences } from './services/preferences/preferences.ts';
import { parsePublicKey, readHostKey } from './services/protocols/ssh/host-key.ts';
import { newDialKey } from './services/protocols/ssh/port/host-key.ts';
import type { AskParts } from './services/requests/ask.ts';
import { type AccessRequests, createAccessRequests } from './services/requests/requests.ts';
import { createDeclaredResources, type DeclaredResources } from './services/resources/resources.ts';
import { type Access, createAccess } from './services/rights/access.ts';
import { createEffects } from './services/rights/effects.ts';
import { presetRoles } from './services/rights/presets.ts';
import { createRights } from './services/rights/rights.ts';
import { parseRole, roleSchema } from './services/rights/role.ts';
import { notesOn } from './services/rights/role-notes.ts';
import { type RightsSource, roleContent, roleResource } from './services/rights/source.ts';
import { createRoles, type Roles } from './services/roles/roles.ts';
import { createHostKeys, type HostKeys } from './services/servers/host-keys.ts';
import { createServers, type ServerParts, type Servers } from './services/servers/manage.ts';
import { createSnippets, type Snippets } from './services/snippets/snippets.ts';
import { tokenColumns, madeBy as tokenMadeBy, writtenToken } from './services/tokens/stored.ts';
import { createJoinTokens, type JoinTokens } from './services/tokens/tokens.ts';
import { rootColumns, writtenRoot } from './services/trust/stored.ts';
import { deviceColumns, readDevice, writtenDevice } from './services/trusted-devices/stored.ts';
import { createTrustedDevices, type TrustedDevices } from './services/trusted-devices/trusted-devices.ts';
import { createWorkspaces, type Workspaces } from './services/workspaces/workspaces.ts';
import type { Store, UserRecord } from './store/store.ts';

export interface NounParts {
  readonly store: Store;
  readonly audit: AuditLog;
  readonly changes: Changes;
  readonly accounts: Accounts;
  readonly sessions: Pick<Sessions, 'endOf' | 'open'>;
  /** Address that people type. */
  readonly publicUrl: string;
  /** In place of AWS: where its services are asked. */
  readonly awsEndpoint?: AwsOidcParts['endpoint'];
  /** What roles give; those of access lists are added here. */
  readonly rights: RightsSource;
  readonly listed: Listed;
  /** Seals the secrets of connectors and clusters. */
  readonly secretBox: SecretBox;
  readonly barring: Barring;
  /** What the whole cluster asks of devices. */
  readonly mode: DeviceTrustMode;
  readonly clock?: () => Date;
  readonly clusterName: string;
  readonly gatewayId: string;
  readonly report: (problem: string, error: unknown) => void;
  /** Plugins may send to the gateway's own machine. */
  readonly pluginsLoopback: boolean;
  readonly deployment: Pick<WebConfig, 'isCloud' | 'isDashboard'>;
  /** Why things with these labels cannot be reached now, by the id of their tunnel. */
  readonly offline: ServerParts['offline'];
  /** Connects to host:port and answers the host key it shows, of a pinned kind where it has one. Throws ConnectError. */
  readonly probe: ServerParts['probe'];
}
export interface Nouns {
  readonly servers: Servers;
  readonly hostKeys: HostKeys;
  readonly trustedDevices: TrustedDevices;
  readonly tokens: JoinTokens;
  readonly bots: Bots;
  readonly botJoining: BotJoining;
  readonly roles: Roles;
  readonly connectors: Connectors;
  readonly loginRules: WrittenLoginRules;
  readonly access: Access;
  readonly locks: Locks;
  readonly requests: AccessRequests;
  readonly agents: Agents;
  readonly accessLists: ManagedLists;
  readonly alerts: Alerts;
  readonly snippets: Snippets;
  readonly preferences: PersonalPreferences;
  readonly workspaces: Workspaces;
  readonly plugins: Plugins;
  readonly notifications: Notifications;
  readonly integrations: Integrations;
  readonly awsOidc: AwsOidc;
  readonly awsIssuer: AwsIssuer;
  /** Resources as YAML. */
  readonly declared: DeclaredResources;
}

export function createNouns(parts: NounParts): Nouns {
  const { store, audit, changes, accounts, rights, listed, secretBox, probe } = parts;
  const { resources, users } = store;
  const listedUsers = { ...users, list: async () => listed.people(await users.list()) };
  const listedRights: AskParts['rights'] = {
    roles: rights.roles,
    rightsOf: async (user, grants) => rights.rightsOf(await listed.person(user), grants),
  };

  async function rightsWith(user: UserRecord, contents: ReadonlyMap<string, string>): Promise<Rights> {
    const kept = await rights.roles(user.roles.filter(role => !contents.has(role)));
    const changed = user.roles.flatMap(role => contents.get(role) ?? []).map(parseRole);
    return createRights([...kept, ...changed], user);
  }
  const notes = (content: string): readonly string[] => notesOn(parseRole(content));

  const effects = createEffects({ resources, users: listedUsers, rights });

  const servers = createServers({
    ...{ ...parts, resources, checkHostKey: parsePublicKey },
    checkInstance: (aws, addr) => awsOidc.checkInstance(aws, addr),
  });
  const roles = createRoles({
    resources,
    users,
    alone: store.alone,
    audit,
    changes,
    yaml: { toResource: roleResource, contentOf: roleContent, notes },
    presets: presetRoles,
    keepAdministrator: accounts.keepAdministrator,
    rightsWith,
    effects,
    givenBy: async role => [...(await connectors.giving(role)), ...(await keptLists.granting(role))],
  });
  const locks = createLocks({
    ...parts,
    resources,
    users: listedUsers,
    endSessions: parts.sessions.endOf,
    mfaDevices: store.mfaDevices,
    endSessionsOfDevice: store.webSessions.deleteOfDevice,
  });
  const tokens = createJoinTokens({
    ...{ ...parts, resources, challenges: store.challenges },
    callerOf: (region, headers) => awsOidc.callerIdentity(region, headers),
  });
  const bots = createBots({ ...parts, ...store, tokens });
  const plugins = createPlugins({
    ...parts,
    ...store,
    request: createOutgoing(parts.pluginsLoopback),
    own: parts.pluginsLoopback,
  });
  const trustedDevices = createTrustedDevices({ ...parts, ...store });
  const keptLists = createKeptLists({ ...parts, resources, users, lists: store.accessLists });
  const declared = createDeclaredResources({
    store,
    audit,
    changes,
    accounts,
    bot: bots,
    role: { schema: roleSchema, toResource: roleResource, notes, note: roles.note, refuseHeld: roles.refuseHeld },
    server: { checkHostKey: parsePublicKey, note: servers.note },
    connector: {
      columns: (document, before) => connectorColumns(secretBox, document, before),
      written: writtenSpec,
      roles: rolesGiven,
      unreadable: unreadablePatterns,
      giveUp: (kind, name, meant) => connectors.giveUp(kind, name, meant),
    },
    application: {
      async check({ saml }) {
        if (!saml) return;
        const { checkServiceProvider } = await import('./services/identity/saml-idp/service-provider.ts');
        checkServiceProvider(saml);
      },
    },
    kubernetes: {
      columns: (document, before) => clusterColumns(secretBox, document, before),
      written: writtenCluster,
    },
    trustedCluster: {
      columns: (document, before) => rootColumns(secretBox, newDialKey, document, before),
      written: writtenRoot,
    },
    device: { columns: deviceColumns, written: writtenDevice, note: trustedDevices.note },
    lock: {
      columns: lockColumns,
      written: writtenLock,
      signed: madeBy,
      note: locks.note,
    },
    discovery: {
      columns: (document, before) => discoveryColumns(secretBox, document, before),
      written: writtenDiscovery,
      async note(change, { name, address }, by) {
        const code = { created: 'TDC00I', updated: 'TDC01I', removed: 'TDC02I' } as const;
        changes.emit({ kind: 'discoveryChanged' });
        await audit.emit({ code: code[change], user: by, name, directory: address });
      },
    },
    plugin: {
      columns: ({ metadata: { name }, sub_kind: kind, spec }, before) =>
        pluginColumns(secretBox, { name, kind, spec }, before, plugins.begin),
      written: writtenPlugin,
      note: plugins.note,
    },
    accessList: keptLists,
    token: { columns: tokenColumns, written: writtenToken, signed: tokenMadeBy, note: tokens.note },
    rightsWith,
    effects,
  });
  const connectors = createConnectors({ store, audit, secretBox, declared });
  const { clock = () => new Date() } = parts;
  const integrations = createIntegrations({ resources, audit, plugins });
  const awsIssuer = createAwsIssuer({
    ...{ settings: store.settings, secrets: secretBox, publicUrl: parts.publicUrl, clock },
  });
  const awsOidc = createAwsOidc({
    ...{ issuer: awsIssuer, integrations, clusterName: parts.clusterName, clock },
    ...(parts.awsEndpoint && { endpoint: parts.awsEndpoint }),
  });
  const alerts = createAlerts({ resources, deployment: parts.deployment });
  const requests = createAccessRequests({ ...parts, rights: listedRights, resources, users });
  const accessLists = createAccessLists({ ...parts, declared });
  const notifications = createNotifications({ ...parts, ...store, reads: store.notificationReads });
  for (const source of notificationSources({ ...parts, requests, alerts, accessLists, trustedDevices }))
    notifications.add(source);
  return {
    servers,
    trustedDevices,
    tokens,
    bots,
    botJoining: createBotJoining({ ...parts, resources, users, tokens, locks }),
    roles,
    hostKeys: createHostKeys({ resources, audit, changes, readKey: readHostKey, probe }),
    alerts,
    notifications,
    snippets: createSnippets(resources, audit),
    preferences: createPreferences(store.preferences),
    workspaces: createWorkspaces(resources),
    declared,
    connectors,
    loginRules: createWrittenLoginRules({ resources, users, declared }),
    access: createAccess({
      ...parts,
      resources,
      users,
      hasDevice: async userId =>
        (await allOf(resources, 'device')).some(row => readDevice(row)?.spec.enrolled?.userId === userId),
    }),
    locks,
    plugins,
    integrations,
    awsIssuer,
    awsOidc,
    requests,
    accessLists,
    agents: createAgents({ ...parts, resources, users }),
  };
}
