// What conditions of rules can speak of, resource by resource: what those who serve a resource ask about, row by row and thing by thing.
import type { RuleResource } from '../../../contract/acl.ts';
import { type Expression, fieldsOf } from '../../../contract/predicate-syntax.ts';
import type { LabelledKind } from '../../ports/rights.ts';

/** First step of a field's path: the resource itself, or the session and who takes part in it. */
type Root = 'resource' | 'session' | 'ssh_session';
const session: readonly Root[] = ['session', 'ssh_session'];

/** A resource that is missing is served by nobody yet, or has nothing that conditions could speak of. */
const subjects: Readonly<Partial<Record<RuleResource, readonly Root[]>>> = {
  user: ['resource'],
  role: ['resource'],
  login_rule: ['resource'],
  node: ['resource'],
  app_server: ['resource'],
  db_server: ['resource'],
  db_service: ['resource'],
  kube_server: ['resource'],
  windows_desktop: ['resource'],
  windows_desktop_service: ['resource'],
  user_group: ['resource'],
  trusted_cluster: ['resource'],
  remote_cluster: ['resource'],
  cluster_alert: ['resource'],
  event: session,
  session,
  ssh_session: ['resource', ...session],
  session_tracker: ['resource', ...session],
};

/** The rule resource of each kind's list. */
export const listedAs = {
  node: 'node',
  app: 'app_server',
  db: 'db_server',
  db_service: 'db_service',
  kube_cluster: 'kube_server',
  windows_desktop: 'windows_desktop',
  windows_desktop_service: 'windows_desktop_service',
  user_group: 'user_group',
  remote_cluster: 'remote_cluster',
} as const satisfies Record<LabelledKind | 'windows_desktop_service', RuleResource>;

/** First steps of what an expression reads beside the person, each once. */
const rootsOf = (expression: Expression): readonly string[] => [
  ...new Set(fieldsOf(expression).flatMap(([root]) => (root === undefined || root === 'user' ? [] : [root]))),
];

/** Whether a condition that says more than who the person is will be asked again for each resource of this name. */
export function askedForEach(where: Expression, resource: RuleResource): boolean {
  const known: readonly string[] = subjects[resource] ?? [];
  const roots = rootsOf(where);
  return roots.length > 0 && roots.every(root => known.includes(root));
}

/** Why a condition may not stand beside resources of these names, or null. */
export function misplaced(where: Expression, resources: readonly string[]): string | null {
  for (const name of resources) {
    const known: readonly string[] = Object.hasOwn(subjects, name) ? (subjects[name as RuleResource] ?? []) : [];
    const root = rootsOf(where).find(one => !known.includes(one));
    if (root === undefined) continue;
    const can = ['user', ...known].join(', ');
    return name === '*'
      ? `a condition on ${root} cannot stand beside "*": name the resources that it is about`
      : `a condition on ${root} cannot be decided for "${name}": there it can speak of ${can}`;
  }
  return null;
}
