// What is known already where "why?" is asked of a refusal that is on screen.
import { actionOn, ruleIn } from '../src/features/reach.ts';
import { choiceOf, textChoice } from './answer.ts';
import type { Facts, Given, Thing } from './command.ts';

/** The answers with which "why?" is asked about oneself and a thing that cannot be opened; undefined where nothing more could be said. */
export function whyNot(thing: Thing, { who, surface }: Facts): Given | undefined {
  const action = actionOn(thing.kind);
  if (action === undefined || who === null || surface !== 'console' || thing.refused !== undefined) return undefined;
  // No login in particular: it is not asked for either.
  return {
    user: textChoice(who.userName),
    action: textChoice(action),
    target: choiceOf(thing),
    login: textChoice(''),
  };
}

/** The answers with which "why?" is asked about oneself and the rule that a refusal names; undefined where it names none. */
export function whyRefused(refusal: string, { who, surface }: Facts): Given | undefined {
  const rule = ruleIn(refusal);
  if (rule === undefined || who === null || surface !== 'console') return undefined;
  return {
    user: textChoice(who.userName),
    action: textChoice(rule.action),
    target: textChoice(rule.target),
    login: textChoice(''),
  };
}
