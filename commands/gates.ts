// The predicates that commands share, so that two of them cannot drift apart.

import type { AclFlag, AclKey } from '../src/contract/acl.ts';
import { readDesktopAddress } from '../src/contract/desktop-address.ts';
import { isLocked, reaches as reachesFeature } from '../src/features/access.ts';
import { can } from '../src/features/feature.ts';
import { isLeaf } from '../src/features/paths.ts';
import { missingRule } from '../src/features/reach.ts';
import { type FeatureId, features } from '../src/features/table.ts';
import type { Thing } from '../src/features/thing.ts';
import type { Facts } from './command.ts';

/** Hidden while nobody is signed in. */
export const signedIn = (facts: Facts): boolean => facts.who !== null;

/** Hidden where the page cannot be reached. */
export const reaches =
  (id: FeatureId) =>
  (facts: Facts): boolean =>
    reachesFeature(id, facts);

/** Hidden where neither the page nor its locked variant is there. */
export const hasPage =
  (id: FeatureId) =>
  (facts: Facts): boolean =>
    reachesFeature(id, facts) || isLocked(id, facts);

/** Greyed while a page is locked, naming it. */
export const lockedWith =
  (id: FeatureId) =>
  (facts: Facts): string | undefined =>
    isLocked(id, facts) ? `${features[id].title} is not part of this cluster's plan` : undefined;

/** Greyed on pages of a leaf cluster, whose servers are its own gateway's to keep. */
export const onlyAtRoot = ({ clusterId, config }: Facts): string | undefined =>
  isLeaf(clusterId, config) ? `This works in the root cluster ${config.proxyCluster} only` : undefined;

/** A right of the user context; the gateway checks it again. */
export const may =
  (key: AclKey, flag: AclFlag) =>
  ({ who, config }: Facts): boolean =>
    who !== null && can(key, flag)({ who, config });

/** Greyed, naming the rule that is missing. */
export const needs =
  (key: AclKey, flag: AclFlag, resource: string) =>
  (facts: Facts): string | undefined =>
    may(key, flag)(facts) ? undefined : missingRule(key, flag, resource);

/** Why a running session cannot be joined when it offers no mode. */
const CANNOT_JOIN = 'None of your roles lets you join this session (needs join_sessions for it)';

/** Commands over terminals need a console around them. */
export const inConsole = (facts: Facts): boolean => signedIn(facts) && facts.surface === 'console';

/** Hidden where the console does not show the page. */
export const reachesInConsole =
  (id: FeatureId) =>
  (facts: Facts): boolean =>
    inConsole(facts) && reaches(id)(facts);

const isDesktop = ({ terminal }: Facts): boolean => readDesktopAddress(terminal?.serverId ?? '') !== null;

/** Hidden until there is a tab, of a terminal or of a desktop. */
export const hasTab = (facts: Facts): boolean => inConsole(facts) && facts.terminal !== null;
/** Hidden until a terminal has been opened, and while a desktop is in front. */
export const hasTerminal = (facts: Facts): boolean => hasTab(facts) && !isDesktop(facts);
/** Hidden where there is no desktop on screen: on a page of its own, or in the tab in front. */
export const hasDesktop = (facts: Facts): boolean =>
  inConsole(facts) && (facts.feature === 'desktop' || isDesktop(facts));
/** Hidden where only a desktop could be meant, which has its own use for a terminal's keys. */
export const noDesktop = (facts: Facts): boolean => inConsole(facts) && (hasTerminal(facts) || !hasDesktop(facts));

/** Greyed without a tab. */
export const noTab = (facts: Facts): string | undefined => (facts.terminal ? undefined : 'Open a terminal first');

const listPages: ReadonlySet<FeatureId> = new Set<FeatureId>([
  'nodes',
  'apps',
  'kubes',
  'pods',
  'databases',
  'desktops',
  'activeSessions',
  'users',
  'roles',
  'authConnectors',
  'loginRules',
  'locks',
  'integrations',
  'trustedDevices',
  'accessLists',
  'accessRequests',
  'tokens',
  'recordings',
  'audit',
  'clusters',
  'trust',
  'consoleNodes',
  'rights',
  'files',
]);

/** Hidden where no list is on the page, so that its bare keys are free for others, such as the player. */
export const onList = (facts: Facts): boolean =>
  inConsole(facts) && facts.feature !== null && listPages.has(facts.feature) && !isLocked(facts.feature, facts);

/** Whether a page has a chord of its own or a place in the frame: such pages get a "Go to" command. */
export const isPage = (id: FeatureId): boolean => features[id].public !== true && features[id].asks === undefined;

/** Why nobody without a login gets a shell: said wherever the server is offered. */
export const NO_LOGIN = 'None of your roles names a login for this server';

/** Why the first thing that people do with it, opening or joining it, cannot be done; undefined where it can, or nobody knows. */
export const closedTo = ({ kind, refused, closed, logins, modes }: Thing): string | undefined =>
  refused ??
  closed ??
  (kind === 'server' && logins?.length === 0
    ? NO_LOGIN
    : kind === 'session' && modes?.length === 0
      ? CANNOT_JOIN
      : undefined);
