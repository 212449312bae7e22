// What can be enrolled of integrations and plugins, a tile each, and what a row of them is called. Rows only: how each is gone about, the page knows.
import type { Enrolled } from '../contract/integrations.ts';
import { integrationKinds, integrationTitles } from '../contract/integrations.ts';
import { isPluginKind, pluginKindIds, pluginKinds, statusWords } from '../contract/plugin-kinds.ts';
import { botGuideIds, botGuides, isBotGuide } from './bot-guides.ts';
import { can, type Need } from './feature.ts';
import type { Thing } from './thing.ts';

/** One tile of the page, and who may enroll it. */
export interface EnrollTile {
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  /** A guide makes a bot and shows where its line goes. */
  readonly type: Enrolled['resourceType'] | 'guide';
  readonly need: Need;
  /** What is missing, in the words of a refusal. */
  readonly rule: string;
}

export const enrollTiles: readonly EnrollTile[] = [
  ...integrationKinds.map(
    (kind): EnrollTile => ({
      kind,
      title: integrationTitles[kind],
      detail: 'Lets this cluster act in an account by a role',
      type: 'integration',
      need: can('integrations', 'create'),
      rule: 'create on integration',
    }),
  ),
  ...pluginKindIds.map(
    (kind): EnrollTile => ({
      kind,
      title: pluginKinds[kind].title,
      detail: pluginKinds[kind].detail,
      type: 'plugin',
      need: can('plugins', 'create'),
      rule: 'create on plugin',
    }),
  ),
  ...botGuideIds.map(
    (kind): EnrollTile => ({
      kind,
      title: botGuides[kind].title,
      detail: botGuides[kind].detail,
      type: 'guide',
      need: can('bots', 'create'),
      rule: 'create on bot',
    }),
  ),
];

/** What the wire calls a kind in the events of its enrolment. */
export function enrolmentKind(kind: string): string {
  const word = kind.toUpperCase().replaceAll('-', '_');
  if (!isBotGuide(kind)) return `INTEGRATION_ENROLL_KIND_${word}`;
  return `INTEGRATION_ENROLL_KIND_MACHINE_ID${kind === 'generic' ? '' : `_${word}`}`;
}

/** What people call a kind. */
export const enrolledTitle = ({ kind }: Pick<Enrolled, 'kind'>): string =>
  isPluginKind(kind) ? pluginKinds[kind].title : (integrationTitles[kind as 'aws-oidc'] ?? kind);
export const statusText = ({ statusCode }: Pick<Enrolled, 'statusCode'>): string =>
  statusWords[statusCode] ?? 'Not known';

/** A row as what it is picked. Both kinds may have one of the same name. */
export const enrolledThing = (one: Enrolled): Thing => ({
  kind: 'integration',
  id: `${one.resourceType}/${one.name}`,
  title: one.name,
  detail: `${enrolledTitle(one)}, ${statusText(one)}`,
});
/** Which of the two, and its name. */
export function readEnrolledId(id: string): { readonly type: Enrolled['resourceType']; readonly name: string } {
  const [type = '', ...name] = id.split('/');
  return { type: type === 'integration' ? 'integration' : 'plugin', name: name.join('/') };
}
