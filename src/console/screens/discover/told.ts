// What is told of an enrolment as it goes on (contract/capture.ts): its kind and how each step has ended.
import type * as z from 'zod/mini';
import { discoverEvents, type discovery } from '../../../contract/capture.ts';
import type { Enrollment } from '../../../features/enrollment.ts';

type Data = z.infer<typeof discovery>;
export type StepStatus = 'success' | 'skipped' | 'error' | 'aborted';
/** How what leads to a resource is brought there: by nobody, as the gateway dials it itself; by a line that a person pastes; by a call of AWS. */
export type Deployed = 'address' | 'tunnel' | 'task';

const deployments: Readonly<Record<Deployed, Data['serviceDeploy']>> = {
  address: { method: 'DEPLOY_METHOD_UNSPECIFIED', type: 'DEPLOY_TYPE_UNSPECIFIED' },
  tunnel: { method: 'DEPLOY_METHOD_MANUAL', type: 'DEPLOY_TYPE_INSTALL_SCRIPT' },
  task: { method: 'DEPLOY_METHOD_AUTO', type: 'DEPLOY_TYPE_AMAZON_ECS' },
};

/** By the steps of all guides; `begin` stands for having come there. What has no event of its own is not told. */
const events: Readonly<Record<string, string>> = {
  begin: discoverEvents.started,
  account: discoverEvents.connectAws,
  machine: discoverEvents.autoDiscoveredResources,
  choose: discoverEvents.enrollRds,
  way: discoverEvents.deployService,
  join: discoverEvents.deployService,
  policy: discoverEvents.configureIamPolicy,
  certificate: discoverEvents.configureMtls,
  names: discoverEvents.configurePrincipals,
  logins: discoverEvents.configurePrincipals,
  test: discoverEvents.testConnection,
  install: discoverEvents.installActiveDirectory,
  configure: discoverEvents.configureActiveDirectory,
  discover: discoverEvents.autoDiscoveredResources,
  finish: discoverEvents.completed,
};

function kindOf(by: Enrollment['by']): string {
  if (!('guide' in by)) return 'UNSPECIFIED';
  switch (by.guide) {
    case 'server':
      return by.isAws ? 'EC2_INSTANCE' : 'SERVER';
    case 'database':
      return `DATABASE_${by.protocol.toUpperCase()}_${by.aws ? 'RDS' : 'SELF_HOSTED'}`;
    case 'application':
      return 'APPLICATION_HTTP';
    case 'cluster':
      return 'KUBERNETES';
    case 'desktop':
      return by.protocol === 'vnc' ? 'VNC_DESKTOP' : 'WINDOWS_DESKTOP';
    case 'directory':
      return 'WINDOWS_DESKTOP';
  }
}
/** What the wire calls that which a guide enrolls. */
export const discoverResource = (by: Enrollment['by']): Data['resource'] => `DISCOVER_RESOURCE_${kindOf(by)}`;

/** The event of a step's end; undefined for steps that have none. */
export function toldOf(
  { id, resource }: Pick<Data, 'id' | 'resource'>,
  step: string,
  status: StepStatus,
  deployed: Deployed | undefined = step === 'join' ? 'tunnel' : undefined,
): { readonly event: string; readonly eventData: Data } | undefined {
  const isDatabase = resource.startsWith('DISCOVER_RESOURCE_DATABASE_');
  const event = step === 'register' && isDatabase ? discoverEvents.registerDatabase : events[step];
  if (event === undefined) return undefined;
  const stepStatus = `DISCOVER_STATUS_${status.toUpperCase()}` as Data['stepStatus'];
  const serviceDeploy = deployed && deployments[deployed];
  return { event, eventData: { id, resource, stepStatus, ...(serviceDeploy && { serviceDeploy }) } };
}
