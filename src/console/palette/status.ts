// What the status line says of the keyboard: who gets the next key, and what has been pressed of a sequence.
import type { Focus } from '../../../commands/command.ts';

const owners: Readonly<Record<Focus, string>> = { page: 'page', typing: 'field', terminal: 'shell' };

/** What stands between a terminal's keys and its shell: nothing, a lost connection, or that one only watches. */
type Hears = 'now' | 'later' | 'never';

/** `keys → shell`, `keys → page` or `keys → field`; over a terminal, whether its shell hears them. */
export function nextKeyText(focus: Focus, hears: Hears = 'now'): string {
  if (focus !== 'terminal' || hears === 'now') return `keys → ${owners[focus]}`;
  return hears === 'later' ? 'keys → shell, when connected' : 'keys → nobody, you watch';
}

/** A sequence that waits for its next key, such as `g …`; '' when none does. */
export const pendingText = (pending: readonly string[]): string =>
  pending.length === 0 ? '' : `${pending.join(' ')} …`;
