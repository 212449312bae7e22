// Audit codes about people, what they may do, and the things that say so. Rows: code, type, title, summary (audit-text.ts reads it).
import type { AuditRow } from './audit-codes.ts';

export const identityCodes: readonly AuditRow[] = [
  // User.
  ['T1002I', 'user.create', 'User Created', 'User [{name} ]was created[ by {user}]'],
  ['T1003I', 'user.update', 'User Updated', 'User [{name} ]was changed[ by {user}]'],
  ['T1004I', 'user.delete', 'User Deleted', 'User [{name} ]was deleted[ by {user}]'],
  ['T1005I', 'user.password_change', 'User Password Changed', 'User [{user} ]has changed the password'],
  // Auth: login.
  ['T1000I', 'user.login', 'Local Login', 'User [{user} ]signed in'],
  ['T1000W', 'user.login', 'Local Login Failed', 'User [{user} ]failed to sign in[: {error}]'],
  ['T1001I', 'user.login', 'SSO Login', 'User [{user} ]signed in by single sign-on'],
  ['T1001W', 'user.login', 'SSO Login Failed', 'Sign-in by single sign-on failed[: {error}]'],
  ['T1010I', 'user.login', 'SSO Test Flow Login', 'User [{user} ]passed the single sign-on test'],
  ['T1011W', 'user.login', 'SSO Test Flow Login Failed', 'The single sign-on test failed[: {error}]'],
  ['T1012I', 'user.login', 'Headless Login Requested', 'User [{user} ]asked for a headless sign-in'],
  ['T1013I', 'user.login', 'Headless Login Approved', 'User [{user} ]approved a headless sign-in'],
  ['T1013W', 'user.login', 'Headless Login Failed', 'User [{user} ]failed to approve a headless sign-in[: {error}]'],
  ['T1014W', 'user.login', 'Headless Login Rejected', 'User [{user} ]rejected a headless sign-in'],
  // Auth.
  ['T3007W', 'auth', 'Auth Attempt Failed', 'User [{user} ]was refused[: {error}]'],
  [
    'TAP00I',
    'auth_preference.update',
    'Sign-in Settings Changed',
    'User [{user} ]changed the sign-in settings[: passwords are {passwords}]',
  ],
  // MFA.
  ['T1006I', 'mfa.add', 'MFA Device Added', 'User [{user} ]added[ {mfa_device_type}] device[ "{mfa_device_name}"]'],
  [
    'T1007I',
    'mfa.delete',
    'MFA Device Deleted',
    'User [{user} ]removed[ {mfa_device_type}] device[ "{mfa_device_name}"]',
  ],
  ['T1015I', 'mfa_auth_challenge.create', 'MFA Challenge Created', 'User [{user} ]asked for an MFA challenge'],
  ['T1016I', 'mfa_auth_challenge.validate', 'MFA Challenge Passed', 'User [{user} ]passed an MFA challenge'],
  ['T1016W', 'mfa_auth_challenge.validate', 'MFA Challenge Failed', 'User [{user} ]failed an MFA challenge'],
  // Recovery codes.
  ['T1008I', 'recovery_code.generated', 'Recovery Codes Generated', 'New recovery codes were made[ for user {user}]'],
  ['T1009I', 'recovery_code.used', 'Recovery Code Used', 'User [{user} ]used a recovery code'],
  ['T1009W', 'recovery_code.used', 'Recovery Code Refused', 'User [{user} ]failed to use a recovery code'],
  // Token.
  [
    'T6000I',
    'reset_password_token.create',
    'Reset Password Token Created',
    'User [{user} ]made a password token[ for user {name}]',
  ],
  ['T6001I', 'recovery_token.create', 'Recovery Token Created', 'A recovery token was made[ for user {name}]'],
  ['T6002I', 'privilege_token.create', 'Privilege Token Created', 'A privilege token was made[ for user {name}]'],
  [
    'TJT00I',
    'join_token.create',
    'Join Token Created',
    'User [{user} ]made a join token[ for {roles}][ by method {join_method}]',
  ],
  // Role.
  ['T9000I', 'role.created', 'User Role Created', 'User [{user} ]created role[ {name}]'],
  ['T9001I', 'role.deleted', 'User Role Deleted', 'User [{user} ]deleted role[ {name}]'],
  ['T9002I', 'role.updated', 'User Role Updated', 'User [{user} ]changed role[ {name}]'],
  // Lock.
  ['TLK00I', 'lock.created', 'Lock Created', 'User [{user} ]created lock[ {name}]'],
  ['TLK01I', 'lock.deleted', 'Lock Deleted', 'User [{user} ]deleted lock[ {name}]'],
  // Access request.
  ['T5000I', 'access_request.create', 'Access Request Created', 'Access request[ {id}] was created[ and is {state}]'],
  ['T5001I', 'access_request.update', 'Access Request Updated', 'Access request[ {id}] is now[ {state}]'],
  ['T5002I', 'access_request.review', 'Access Request Reviewed', 'User [{reviewer} ]reviewed access request[ {id}]'],
  ['T5003I', 'access_request.delete', 'Access Request Deleted', 'Access request[ {id}] was deleted'],
  [
    'T5004I',
    'access_request.search',
    'Resource Access Search',
    'User [{user} ]searched[ {resource_type}] resources[ as {search_as_roles}]',
  ],
  // Access list.
  ['TAL001I', 'access_list.create', 'Access List Created', 'User [{updated_by} ]created access list[ {name}]'],
  [
    'TAL001E',
    'access_list.create',
    'Access List Create Failed',
    'User [{updated_by} ]failed to create access list[ {name}]',
  ],
  ['TAL002I', 'access_list.update', 'Access List Updated', 'User [{updated_by} ]changed access list[ {name}]'],
  [
    'TAL002E',
    'access_list.update',
    'Access List Update Failed',
    'User [{updated_by} ]failed to change access list[ {name}]',
  ],
  ['TAL003I', 'access_list.delete', 'Access List Deleted', 'User [{updated_by} ]deleted access list[ {name}]'],
  [
    'TAL003E',
    'access_list.delete',
    'Access List Delete Failed',
    'User [{updated_by} ]failed to delete access list[ {name}]',
  ],
  ['TAL004I', 'access_list.review', 'Access List Reviewed', 'User [{updated_by} ]reviewed access list[ {name}]'],
  [
    'TAL004E',
    'access_list.review',
    'Access List Review Failed',
    'User [{updated_by} ]failed to review access list[ {name}]',
  ],
  // Access list member.
  [
    'TAL005I',
    'access_list.member.create',
    'Access List Member Added',
    'User [{updated_by} ]added {#members|member}[ {members}] to access list[ {access_list_name}]',
  ],
  [
    'TAL005E',
    'access_list.member.create',
    'Access List Member Add Failed',
    'User [{updated_by} ]failed to add {#members|member}[ {members}] to access list[ {access_list_name}]',
  ],
  [
    'TAL006I',
    'access_list.member.update',
    'Access List Member Updated',
    'User [{updated_by} ]changed {#members|member}[ {members}] of access list[ {access_list_name}]',
  ],
  [
    'TAL006E',
    'access_list.member.update',
    'Access List Member Update Failed',
    'User [{updated_by} ]failed to change {#members|member}[ {members}] of access list[ {access_list_name}]',
  ],
  [
    'TAL007I',
    'access_list.member.delete',
    'Access List Member Removed',
    'User [{updated_by} ]removed {#members|member}[ {members}] from access list[ {access_list_name}]',
  ],
  [
    'TAL007E',
    'access_list.member.delete',
    'Access List Member Removal Failed',
    'User [{updated_by} ]failed to remove {#members|member}[ {members}] from access list[ {access_list_name}]',
  ],
  [
    'TAL008I',
    'access_list.member.delete_all_for_access_list',
    'Access List Members Removed',
    'User [{updated_by} ]removed all members from access list[ {access_list_name}]',
  ],
  [
    'TAL008E',
    'access_list.member.delete_all_for_access_list',
    'Access List Members Removal Failed',
    'User [{updated_by} ]failed to remove all members from access list[ {access_list_name}]',
  ],
  // Connector: GitHub.
  ['T8000I', 'github.created', 'GitHub Auth Connector Created', 'User [{user} ]created GitHub connector[ {name}]'],
  ['T8001I', 'github.deleted', 'GitHub Auth Connector Deleted', 'User [{user} ]deleted GitHub connector[ {name}]'],
  ['T8002I', 'github.updated', 'GitHub Auth Connector Updated', 'User [{user} ]changed GitHub connector[ {name}]'],
  // Connector: OIDC.
  ['T8100I', 'oidc.created', 'OIDC Auth Connector Created', 'User [{user} ]created OIDC connector[ {name}]'],
  ['T8101I', 'oidc.deleted', 'OIDC Auth Connector Deleted', 'User [{user} ]deleted OIDC connector[ {name}]'],
  ['T8102I', 'oidc.updated', 'OIDC Auth Connector Updated', 'User [{user} ]changed OIDC connector[ {name}]'],
  // Connector: SAML.
  ['T8200I', 'saml.created', 'SAML Auth Connector Created', 'User [{user} ]created SAML connector[ {name}]'],
  ['T8201I', 'saml.deleted', 'SAML Auth Connector Deleted', 'User [{user} ]deleted SAML connector[ {name}]'],
  ['T8202I', 'saml.updated', 'SAML Auth Connector Updated', 'User [{user} ]changed SAML connector[ {name}]'],
  // SAML identity provider.
  [
    'TSI000I',
    'saml.idp.auth',
    'SAML IdP Authentication',
    'User [{user} ]{?success|authenticated|failed to authenticate} to SAML service provider[ {service_provider_entity_id}][ ({service_provider_shortcut})]',
  ],
  [
    'TSI001I',
    'saml.idp.service.provider.create',
    'SAML Service Provider Created',
    'User [{updated_by} ]created service provider[ {name}][ with entity ID {service_provider_entity_id}]',
  ],
  [
    'TSI001W',
    'saml.idp.service.provider.create',
    'SAML Service Provider Create Failed',
    'User [{updated_by} ]failed to create service provider[ {name}][ with entity ID {service_provider_entity_id}]',
  ],
  [
    'TSI002I',
    'saml.idp.service.provider.update',
    'SAML Service Provider Updated',
    'User [{updated_by} ]changed service provider[ {name}][ with entity ID {service_provider_entity_id}]',
  ],
  [
    'TSI002W',
    'saml.idp.service.provider.update',
    'SAML Service Provider Update Failed',
    'User [{updated_by} ]failed to change service provider[ {name}][ with entity ID {service_provider_entity_id}]',
  ],
  [
    'TSI003I',
    'saml.idp.service.provider.delete',
    'SAML Service Provider Deleted',
    'User [{updated_by} ]deleted service provider[ {name}][ with entity ID {service_provider_entity_id}]',
  ],
  [
    'TSI003W',
    'saml.idp.service.provider.delete',
    'SAML Service Provider Delete Failed',
    'User [{updated_by} ]failed to delete service provider[ {name}][ with entity ID {service_provider_entity_id}]',
  ],
  [
    'TSI004I',
    'saml.idp.service.provider.delete_all',
    'All SAML Service Providers Deleted',
    'User [{updated_by} ]deleted all service providers',
  ],
  [
    'TSI004W',
    'saml.idp.service.provider.delete',
    'All SAML Service Providers Delete Failed',
    'User [{updated_by} ]failed to delete all service providers',
  ],
  // Login rule.
  ['TLR00I', 'login_rule.create', 'Login Rule Created', 'User [{user} ]created login rule[ {name}]'],
  ['TLR01I', 'login_rule.delete', 'Login Rule Deleted', 'User [{user} ]deleted login rule[ {name}]'],
  // Device trust.
  [
    'TV001I',
    'device.create',
    'Device Registered',
    'User [{user} ]{?status.success|registered|failed to register} a device',
  ],
  ['TV002I', 'device.delete', 'Device Removed', 'User [{user} ]{?status.success|removed|failed to remove} a device'],
  [
    'TV003I',
    'device.token.create',
    'Device Enroll Token Created',
    'User [{user} ]{?status.success|made|failed to make} a token to enroll a device',
  ],
  [
    'TV004I',
    'device.token.spent',
    'Device Enroll Token Spent',
    'User [{user} ]{?status.success|used|failed to use} a token to enroll a device',
  ],
  ['TV005I', 'device.enroll', 'Device Enrolled', 'User [{user} ]{?status.success|enrolled|failed to enroll} a device'],
  [
    'TV006I',
    'device.authenticate',
    'Device Authenticated',
    'User [{user} ]{?status.success|authenticated|failed to authenticate} a device',
  ],
  ['TV007I', 'device.update', 'Device Updated', 'User [{user} ]{?status.success|changed|failed to change} a device'],
  // Join.
  ['TJ001I', 'bot.join', 'Bot Joined', 'Bot [{bot_name} ]joined the cluster[ by method {method}]'],
  ['TJ001E', 'bot.join', 'Bot Join Failed', 'Bot {bot_name?unknown} failed to join the cluster'],
  [
    'TJ002I',
    'instance.join',
    'Instance Joined',
    'Instance [{node_name} ]joined the cluster[ as {role}][ by method {method}]',
  ],
  ['TJ002E', 'instance.join', 'Instance Join Failed', 'Instance {node_name?unknown} failed to join the cluster'],
  // Server.
  [
    'TJ010I',
    'server.hostkey',
    'Host Key Trusted',
    'User [{user} ]trusted a new host key[ of {server_hostname}][: {trusted}]',
  ],
  ['TJ011I', 'server.update', 'Server Changed', 'Server[ {server_hostname}] was changed[ by {user}]'],
  ['TJ012I', 'server.delete', 'Server Removed', 'Server[ {server_hostname}] was removed[ by {user}]'],
  // Bot.
  ['TB001I', 'bot.create', 'Bot Created', 'User [{user} ]created bot[ {name}]'],
  ['TB002I', 'bot.update', 'Bot Updated', 'User [{user} ]changed bot[ {name}]'],
  ['TB003I', 'bot.delete', 'Bot Deleted', 'User [{user} ]deleted bot[ {name}]'],
  // Okta.
  [
    'TOK001I',
    'okta.groups.update',
    'Okta Groups Updated',
    'Okta groups changed: {added?0} added, {updated?0} updated, {deleted?0} deleted',
  ],
  [
    'TOK002I',
    'okta.applications.update',
    'Okta Applications Updated',
    'Okta applications changed: {added?0} added, {updated?0} updated, {deleted?0} deleted',
  ],
  ['TOK003E', 'okta.sync.failure', 'Okta Synchronization Failed', 'Okta synchronization failed'],
  [
    'TOK004I',
    'okta.assignment.process',
    'Okta Assignment Processed',
    'Okta assignment[ {name}] was processed[ for user {user}][, source {source}]',
  ],
  [
    'TOK004E',
    'okta.assignment.process',
    'Okta Assignment Processing Failed',
    'Okta assignment[ {name}] failed to be processed[ for user {user}][, source {source}]',
  ],
  [
    'TOK005I',
    'okta.assignment.cleanup',
    'Okta Assignment Cleaned Up',
    'Okta assignment[ {name}] was cleaned up[ for user {user}][, source {source}]',
  ],
  [
    'TOK005E',
    'okta.assignment.cleanup',
    'Okta Assignment Cleanup Failed',
    'Okta assignment[ {name}] failed to be cleaned up[ for user {user}][, source {source}]',
  ],
  ['TOK006I', 'okta.access_list.sync', 'Okta Access Lists Synchronized', 'Okta access lists were synchronized'],
  [
    'TOK006E',
    'okta.access_list.sync',
    'Okta Access List Synchronization Failed',
    'Okta access list synchronization failed',
  ],
  [
    'TOK007I',
    'okta.user.sync',
    'Okta Users Synchronized',
    'Okta users were synchronized: {num_users_created?0} created, {num_users_modified?0} changed, {num_users_deleted?0} deleted',
  ],
  ['TOK007E', 'okta.user.sync', 'Okta User Synchronization Failed', 'Okta user synchronization failed'],
  // Trusted cluster.
  ['T7000I', 'trusted_cluster.create', 'Trusted Cluster Created', 'User [{user} ]created trusted cluster[ {name}]'],
  ['T7001I', 'trusted_cluster.delete', 'Trusted Cluster Deleted', 'User [{user} ]deleted trusted cluster[ {name}]'],
  [
    'T7002I',
    'trusted_cluster_token.create',
    'Trusted Cluster Token Created',
    'User [{user} ]made a token for a trusted cluster',
  ],
  // Billing.
  ['TBL00I', 'billing.create_card', 'Credit Card Added', 'User [{user} ]added a credit card'],
  ['TBL01I', 'billing.delete_card', 'Credit Card Deleted', 'User [{user} ]deleted a credit card'],
  ['TBL02I', 'billing.update_card', 'Credit Card Updated', 'User [{user} ]changed a credit card'],
  ['TBL03I', 'billing.update_info', 'Billing Information Updated', 'User [{user} ]changed the billing information'],
  // Certificate.
  ['TC000I', 'cert.create', 'Certificate Issued', 'A[ {cert_type}] certificate was issued[ for {identity.user}]'],
  [
    'TCB00W',
    'cert.generation_mismatch',
    'Certificate Generation Mismatch',
    'A certificate of[ {user}] was renewed from an old copy',
  ],
  // Security report.
  ['SRE001I', 'secreports.audit.query.run', 'Audit Query Run', 'User [{user} ]ran an audit query[: {query}]'],
  ['SRE002I', 'secreports.report.run', 'Security Report Run', 'User [{user} ]ran security report[ {name}]'],
  [
    'SRE003I',
    'secreports.report.get.result',
    'Security Report Read',
    'User [{user} ]read the result of security report[ {name}]',
  ],
  // Upgrade window.
  [
    'TUW01I',
    'upgradewindowstart.update',
    'Upgrade Window Start Updated',
    'User [{user} ]moved the upgrade window[ to {upgrade_window_start}]',
  ],
  // Other.
  ['TCC00E', 'unknown', 'Unknown Event', 'Unknown event[ {unknown_type}][ {unknown_event}][ ({unknown_code})]'],
];
