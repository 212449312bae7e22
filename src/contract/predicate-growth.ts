// How long a value can become that an expression makes, told from the expression alone: a replacement in a replacement in a replacement
// multiplies. What could grow too far is refused when it is written, rather than matching nothing later.
import type { Expression } from './predicate-syntax.ts';
import { checkRegular, replacementParts } from './regular.ts';

/** A label's or trait's value as this reckoning takes it, and the longest that may be made of it, characters. */
const GIVEN_CHARACTERS = 256;
const MADE_MOST_CHARACTERS = 16_384;

/** Why an expression that was read may not stand in a role, or null: one of its values could become too long. */
export function growth(expression: Expression): string | null {
  return longest(expression) > MADE_MOST_CHARACTERS
    ? `regexp.replace() could make more than ${MADE_MOST_CHARACTERS} characters of a value of ${GIVEN_CHARACTERS}`
    : null;
}

/** Longest value that is made anywhere in the expression, characters. */
function longest(expression: Expression): number {
  switch (expression.kind) {
    case 'literal':
      return expression.value.length;
    case 'field':
      return GIVEN_CHARACTERS;
    case 'not':
      return longest(expression.of);
    case 'call':
      return Math.max(
        0,
        ...expression.args.map(longest),
        expression.name === 'regexp.replace' ? replaced(expression) : 0,
      );
    default:
      return Math.max(longest(expression.left), longest(expression.right));
  }
}

function replaced({ args }: Expression & { kind: 'call' }): number {
  const [value, regular, replacement] = args;
  if (!value || regular?.kind !== 'literal' || !replacement) return 0;
  const given = longest(value);
  const parts = replacement.kind === 'literal' ? replacementParts(replacement.value) : [{ text: '' }];
  const groups = parts.filter(part => 'group' in part).length;
  const texts = parts.reduce((all, part) => all + ('text' in part ? part.text.length : 0), 0);
  const text = replacement.kind === 'literal' ? texts : longest(replacement);
  const { shortest } = checkRegular(regular.value);
  // Every match is replaced by the text and the groups. Where a match may be empty, the text stands between any two characters as well.
  return shortest > 0
    ? given * Math.max(1, text / shortest + groups)
    : given * Math.max(1, groups) + (given + 1) * text;
}
