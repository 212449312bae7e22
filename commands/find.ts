// Questions that things of the gateway answer. How they are found is fetched when one is asked.
import type { SearchedNoun } from '../src/contract/search.ts';
import { nouns } from '../src/features/nouns.ts';
import { capital, type NounId } from '../src/features/thing.ts';
import { CHOICES_MOST, choiceOf, selectedFirst } from './answer.ts';
import type { Argument, Facts, Thing, Tools } from './command.ts';

/** Everything of these kinds that holds all typed words, in the order of the kinds, at most as many of each as a question shows. */
export async function found(
  tools: Pick<Tools, 'call'>,
  { clusterId }: Facts,
  kinds: readonly SearchedNoun[],
  typed: string,
): Promise<readonly Thing[]> {
  const { findThings } = await import('./found.ts');
  const hits = await findThings(tools, clusterId, kinds, typed, CHOICES_MOST);
  return kinds.flatMap(kind => hits.get(kind)?.things ?? []);
}

/** A question that a thing answers: what the gateway finds, after what is marked on screen. */
export function thingArgument(kind: SearchedNoun, more: Partial<Pick<Argument, 'name' | 'title'>> = {}): Argument {
  return {
    name: kind,
    title: capital(nouns[kind].one),
    ...more,
    takes: kind,
    choices: async (typed, _given, facts, tools) =>
      selectedFirst(kind, facts, typed, (await found(tools, facts, [kind], typed)).map(choiceOf)),
  };
}

/** A question that a thing answers which only its own list finds: the palette does not look for it. */
export function listedArgument(kind: NounId, name: string = kind): Argument {
  return {
    name,
    title: capital(nouns[kind].one),
    takes: kind,
    choices: async (typed, _given, facts, tools) => {
      const { findListed } = await import('./found.ts');
      const listed = await findListed(tools, facts.clusterId, kind, typed, CHOICES_MOST);
      return selectedFirst(kind, facts, typed, listed.map(choiceOf));
    },
  };
}
