// Every call of the web API, by name: the routes, the OpenAPI page and the authorisation tests walk this list.

import * as accessLists from './access-lists.ts';
import * as accessRequests from './access-requests.ts';
import * as agents from './agents.ts';
import * as applicationChanges from './application-changes.ts';
import * as applications from './applications.ts';
import * as assistant from './assistant.ts';
import * as audit from './audit.ts';
import * as awsOidc from './aws-oidc.ts';
import * as billing from './billing.ts';
import * as bots from './bots.ts';
import * as broadcasts from './broadcasts.ts';
import type { Call } from './call.ts';
import * as capture from './capture.ts';
import * as clusters from './clusters.ts';
import * as connectors from './connectors.ts';
import * as credentials from './credentials.ts';
import * as databaseChanges from './database-changes.ts';
import * as databases from './databases.ts';
import * as desktopCertificates from './desktop-certificates.ts';
import * as desktopChanges from './desktop-changes.ts';
import * as desktopSessions from './desktop-sessions.ts';
import * as devices from './devices.ts';
import * as diagnostics from './diagnostics.ts';
import * as discoveryChanges from './discovery-changes.ts';
import * as downloads from './downloads.ts';
import * as files from './files.ts';
import * as headless from './headless.ts';
import * as holds from './holds.ts';
import * as hostKeys from './host-keys.ts';
import * as impersonation from './impersonation.ts';
import * as integrations from './integrations.ts';
import * as joinTokens from './join-tokens.ts';
import * as kubernetes from './kubernetes.ts';
import * as kubernetesChanges from './kubernetes-changes.ts';
import * as liveSessions from './live-sessions.ts';
import * as locks from './locks.ts';
import * as loginRuleCalls from './login-rule-calls.ts';
import * as mfa from './mfa.ts';
import * as newJoinToken from './new-join-token.ts';
import * as nodes from './nodes.ts';
import * as notifications from './notifications.ts';
import * as ownSessions from './own-sessions.ts';
import * as plugins from './plugins.ts';
import * as pods from './pods.ts';
import * as preferences from './preferences.ts';
import * as promptFiles from './prompt-files.ts';
import * as recordings from './recordings.ts';
import * as recovery from './recovery.ts';
import * as resources from './resources.ts';
import * as reviews from './reviews.ts';
import * as rights from './rights.ts';
import * as rolePreview from './role-preview.ts';
import * as roles from './roles.ts';
import * as samlIdp from './saml-idp.ts';
import * as search from './search.ts';
import * as serviceProviders from './service-providers.ts';
import * as session from './session.ts';
import * as signInSettings from './sign-in-settings.ts';
import * as signInTests from './sign-in-tests.ts';
import * as snippets from './snippets.ts';
import * as sshClients from './ssh-clients.ts';
import * as support from './support.ts';
import * as telemetry from './telemetry.ts';
import * as trustedClusters from './trusted-clusters.ts';
import * as trustedDevices from './trusted-devices.ts';
import * as tunnels from './tunnels.ts';
import * as usage from './usage.ts';
import * as users from './users.ts';
import * as workspaces from './workspaces.ts';

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'parts' in value;

/** Name of the exported value -> call. */
export const calls: Readonly<Record<string, Call>> = Object.fromEntries(
  [
    accessLists,
    accessRequests,
    agents,
    applicationChanges,
    applications,
    assistant,
    audit,
    capture,
    clusters,
    connectors,
    credentials,
    databaseChanges,
    databases,
    desktopCertificates,
    desktopChanges,
    desktopSessions,
    diagnostics,
    discoveryChanges,
    trustedClusters,
    trustedDevices,
    support,
    telemetry,
    tunnels,
    samlIdp,
    devices,
    downloads,
    files,
    headless,
    hostKeys,
    joinTokens,
    newJoinToken,
    billing,
    bots,
    awsOidc,
    impersonation,
    integrations,
    plugins,
    notifications,
    broadcasts,
    kubernetes,
    kubernetesChanges,
    liveSessions,
    locks,
    loginRuleCalls,
    mfa,
    nodes,
    ownSessions,
    pods,
    preferences,
    promptFiles,
    recordings,
    recovery,
    resources,
    rights,
    holds,
    reviews,
    rolePreview,
    roles,
    search,
    serviceProviders,
    session,
    signInSettings,
    signInTests,
    snippets,
    sshClients,
    usage,
    users,
    workspaces,
    ...Object.entries(connectors.connectorCalls).map(([kind, ofKind]) =>
      Object.fromEntries(Object.entries(ofKind).map(([verb, one]) => [`${kind}.${verb}`, one])),
    ),
  ].flatMap(room => Object.entries<unknown>(room).filter((entry): entry is [string, Call] => isCall(entry[1]))),
);
