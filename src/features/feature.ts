// What a row of the feature table holds, and what a feature's right may look at.
import type { Acl, AclFlag, AclKey } from '../contract/acl.ts';
import type { WebConfig } from '../contract/config.ts';
import type { UserContext } from '../contract/session.ts';

/** Who is asking, and on which deployment. `null` user: the context has not loaded, so nobody may do anything. */
export interface Viewer {
  readonly who: UserContext | null;
  readonly config: WebConfig;
}

/** A pure predicate over the user context and the deployment. */
export interface Need {
  (viewer: { readonly who: UserContext; readonly config: WebConfig }): boolean;
  /** The one rule of a role that it comes down to, so that a refusal can name it. */
  readonly rule?: readonly [AclKey, AclFlag];
}

export const can = (key: AclKey, flag: AclFlag): Need =>
  Object.assign(({ who }: Parameters<Need>[0]) => (who.userAcl as Acl)[key][flag], { rule: [key, flag] as const });
export const all =
  (...needs: readonly Need[]): Need =>
  viewer =>
    needs.every(need => need(viewer));
export const any =
  (...needs: readonly Need[]): Need =>
  viewer =>
    needs.some(need => need(viewer));
export const anyone: Need = () => true;
/** When hiding is on: the list right, a requestable role or an allowed search-as-role; otherwise everywhere but on a dashboard. */
export const asksForAccess: Need = viewer => {
  const { who, config } = viewer;
  if (!config.hideInaccessibleFeatures) return !config.isDashboard;
  return (
    can('accessRequests', 'list')(viewer) ||
    who.accessCapabilities.requestableRoles.length > 0 ||
    who.allowedSearchAsRoles.length > 0
  );
};
/** Some role lets the person delegate agents, or stop those of others. */
export const hasAgents: Need = viewer => viewer.who.agents !== 'off' || can('lock', 'create')(viewer);
/** Under usage-based billing some features are locked (specification section 6). */
export const billedByUse: Need = ({ config }) => config.isUsageBasedBilling;

export type Section = 'access' | 'identity' | 'activity' | 'billing' | 'clusters';
export const sectionTitles: Readonly<Record<Section, string>> = {
  access: 'Access Management',
  identity: 'Identity',
  activity: 'Activity',
  billing: 'Billing',
  clusters: 'Clusters',
};

/** Where a feature is shown: a sidebar category (Management with its section), the user menu, or nowhere. */
export type Place =
  | { readonly category: 'resources' }
  | { readonly category: 'management'; readonly section: Section }
  | { readonly category: 'menu' };

/** Names of lucide icons: the tables say which, the console draws each of them. */
export type IconName =
  | 'AppWindow'
  | 'BookOpen'
  | 'CirclePlay'
  | 'Container'
  | 'Copy'
  | 'Database'
  | 'Eye'
  | 'KeyRound'
  | 'Laptop'
  | 'LifeBuoy'
  | 'Lock'
  | 'MessageSquare'
  | 'Monitor'
  | 'Network'
  | 'Pencil'
  | 'Play'
  | 'Plug'
  | 'Plus'
  | 'Scale'
  | 'ScrollText'
  | 'Server'
  | 'ShieldCheck'
  | 'SquareTerminal'
  | 'Terminal'
  | 'UserCog'
  | 'Users'
  | 'UsersRound';

export interface Feature {
  readonly title: string;
  /** Path below the origin with `:name` parameters, `:name?` optional (specification section 2). */
  readonly path: string;
  /** Absent: a route only. */
  readonly place?: Place;
  readonly icon?: IconName;
  readonly needs: Need;
  /** Chord that goes there, such as `g s`. */
  readonly keys?: string;
  /** Id of the command that adds to the list that it shows. */
  readonly adds?: string;
  /** Further words that find it. */
  readonly words?: readonly string[];
  /** What must be picked before the path is complete; the palette opens a second list. */
  readonly asks?: 'server' | 'session' | 'recording' | 'desktop' | 'request' | 'application' | 'cluster' | 'pod';
  /** The sidebar entry is current on every path that begins with it (specification: "prefix match"). */
  readonly prefix?: true;
  /**
   * While `when` holds, the page at `path` stands in for this one, and the sidebar leads there. Flag and page in one field, so that
   * "locked without a locked route" cannot be written.
   */
  readonly locked?: { readonly when: Need; readonly path: string; readonly title: string };
  /** Id of the page that this one belongs to: while that is locked, this one does not exist. */
  readonly parent?: string;
  /** Works signed out. */
  readonly public?: true;
  /** Shows no page of its own but leads to another: to the first one of Resources that the person reaches, or to the named one. */
  readonly leads?: 'home' | 'account';
}
