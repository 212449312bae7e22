// The roles a new store begins with. They are ordinary roles from then on: people may change them.

const preset = (name: string, description: string) => `kind: role
version: v7
metadata:
  name: ${name}
  description: ${description}
  labels:
    postern.internal/resource-type: preset
`;

const access = `${preset('access', 'Reach servers, applications, databases, desktops and Kubernetes clusters')}spec:
  options:
    max_session_ttl: 30h0m0s
    forward_agent: true
    port_forwarding: true
    enhanced_recording: [command, network]
    record_session:
      desktop: true
  allow:
    logins: ['{{internal.logins}}']
    node_labels: {'*': '*'}
    app_labels: {'*': '*'}
    kubernetes_labels: {'*': '*'}
    windows_desktop_labels: {'*': '*'}
    db_labels: {'*': '*'}
    db_service_labels: {'*': '*'}
    windows_desktop_logins: ['{{internal.windows_logins}}']
    kubernetes_groups: ['{{internal.kubernetes_groups}}']
    kubernetes_users: ['{{internal.kubernetes_users}}']
    kubernetes_resources:
      - {kind: '*', namespace: '*', name: '*', verbs: ['*']}
    db_users: ['{{internal.db_users}}']
    db_names: ['{{internal.db_names}}']
    db_roles: ['{{internal.db_roles}}']
    aws_role_arns: ['{{internal.aws_role_arns}}']
    azure_identities: ['{{internal.azure_identities}}']
    gcp_service_accounts: ['{{internal.gcp_service_accounts}}']
    rules:
      - resources: [event]
        verbs: [list, read]
      - resources: [session]
        verbs: [list, read]
        where: contains(session.participants, user.metadata.name)
      - resources: [instance]
        verbs: [list, read]
      - resources: [assistant]
        verbs: [list, create, read, update, delete, use]
`;

/**
 * `node`, `app_server`, `windows_desktop`, `discovery_config`, `bot`, `snippet`, `legal_hold` and `statement_review` are ours: whoever edits the
 * cluster may add and remove servers, applications, desktops and bots, have desktops found in directories, keep recordings past their time, and
 * decide about statements of others that wait.
 */
const editor = `${preset('editor', 'Change users, roles, servers and the settings of the cluster')}spec:
  options:
    max_session_ttl: 30h0m0s
    forward_agent: true
    port_forwarding: true
    enhanced_recording: [command, network]
    record_session:
      desktop: false
  allow:
    rules:
      - resources:
          - user
          - role
          - oidc
          - oidc_request
          - saml
          - saml_request
          - github
          - github_request
          - cluster_audit_config
          - cluster_auth_preference
          - auth_connector
          - cluster_name
          - cluster_networking_config
          - session_recording_config
          - ui_config
          - trusted_cluster
          - remote_cluster
          - token
          - connection_diagnostic
          - db
          - kube_cluster
          - database_certificate
          - installer
          - login_rule
          - saml_idp_service_provider
          - user_group
          - plugin
          - okta_import_rule
          - okta_assignment
          - lock
          - billing
          - cluster_alert
          - access_list
          - snippet
          - legal_hold
          - statement_review
          - node
          - app_server
          - windows_desktop
          - discovery_config
          - bot
        verbs: [list, create, read, update, delete]
      - resources: [device]
        verbs: [list, create, read, update, delete, create_enroll_token, enroll]
      - resources: [assistant, integration]
        verbs: [list, create, read, update, delete, use]
      - resources: [db_service, instance]
        verbs: [list, read]
`;

/** The login cannot exist: it begins with a dash. A role that names none would leave the choice to other roles' templates. */
const auditor = `${preset('auditor', 'Read the audit log and every session recording')}spec:
  options:
    max_session_ttl: 30h0m0s
    record_session:
      desktop: false
  allow:
    logins: ['-postern-nologin-5b0c1a3e']
    rules:
      - resources: [session, event, session_tracker, cluster_alert, instance]
        verbs: [list, read]
`;

/** Name and YAML of each. */
export const presetRoles: readonly { readonly name: string; readonly content: string }[] = [
  { name: 'access', content: access },
  { name: 'editor', content: editor },
  { name: 'auditor', content: auditor },
];
