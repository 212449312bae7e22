// The services of the nouns over one store: what the web API, the admin socket and YAML call. None of them sees the store.
import type { WebConfig } from '../contract/config.ts';
import type { HostKey } from '../contract/host-keys.ts';
import { lockNote } from '../contract/locks.ts';
import type { AuditLog } from './ports/audit.ts';
import type { Changes } from './ports/changes.ts';
import type { Rights } from './ports/rights.ts';
import type { Barring } from './ports/who.ts';
import { type Alerts, createAlerts } from './services/alerts/alerts.ts';
import type { Accounts } from './services/identity/accounts.ts';
import type { SecretBox } from './services/identity/secret-box.ts';
import { type Connectors, createConnectors } from './services/identity/sso/connectors.ts';
import { connectorColumns, rolesGiven, unreadablePatterns, writtenSpec } from './services/identity/sso/stored.ts';
import type { Sessions } from './services/identity/web-sessions.ts';
import { clusterColumns, writtenCluster } from './services/kubernetes/stored.ts';
import { createLocks, type Locks } from './services/locks/locks.ts';
import { lockColumns, madeBy, writtenLock } from './services/locks/stored.ts';
import { createPreferences, type PersonalPreferences } from './services/preferences/preferences.ts';
import { parsePublicKey, readHostKey } from './services/protocols/ssh/host-key.ts';
import { newDialKey } from './services/protocols/ssh/port/host-key.ts';
import { type AccessRequests, createAccessRequests } from './services/requests/requests.ts';
import { createDeclaredResources, type DeclaredResources } from './services/resources/resources.ts';
import { type Access, createAccess } from './services/rights/access.ts';
import { createEffects } from './services/rights/effects.ts';
import { notEnforcedIn } from './services/rights/not-enforced.ts';
import { presetRoles } from './services/rights/presets.ts';
import { createRights } from './services/rights/rights.ts';
import { parseRole, roleSchema } from './services/rights/role.ts';
import { type RightsSource, roleContent, roleResource } from './services/rights/source.ts';
import { createRoles, type Roles } from './services/roles/roles.ts';
import { createHostKeys, type HostKeys } from './services/servers/host-keys.ts';
import { createServers, type ServerParts, type Servers } from './services/servers/manage.ts';
import { createSnippets, type Snippets } from './services/snippets/snippets.ts';
import { tokenColumns, madeBy as tokenMadeBy, writtenToken } from './services/tokens/stored.ts';
import { createJoinTokens, type JoinTokens } from './services/tokens/tokens.ts';
import { rootColumns, writtenRoot } from './services/trust/stored.ts';
import { createWorkspaces, type Workspaces } from './services/workspaces/workspaces.ts';
import type { Store, UserRecord } from './store/store.ts';

export interface NounParts {
  readonly store: Store;
  readonly audit: AuditLog;
  readonly changes: Changes;
  readonly accounts: Accounts;
  readonly sessions: Pick<Sessions, 'endOf'>;
  readonly rights: RightsSource;
  /** Seals the secrets of connectors and clusters. */
  readonly secretBox: SecretBox;
  readonly barring: Barring;
  readonly clock?: () => Date;
  readonly clusterName: string;
  readonly gatewayId: string;
  readonly deployment: Pick<WebConfig, 'isCloud' | 'isDashboard'>;
  /** Why things with these labels cannot be reached now, by the id of their tunnel. */
  readonly offline: ServerParts['offline'];
  /** Connects to host:port and answers the host key it shows, of a pinned kind where it has one. Throws ConnectError. */
  readonly probe: (addr: string, pinned?: readonly string[]) => Promise<HostKey>;
}
export interface Nouns {
  readonly servers: Servers;
  readonly hostKeys: HostKeys;
  readonly tokens: JoinTokens;
  readonly roles: Roles;
  readonly connectors: Connectors;
  readonly access: Access;
  readonly locks: Locks;
  readonly requests: AccessRequests;
  readonly alerts: Alerts;
  readonly snippets: Snippets;
  readonly preferences: PersonalPreferences;
  readonly workspaces: Workspaces;
  /** Resources as YAML. */
  readonly declared: DeclaredResources;
}

export function createNouns(parts: NounParts): Nouns {
  const { store, audit, changes, accounts, rights, secretBox, probe } = parts;
  const { resources, users } = store;

  async function rightsWith(user: UserRecord, contents: ReadonlyMap<string, string>): Promise<Rights> {
    const kept = await rights.roles(user.roles.filter(role => !contents.has(role)));
    const changed = user.roles.flatMap(role => contents.get(role) ?? []).map(parseRole);
    return createRights([...kept, ...changed], user);
  }
  const notes = (content: string): readonly string[] => notEnforcedIn(parseRole(content));

  const effects = createEffects({ resources, users, rights });

  const servers = createServers({ ...parts, resources, checkHostKey: parsePublicKey });
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
    givenBy: role => connectors.giving(role),
  });
  const locks = createLocks({
    ...parts,
    resources,
    users,
    endSessions: parts.sessions.endOf,
    mfaDevices: store.mfaDevices,
  });
  const tokens = createJoinTokens({ ...parts, resources });
  const declared = createDeclaredResources({
    store,
    audit,
    accounts,
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
    lock: {
      columns: lockColumns,
      written: writtenLock,
      notes: targets => [lockNote({ targets }) ?? []].flat(),
      signed: madeBy,
      note: locks.note,
    },
    token: { columns: tokenColumns, written: writtenToken, signed: tokenMadeBy, note: tokens.note },
    rightsWith,
    effects,
  });
  const connectors = createConnectors({ store, audit, secretBox, declared });
  return {
    servers,
    tokens,
    roles,
    hostKeys: createHostKeys({ resources, audit, changes, readKey: readHostKey, probe }),
    alerts: createAlerts({ resources, deployment: parts.deployment }),
    snippets: createSnippets(resources, audit),
    preferences: createPreferences(store.preferences),
    workspaces: createWorkspaces(resources),
    declared,
    connectors,
    access: createAccess({ ...parts, resources, users }),
    locks,
    requests: createAccessRequests({ ...parts, resources, users }),
  };
}
