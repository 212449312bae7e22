// What the status line says of the keyboard: who gets the next key, and what has been pressed of a sequence.
import type { Focus } from '../../../commands/command.ts';

const owners: Readonly<Record<Focus, string>> = { page: 'page', typing: 'field', terminal: 'shell' };

/** `keys → page` or `keys → field`; over a terminal, who hears them there. */
export const nextKeyText = (focus: Focus, inTerminal = owners.terminal): string =>
  `keys → ${focus === 'terminal' ? inTerminal : owners[focus]}`;

/** A sequence that waits for its next key, such as `g …`; '' when none does. */
export const pendingText = (pending: readonly string[]): string =>
  pending.length === 0 ? '' : `${pending.join(' ')} …`;
