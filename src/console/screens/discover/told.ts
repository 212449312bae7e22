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

/** What the wire calls that which a guide enrolls. */
export function discoverResource(by: Enrollment['by']): Data['resource'] {
  const kind = !('guide' in by)
    ? 'UNSPECIFIED'
    : by.guide === 'server'
      ? by.isAws
        ? 'EC2_INSTANCE'
        : 'SERVER'
      : by.guide === 'database'
        ? `DATABASE_${by.protocol.toUpperCase()}_${by.aws ? 'RDS' : 'SELF_HOSTED'}`
        : by.guide === 'application'
          ? 'APPLICATION_HTTP'
          : by.guide === 'cluster'
            ? 'KUBERNETES'
            : by.guide === 'desktop' && by.protocol === 'vnc'
              ? 'VNC_DESKTOP'
              : 'WINDOWS_DESKTOP';
  return `DISCOVER_RESOURCE_${kind}`;
}

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
