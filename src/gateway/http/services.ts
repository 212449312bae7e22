// What the routes need of the gateway: handed over by main, or by a test.
import type { FastifyBaseLogger } from 'fastify';
import type { WebConfig } from '../../contract/config.ts';
import type { DeviceTrustMode } from '../../contract/device-trust.ts';
import type { Trace } from '../../contract/diagnostics.ts';
import type { FailureCode } from '../../contract/failure.ts';
import type { After } from '../ports/after.ts';
import type { AuditLog } from '../ports/audit.ts';
import type { Changes } from '../ports/changes.ts';
import type { SshDoor } from '../ports/ssh-door.ts';
import type { Who } from '../ports/who.ts';
import type { ManagedLists } from '../services/access-lists/access-lists.ts';
import type { Agents } from '../services/agents/agents.ts';
import type { Alerts } from '../services/alerts/alerts.ts';
import type { ManagedApplications } from '../services/applications/manage.ts';
import type { ServiceProviders } from '../services/applications/service-providers.ts';
import type { Assistant } from '../services/assistant/assistant.ts';
import type { AuditAccess } from '../services/audit/access.ts';
import type { AwsOidc } from '../services/aws-oidc/aws-oidc.ts';
import type { AwsIssuer } from '../services/aws-oidc/issuer.ts';
import type { Billing } from '../services/billing/billing.ts';
import type { Bots } from '../services/bots/bots.ts';
import type { BotJoining } from '../services/bots/joining.ts';
import type { License } from '../services/configuration/license.ts';
import type { Logo } from '../services/configuration/logo.ts';
import type { Databases } from '../services/databases/manage.ts';
import type { DatabaseSetUp } from '../services/databases/set-up.ts';
import type { DesktopCertificates } from '../services/desktops/certificates.ts';
import type { ManagedDesktops } from '../services/desktops/manage.ts';
import type { ManagedDiscoveries } from '../services/discovery/manage.ts';
import type { Identity } from '../services/identity/identity.ts';
import type { SamlIdp } from '../services/identity/saml-idp/provider.ts';
import type { Connectors } from '../services/identity/sso/connectors.ts';
import type { Sso } from '../services/identity/sso/sso.ts';
import type { WrittenLoginRules } from '../services/identity/written-login-rules.ts';
import type { Integrations } from '../services/integrations/integrations.ts';
import type { Joining } from '../services/joining/joining.ts';
import type { KubernetesClusters } from '../services/kubernetes/manage.ts';
import type { Locks } from '../services/locks/locks.ts';
import type { Notifications } from '../services/notifications/notifications.ts';
import type { Plugins } from '../services/plugins/plugins.ts';
import type { PersonalPreferences } from '../services/preferences/preferences.ts';
import type { Applications } from '../services/protocols/applications/applications.ts';
import type { DatabaseCredentials } from '../services/protocols/databases/credentials.ts';
import type { Diagnostics } from '../services/protocols/databases/diagnose.ts';
import type { StatementResult, StatementWish } from '../services/protocols/databases/prompt/one-statement.ts';
import type { Prompts } from '../services/protocols/databases/prompt/prompts.ts';
import type { Desktops } from '../services/protocols/desktops/desktops.ts';
import type { DesktopTrial } from '../services/protocols/desktops/trial.ts';
import type { KubernetesCredentials } from '../services/protocols/kubernetes/credentials.ts';
import type { Clusters } from '../services/protocols/kubernetes/entrance.ts';
import type { PersonCertificates } from '../services/protocols/person-certificates.ts';
import type { Tunnels } from '../services/protocols/tcp/tunnels.ts';
import type { Readiness } from '../services/readiness.ts';
import type { Recordings } from '../services/recordings/recordings.ts';
import type { Retention } from '../services/recordings/retention.ts';
import type { AccessRequests } from '../services/requests/requests.ts';
import type { Reachable } from '../services/resources/reachable.ts';
import type { Access } from '../services/rights/access.ts';
import type { Roles } from '../services/roles/roles.ts';
import type { HostKeys } from '../services/servers/host-keys.ts';
import type { Servers } from '../services/servers/manage.ts';
import type { AgentWish } from '../services/sessions/agent-approval.ts';
import type { Broadcasts } from '../services/sessions/broadcasts.ts';
import type { DesktopWatching } from '../services/sessions/desktop-watching.ts';
import type { Files } from '../services/sessions/files/files.ts';
import type { LiveSessions } from '../services/sessions/live-sessions.ts';
import type { Broker } from '../services/sessions/participant.ts';
import type { StatementReviews } from '../services/sessions/reviews.ts';
import type { Snippets } from '../services/snippets/snippets.ts';
import type { Support } from '../services/support/bundle.ts';
import type { JoinTokens } from '../services/tokens/tokens.ts';
import type { Leaves } from '../services/trust/leaves.ts';
import type { Reception } from '../services/trust/reception.ts';
import type { Roots } from '../services/trust/roots.ts';
import type { TrustedDevices } from '../services/trusted-devices/trusted-devices.ts';
import type { TelemetryCounts } from '../services/usage/telemetry.ts';
import type { UsageCounts } from '../services/usage/usage.ts';
import type { Workspaces } from '../services/workspaces/workspaces.ts';

