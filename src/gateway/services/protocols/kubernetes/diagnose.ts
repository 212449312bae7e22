// Tries a cluster as a person: their roles, the way there, its certificate, the gateway's credential and its right to act for others, and
// what the cluster's own rules let them do. Whatever fails is said with what to do.
import * as z from 'zod/mini';
import type { Trace } from '../../../../contract/diagnostics.ts';
import { Failure } from '../../../../contract/failure.ts';
import { ConnectError } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import type { KubernetesDoor } from './door.ts';
import type { Clusters } from './entrance.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const reviewed = z.object({ status: z.object({ allowed: z.boolean(), reason: z.optional(z.string()) }) });

/** What each step has found. `namespace` '' = all of them. Never throws for what is wrong with the cluster. */
export async function tryCluster(
  clusters: Pick<Clusters, 'open'>,
  who: Who,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  const note = (traceType: Trace['traceType'], details: string, error?: unknown): readonly Trace[] => {
    const said = error === undefined ? undefined : error instanceof Error ? error.message : String(error);
    traces.push(
      said === undefined
        ? { traceType, status: 'SUCCESS', details }
        : { traceType, status: 'FAILED', details, error: said },
    );
    return traces;
  };
  let door: KubernetesDoor;
  try {
    door = await clusters.open(who, name);
  } catch (error) {
    const isUnknown = error instanceof Failure && error.code === 'not_found';
    const todo = isUnknown
      ? 'Give one of your roles kubernetes_labels that match its labels.'
      : 'Change what is written of it.';
    return note(isUnknown ? 'RBAC_KUBE' : 'UNKNOWN_ERROR', todo, error);
  }
  note('RBAC_KUBE', 'Your roles select it.');
  let answer: unknown;
  try {
    const resourceAttributes = { verb: 'list', resource: 'pods', ...(namespace !== '' && { namespace }) };
    answer = await door.json('POST', REVIEWS, { spec: { resourceAttributes } });
  } catch (error) {
    if (error instanceof ConnectError)
      return note(
        'CONNECTIVITY',
        'Look at the address, at firewalls, and at the authority (spec.server, spec.ca_cert).',
        error,
      );
    const said = error instanceof Error ? error.message : '';
    if (said === 'Unauthorized' || said.includes('cannot impersonate'))
      note('CONNECTIVITY', `${door.cluster.address} answers over TLS with a certificate that is believed.`);
    if (said === 'Unauthorized')
      return note(
        'KUBE_PRINCIPAL',
        'Give the gateway a credential that the cluster knows (client_cert and client_key, or token).',
        'the cluster does not know the credential of the gateway',
      );
    if (said.includes('cannot impersonate'))
      return note(
        'KUBE_PRINCIPAL',
        'Bind a ClusterRole to the gateway: verb impersonate on users, groups and serviceaccounts.',
        error,
      );
    return note(
      'KUBE_PRINCIPAL',
      'Your roles say as whom (kubernetes_users, kubernetes_groups), locks and limits whether.',
      error,
    );
  }
  note('CONNECTIVITY', `${door.cluster.address} answers over TLS with a certificate that is believed.`);
  note('KUBE_PRINCIPAL', 'The gateway may act there for you.');
  const where = namespace === '' ? 'in all namespaces' : `in namespace "${namespace}"`;
  const read = z.safeParse(reviewed, answer);
  if (read.data?.status.allowed) note('RBAC_KUBE', `The cluster lets you list pods ${where}.`);
  else
    note(
      'RBAC_KUBE',
      'Bind a Role or a ClusterRole of the cluster to the groups that your roles give.',
      `the cluster does not let you list pods ${where}${read.data?.status.reason ? `: ${read.data.status.reason}` : ''}`,
    );
  return traces;
}
