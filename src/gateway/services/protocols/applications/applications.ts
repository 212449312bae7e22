// Web applications, each on a host name of its own: put together.
import { type AwsFederationParts, createAwsFederation } from './aws-federation.ts';
import { type ApplicationTrial, type ApplicationTrialParts, createApplicationTrial } from './diagnose.ts';
import { type ApplicationEntrance, createApplicationEntrance, type EntranceParts } from './entrance.ts';
import { type ApplicationFront, createApplicationFront, type FrontParts } from './front.ts';
import { type ApplicationIdentity, type ApplicationIdentityParts, createApplicationIdentity } from './identity.ts';
import { createLeafApplications, type LeafApplicationParts, type LeafApplications } from './leaf-applications.ts';
import { createApplicationTargets } from './targets.ts';
import { createVisitorFront, type VisitorFront, type VisitorFrontParts } from './visitor-front.ts';

export interface ApplicationParts
  extends Omit<EntranceParts, 'targets' | 'identity'>,
    Omit<FrontParts, 'targets' | 'entrance' | 'federation' | 'ofLeaves'>,
    Omit<LeafApplicationParts, 'targets'>,
    Pick<VisitorFrontParts, 'authenticate'>,
    AwsFederationParts,
    Pick<ApplicationTrialParts, 'certificates' | 'clouds'>,
    ApplicationIdentityParts {
  readonly resources: Parameters<typeof createApplicationTargets>[0];
}
export interface Applications {
  readonly identity: Pick<ApplicationIdentity, 'keys'>;
  readonly entrance: ApplicationEntrance;
  readonly front: ApplicationFront;
  /** Applications of leaf clusters, at hosts of ours. */
  readonly ofLeaves: LeafApplications;
  /** What people of a root ask of applications of ours. */
  readonly visitors: VisitorFront;
  readonly trial: ApplicationTrial;
}

export function createApplications(parts: ApplicationParts): Applications {
  const targets = createApplicationTargets(parts.resources, parts.publicUrl);
  const identity = createApplicationIdentity(parts);
  const entrance = createApplicationEntrance({ ...parts, targets, identity });
  const ofLeaves = createLeafApplications({ ...parts, targets });
  return {
    identity,
    ofLeaves,
    visitors: createVisitorFront({ ...parts, entrance }),
    entrance,
    front: createApplicationFront({ ...parts, targets, entrance, ofLeaves, federation: createAwsFederation(parts) }),
    trial: createApplicationTrial({ ...parts, targets, identity }),
  };
}
