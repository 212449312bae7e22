// What the status line says of the keyboard: who gets the next key, and what has been pressed of a sequence.
import type { Focus } from '../../../commands/command.ts';

const owners: Readonly<Record<Focus, string>> = { page: 'page', typing: 'field', terminal: 'shell' };

/** `keys → shell`, `keys → page` or `keys → field`; `isLate`: the shell gets them once it is connected again. */
export const nextKeyText = (focus: Focus, isLate = false): string =>
  `keys → ${owners[focus]}${focus === 'terminal' && isLate ? ', when connected' : ''}`;

/** A sequence that waits for its next key, such as `g …`; '' when none does. */
export const pendingText = (pending: readonly string[]): string =>
  pending.length === 0 ? '' : `${pending.join(' ')} …`;
