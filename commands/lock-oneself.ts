// A lock that would hold back whoever makes it.
import { holds, type Lock } from '../src/contract/locks.ts';
import { confirmed } from './answer.ts';
import type { Facts, Tools } from './command.ts';

/** Whether a lock would hold back whoever makes it. */
export const isOwnLock = (who: Facts['who'], targets: Lock['targets']): boolean =>
  who !== null && holds({ targets }, { user: who.userName, roles: who.roles });

/**
 * Asks twice whoever would lock themselves, and answers what is locked in its order: what is their own comes last, since no call of theirs
 * counts after it. `what`: as a sentence calls it. Throws Cancelled.
 */
export async function sureToLock<One extends { readonly targets: Lock['targets']; readonly what: string }>(
  { confirm }: Pick<Tools, 'confirm'>,
  who: Facts['who'],
  chosen: readonly One[],
): Promise<readonly One[]> {
  const own = chosen.filter(({ targets }) => isOwnLock(who, targets));
  const text = `A lock on ${own.map(({ what }) => what).join(', ')} holds you back too: you are signed out at once.`;
  const questions = [
    { title: 'Lock yourself?', text },
    { title: 'Really lock yourself?', text: 'Only somebody else, or the gateway’s machine, can let you in again.' },
  ];
  for (const question of own.length === 0 ? [] : questions)
    await confirmed({ confirm }, { ...question, action: 'Lock myself' });
  return [...chosen.filter(one => !own.includes(one)), ...own];
}
