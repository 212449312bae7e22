// What guards say of a request to a cluster.
import { effectWords, guardEffects, guardWords } from '../../../../contract/guards.ts';
import { matchesGlob } from '../../../../contract/pattern.ts';
import type { GuardMatch } from '../../../ports/databases.ts';
import type { GuardedRequest } from '../../../ports/kubernetes.ts';
import type { Guard } from '../../../ports/rights.ts';

/** The strictest guard that may be about the request. Null: none is. */
export function matchRequestGuards(guards: readonly Guard[], request: GuardedRequest): GuardMatch | null {
  if (request.kind === '') return null;
  const about = guards.filter(guard => isAbout(guard, request));
  const [guard] = about.toSorted((one, other) => strictness(other) - strictness(one));
  if (!guard) return null;
  const { name, role, effect, message } = guard;
  const text = `guard "${name}" of role ${role} ${effectWords[effect]} ${guardWords(guard)}`;
  const reviewers = about.flatMap(one => (one.effect === 'ask' && one.reviewers ? [one.reviewers] : []));
  return { effect, guard: name, role, text: message ? `${text}: ${message}` : text, reviewers };
}
const strictness = ({ effect }: Guard): number => guardEffects.indexOf(effect);

/** All that a guard names must be so. */
function isAbout({ verbs, kinds, names, namespaces }: Guard, { verb, kind, namespace, name }: GuardedRequest): boolean {
  const isVerb = (wanted: string): boolean =>
    wanted === '*' || wanted === verb || (wanted === 'delete' && verb === 'deletecollection');
  // A namespace is in none, and is one.
  const within = kind === 'namespaces' ? name : namespace;
  return (
    (verbs === undefined || verbs.some(isVerb)) &&
    (kinds === undefined || kinds.some(pattern => matchesGlob(pattern, kind))) &&
    may(names, name) &&
    may(namespaces, within)
  );
}
const may = (patterns: readonly string[] | undefined, name: string | null): boolean =>
  patterns === undefined || name === null || patterns.some(pattern => matchesGlob(pattern, name));