interface HttpConfig {
  readonly clusterName: string;
  /** Version of the gateway, as package.json says. */
  readonly version: string;
  /** Address people type, such as `https://console.example.com`. */
  readonly publicUrl: string;
  /** Further origins the console is served on. Loopback origins of the listening port count by themselves. */
  readonly origins: readonly string[];
  readonly webConfig: WebConfig;
  /** Folder of the built console: `index.html`, `assets/…`. */
  readonly consoleFolder: string;
  /** The deployment's own logo, which `webConfig.customLogo` leads to. */
  readonly logo?: Logo | null;
  /** What a dashboard hands out to whoever may read it. */
  readonly license?: License | null;
  /** Believe the X-Forwarded-* headers that the nearest proxy set. */
  readonly trustProxy: boolean;
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** The head of a request must be there in full within this time, ms; default: a minute. */
  readonly headMs?: number;
  /** The body of a request must be there in full within this time, ms; default: a minute. What a call streams, it watches itself. */
  readonly bodyMs?: number;
  /** `required`: whoever is signed in from no trusted device makes those calls only that a sign-in needs until it has proven its device. */
  readonly deviceTrust: DeviceTrustMode;
  /** Calls that anyone may make, per client address. */
  readonly rateLimit: { readonly burst: number; readonly perMinute: number };
  /** Where clients of databases and clusters connect, by protocol; null: they cannot. `tlsPort` is for those that begin with TLS. */
  readonly clientPorts?: (
    protocol: string,
  ) => { readonly host: string; readonly port: number; readonly tlsPort: number } | null;
  /** Sockets are pinged this often, ms; after two silent intervals they are dropped. */
  readonly keepAliveMs: number;
}

export interface Services {
  readonly config: HttpConfig;
  readonly log: FastifyBaseLogger;
  readonly audit: AuditLog;
  readonly changes: Changes;
  readonly auditAccess: AuditAccess;
  readonly identity: Identity;
  readonly sessions: Broker;
  readonly liveSessions: LiveSessions;
  readonly broadcasts: Broadcasts;
  readonly files: Files;
  readonly reviews: Pick<StatementReviews, 'list' | 'decide'>;
  readonly recordings: Pick<
    Recordings,
    | 'summary'
    | 'segment'
    | 'desktop'
    | 'thumbnails'
    | 'lastScreen'
    | 'events'
    | 'stream'
    | 'asciicast'
    | 'file'
    | 'text'
  >;
  readonly retention: Pick<Retention, 'holds' | 'on' | 'hold' | 'release'>;
  readonly servers: Servers;
  readonly tokens: JoinTokens;
  readonly awsOidc: AwsOidc;
  readonly awsIssuer: AwsIssuer;
  readonly bots: Bots;
  readonly botJoining: BotJoining;
  readonly trustedDevices: TrustedDevices;
  readonly leaves: Leaves;
  readonly roots: Roots;
  /** Where requests of roots arrive. */
  readonly reception: Pick<Reception, 'open' | 'openApplications'>;
  readonly joining: Joining;
  readonly hostKeys: HostKeys;
  readonly roles: Roles;
  readonly access: Access;
  readonly connectors: Connectors;
  readonly loginRules: WrittenLoginRules;
  readonly locks: Locks;
  readonly plugins: Plugins;
  readonly notifications: Notifications;
  readonly integrations: Integrations;
  readonly requests: AccessRequests;
  readonly agents: Agents;
  /** One statement on a database for an agent. */
  runStatement(wish: StatementWish): Promise<StatementResult>;
  /** Puts what an agent is about to do before its person. */
  askOwner(wish: AgentWish): Promise<void>;
  readonly accessLists: ManagedLists;
  readonly sso: Sso;
  readonly alerts: Alerts;
  readonly snippets: Snippets;
  readonly preferences: PersonalPreferences;
  readonly assistant: Assistant;
  readonly workspaces: Workspaces;
  readonly reachable: Reachable;
  readonly databaseSetUp: DatabaseSetUp;
  readonly prompts: Prompts;
  readonly databases: Databases;
  readonly diagnostics: Diagnostics;
  readonly databaseCredentials: DatabaseCredentials;
  readonly personCertificates: PersonCertificates;
  readonly tunnels: Tunnels;
  /** Loaded at its first use: most gateways have no service provider. */
  readonly samlIdp: () => Promise<SamlIdp>;
  readonly applications: Applications;
  readonly clusters: Clusters;
  readonly kubernetesCredentials: KubernetesCredentials;
  readonly managedApplications: ManagedApplications;
  readonly serviceProviders: ServiceProviders;
  readonly managedDesktops: ManagedDesktops;
  readonly managedDiscoveries: ManagedDiscoveries;
  readonly desktopCertificates: DesktopCertificates;
  readonly watchDesktop: DesktopWatching;
  readonly desktopTrial: DesktopTrial;
  readonly desktops: Desktops;
  readonly kubernetesClusters: KubernetesClusters;
  readonly sshDoor: SshDoor;
  readonly support: Support;
  readonly usage: UsageCounts;
  readonly billing: Billing;
  readonly telemetry: TelemetryCounts;
  /** Tries a cluster as a person. */
  clusterTrials(who: Who, of: { readonly name: string; readonly namespace: string }): Promise<readonly Trace[]>;
  /** What of the gateway is not ready to work. */
  readonly ready: () => Promise<Readiness>;
  /** Hears the code of every failure that a caller is answered with. */
  readonly refused?: (code: FailureCode) => void;
  readonly clock: () => Date;
  /** What waits in sockets; the default is the machine's clock. */
  readonly after?: After;
}
