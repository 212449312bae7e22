// The player's keys; the help line and the handler read the same rows.
import type { Playback } from './playback.ts';

/** What a jump moves, milliseconds. */
const JUMP_MS = 5000;

export interface PlayerKey {
  readonly keys: readonly string[];
  readonly shown: string;
  readonly title: string;
  readonly run: (on: KeyTarget) => void;
}
export interface KeyTarget {
  readonly playback: Pick<Playback, 'apply' | 'step' | 'state'>;
  copyLink(): void;
  search(): void;
  help(): void;
  close(): void;
}

const move = (by: number) => (on: KeyTarget) => on.playback.apply({ kind: 'move', by });

export const playerKeys: readonly PlayerKey[] = [
  { keys: [' ', 'k'], shown: 'Space k', title: 'Play or pause', run: on => on.playback.apply({ kind: 'toggle' }) },
  { keys: ['j', 'ArrowLeft'], shown: 'j ←', title: 'Back 5 s', run: move(-JUMP_MS) },
  { keys: ['l', 'ArrowRight'], shown: 'l →', title: 'On 5 s', run: move(JUMP_MS) },
  { keys: ['Home'], shown: 'Home', title: 'To the beginning', run: on => on.playback.apply({ kind: 'seek', to: 0 }) },
  {
    keys: ['End'],
    shown: 'End',
    title: 'To the end',
    run: on => on.playback.apply({ kind: 'seek', to: Number.MAX_SAFE_INTEGER }),
  },
  { keys: ['<', ','], shown: '<', title: 'Slower', run: on => on.playback.apply({ kind: 'faster', by: -1 }) },
  { keys: ['>', '.'], shown: '>', title: 'Faster', run: on => on.playback.apply({ kind: 'faster', by: 1 }) },
  {
    keys: ['s'],
    shown: 's',
    title: 'Skip idle time',
    run: on => on.playback.apply({ kind: 'skipIdle', on: !on.playback.state.clock.skipIdle }),
  },
  { keys: ['/'], shown: '/', title: 'Search the text', run: on => on.search() },
  { keys: ['n'], shown: 'n', title: 'Next match', run: on => on.playback.step(1) },
  { keys: ['N'], shown: 'N', title: 'Previous match', run: on => on.playback.step(-1) },
  { keys: ['Escape'], shown: 'Esc', title: 'Close the search; what it found stays', run: on => on.close() },
  { keys: ['y'], shown: 'y', title: 'Copy a link to this moment', run: on => on.copyLink() },
  { keys: ['?'], shown: '?', title: 'These keys', run: on => on.help() },
];

const strokeNames: Readonly<Record<string, string>> = { ' ': 'space', ArrowLeft: 'left', ArrowRight: 'right' };
const strokeOf = (key: string): string =>
  strokeNames[key] ?? (/^[A-Z]$/.test(key) ? `shift+${key.toLowerCase()}` : key.toLowerCase());

/** The strokes that the player hears before the console does, for `data-own-keys`; all others begin chords as on any page. */
export const ownKeys = playerKeys.flatMap(row => row.keys.map(strokeOf)).join(' ');

/** The row that a key press means; chords belong to the console. */
export function playerKey(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}): PlayerKey | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  return playerKeys.find(row => row.keys.includes(event.key));
}
