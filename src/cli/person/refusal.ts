// Why a command cannot run here, or not for this person.
import type { Command, Facts } from '../../../commands/command.ts';
import { ruleIn } from '../../features/reach.ts';
import { everybody } from './facts.ts';

/** Whether it can run here for somebody. */
export const worksHere = (command: Command): boolean => command.when === undefined || command.when(everybody);

/** Why a command cannot run here for whoever is signed in, or undefined. */
export function refusal(command: Command, facts: Facts): string | undefined {
  if (command.when === undefined || command.when(facts)) return command.blocked?.(facts);
  return 'neither your roles nor this gateway open what it works on';
}

/** A refusal as it is told: one that names a rule says how to ask which roles allow or deny that. */
export function withWhy(said: string, { who }: Facts): string {
  const rule = ruleIn(said);
  if (rule === undefined || who === null) return said;
  return `${said}\nWhich rules say so: postern can ${who.userName} ${rule.action} ${rule.target} --why`;
}
