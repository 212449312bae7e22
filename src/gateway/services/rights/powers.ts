// Which roles let their holders give rights: to themselves, or to whoever acts for them.
import type { RuleResource } from '../../../contract/acl.ts';
import type { Role } from './role.ts';

/** Whoever makes or changes one of these decides what people may do. */
const POWERS: ReadonlySet<string> = new Set<RuleResource>([
  'user',
  'role',
  'token',
  'trusted_cluster',
  'auth_connector',
  'oidc',
  'saml',
  'github',
  'login_rule',
  'access_list',
  'access_request',
  'bot',
  'cert_authority',
  'cluster_auth_preference',
]);
const CHANGES: ReadonlySet<string> = new Set(['create', 'update', 'rotate', '*']);

/** Whether it could give rights to anybody, whatever the conditions of its rules: what is denied elsewhere is not looked at. */
export const isPower = ({ allow: { rules, source } }: Role): boolean =>
  rules.some(
    ({ resources, verbs }) =>
      resources.some(one => one === '*' || POWERS.has(one)) && verbs.some(one => CHANGES.has(one)),
  ) ||
  (source.impersonate?.users ?? []).length > 0 ||
  source.review_requests !== undefined;
