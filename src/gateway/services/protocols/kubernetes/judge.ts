// What roles say of a request to a cluster, and as whom it is sent.
import { Failure } from '../../../../contract/failure.ts';
import type { KubernetesRights, Rights } from '../../../ports/rights.ts';
import type { RequestInfo } from './request-info.ts';

type Labels = Readonly<Record<string, string>>;

/** `part`: only what the roles name of it may be seen or made. */
type Decision = 'whole' | 'part' | { readonly refusal: string };

/** Kinds by which anybody may ask what they themselves may do. */
const ownReviews = /^selfsubject(access|rules)?reviews$/;

/** Which part of a request the roles allow. */
export function judge(rights: KubernetesRights, cluster: string, info: RequestInfo): Decision {
  const { verb, kind, namespace, name, subresource, method } = info;
  if (kind === '')
    return method === 'GET' || method === 'HEAD'
      ? 'whole'
      : { refusal: `Only what a cluster says of itself may be read at ${info.path}.` };
  if (verb === 'create' && ownReviews.test(kind)) return 'whole';
  if (kind === 'nodes' && subresource === 'proxy')
    return { refusal: 'What goes to a node itself is held to no role and recorded nowhere: use the API server.' };
  const refused = { refusal: refusalText(cluster, info) };
  if (name !== null) return rights.permits({ verb, kind, namespace: namespace ?? '', name }) ? 'whole' : refused;
  const reach = rights.reach({ verb, kind, namespace });
  if (reach === 'all') return 'whole';
  return reach === 'some' && (verb === 'list' || verb === 'watch' || verb === 'create') ? 'part' : refused;
}

/** Why an object of a request may not be touched. */
export function refusalText(cluster: string, { verb, kind, namespace, name }: RequestInfo): string {
  const what = name === null ? kind : `${kind} "${name}"`;
  const where = namespace === null ? '' : ` in namespace "${namespace}"`;
  return `You may not ${verb} ${what}${where} of ${cluster} (kubernetes_resources).`;
}

/** Whom a cluster is to take a person for. */
interface ActAs {
  readonly kubeUser: string;
  readonly kubeGroups: readonly string[];
}
const ANY = '*';
const named = (names: readonly string[]): readonly string[] => names.filter(name => name !== ANY);

/** Throws Failure denied where roles give neither user nor group, several users and none was chosen, or not the one that was. */
export function actAs(
  rights: Pick<Rights, 'principals'>,
  person: string,
  labels: Labels,
  wanted: Partial<ActAs>,
): ActAs {
  const users = rights.principals('kubernetes_users', labels);
  const groups = rights.principals('kubernetes_groups', labels);
  if (users.length === 0 && groups.length === 0)
    throw new Failure('denied', 'No role gives you a user or a group there (kubernetes_users, kubernetes_groups).');
  const [only, second] = named(users);
  const kubeUser = wanted.kubeUser ?? only ?? person;
  if (wanted.kubeUser === undefined && second !== undefined)
    throw new Failure(
      'denied',
      `Your roles name several users there: say which with --as: ${named(users).join(', ')}.`,
    );
  const gives = (names: readonly string[], name: string): boolean => names.includes(ANY) || names.includes(name);
  if (wanted.kubeUser !== undefined && wanted.kubeUser !== person && !gives(users, wanted.kubeUser))
    throw new Failure('denied', `You may not act as user "${wanted.kubeUser}" (kubernetes_users).`);
  const other = wanted.kubeGroups?.find(group => !gives(groups, group));
  if (other !== undefined) throw new Failure('denied', `You may not act in group "${other}" (kubernetes_groups).`);
  return { kubeUser, kubeGroups: wanted.kubeGroups ?? named(groups) };
}

/** Why a request that goes on may do so no longer; null: it may. */
export function lastingRefusal(
  rights: Rights,
  labels: Labels,
  { cluster, person, info, as }: { cluster: string; person: string; info: RequestInfo; as: ActAs },
): string | null {
  const decision = judge(rights.kubernetes(labels), cluster, info);
  if (typeof decision === 'object') return decision.refusal;
  try {
    actAs(rights, person, labels, as);
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
