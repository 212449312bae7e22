// What the commands of the player do with a recording.
import type { PlayerAct } from '../../../commands/command.ts';
import type { Playback } from './playback.ts';

/** What a jump moves, milliseconds. */
const JUMP_MS = 5000;

export interface KeyTarget {
  readonly playback: Pick<Playback, 'apply' | 'step' | 'state'>;
  copyLink(): void;
  search(): void;
  commands(): void;
  download(): void;
}

export const playerActs: Readonly<Record<PlayerAct, (on: KeyTarget) => void>> = {
  toggle: ({ playback }) => playback.apply({ kind: 'toggle' }),
  back: ({ playback }) => playback.apply({ kind: 'move', by: -JUMP_MS }),
  on: ({ playback }) => playback.apply({ kind: 'move', by: JUMP_MS }),
  start: ({ playback }) => playback.apply({ kind: 'seek', to: 0 }),
  end: ({ playback }) => playback.apply({ kind: 'seek', to: Number.MAX_SAFE_INTEGER }),
  slower: ({ playback }) => playback.apply({ kind: 'faster', by: -1 }),
  faster: ({ playback }) => playback.apply({ kind: 'faster', by: 1 }),
  skipIdle: ({ playback }) => playback.apply({ kind: 'skipIdle', on: !playback.state.clock.skipIdle }),
  search: on => on.search(),
  commands: on => on.commands(),
  next: ({ playback }) => playback.step(1),
  previous: ({ playback }) => playback.step(-1),
  copyLink: on => on.copyLink(),
  export: on => on.download(),
};

export const isPlayerAct = (act: string): act is PlayerAct => Object.hasOwn(playerActs, act);
