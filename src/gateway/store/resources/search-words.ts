// The plain search of lists and of the audit log: words, and "phrases in quotes", all of which must be found.
import { Failure } from '../../../contract/failure.ts';
import { fold } from '../text.ts';

const WORDS_MOST = 32;

/** Splits into folded keywords. A quote that is not closed runs to the end. Throws Failure bad_request when there are too many. */
export function searchWords(search: string): readonly string[] {
  const found = [...search.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([whole, phrase]) => keyword(phrase ?? whole));
  const words = [...new Set(found)].filter(word => word !== '');
  if (words.length > WORDS_MOST)
    throw new Failure('bad_request', `search: at most ${WORDS_MOST} keywords`, {
      search: `at most ${WORDS_MOST} keywords`,
    });
  return words;
}

/** One keyword as it is looked for. Line breaks stand between values, so a keyword has none. */
export const keyword = (text: string): string => fold(text.toWellFormed().replaceAll(/[\n\0]/g, ' ')).trim();
