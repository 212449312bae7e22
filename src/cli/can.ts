// `can`: asked as a signed-in person or as the gateway's own account, and answered the same way.
import { ruleResourceOf, verbs } from '../contract/acl.ts';
import { type AccessQuestion, accessActionNames, type Explanation, readPrincipalAt } from '../contract/rights.ts';
import { reasonText } from '../features/reach.ts';
import { plainText } from './output.ts';
import { Refused, type Surface, type Typed, type Usage, UsageError } from './verb.ts';

export const canUsage: Usage = {
  verb: 'can',
  words: ['USER', [...accessActionNames, 'VERB'].join('|'), 'LOGIN@TARGET|APPLICATION|KIND'],
  flags: [{ name: '--why', help: 'Also which rules say so, with their roles and lines' }],
  help: 'Says whether a user may; ends with 0 when they may, 1 when they may not, 3 when nobody could say',
  // An outage, or a name that is not there, must not be a no for a script.
  failed: 3,
};

type CanQuestion = Omit<AccessQuestion, 'principal'> & { readonly principal?: string };

/** Asks, and prints a yes. Throws UsageError, Refused for a no, and whatever asking throws. */
export async function answerCan(
  typed: Typed,
  { print }: Surface,
  ask: (question: CanQuestion) => Promise<Explanation>,
): Promise<void> {
  tellAnswer(await ask(questionOf(typed)), typed, print);
}

/** Throws UsageError. */
function questionOf({ words }: Typed): CanQuestion {
  const [user = '', typed = '', at = ''] = words;
  const action = accessActionNames.find(name => name === typed);
  const verb = verbs.find(name => name === typed);
  if (verb !== undefined) {
    if (ruleResourceOf(at) === undefined)
      throw new UsageError(`can: "${at}": a kind that rules are about expected, such as roles`);
    return { user, action: verb, target: at };
  }
  if (action === undefined)
    throw new UsageError(`can: "${typed}": one of ${[...accessActionNames, ...verbs].join(', ')} expected`);
  const read = readPrincipalAt(at);
  // Most applications are used as nobody in particular.
  if (read === null && action === 'app' && at !== '') return { user, action, target: at };
  if (read === null) throw new UsageError(`can: "${at}": such as root@db-3 expected`);
  return { user, action, ...read };
}

/** Prints a yes; a no is thrown as Refused, so that a script sees it in the status. */
function tellAnswer({ allowed, text, reasons }: Explanation, typed: Typed, print: Surface['print']): void {
  const why = reasons.map(reason => `  ${reasonText(reason)}`);
  const said = [text, ...(typed.has('--why') ? why : [])].map(plainText).join('\n');
  if (!allowed) throw new Refused(said, 1);
  print(said);
}
