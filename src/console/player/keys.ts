// What the commands of the player do with a recording.
import type { PlayerAct } from '../../../commands/command.ts';
import type { RecordingFile, RecordingSummary } from '../../contract/recordings.ts';
import type { Playback } from './playback.ts';

/** What a jump moves, milliseconds. */
const JUMP_MS = 5000;
/** A mark this far behind, while it plays, has been seen, milliseconds. */
const MARK_PASSED_MS = 1000;

export interface KeyTarget {
  readonly playback: Pick<Playback, 'apply' | 'step' | 'frame' | 'state'>;
  /** Times worth going to, in order, ms. */
  readonly marks: readonly number[];
  copyLink(): void;
  search(): void;
  commands(): void;
  download(as: 'cast' | RecordingFile): void;
  video(): void;
  /** So many screens down in what has scrolled away; while it plays on, that is where the picture is. */
  scroll(screens: number): void;
}

const tenth =
  (count: number) =>
  ({ playback }: KeyTarget): void =>
    playback.apply({ kind: 'seek', to: (playback.state.clock.durationMs * count) / 10 });

/** Where the keys `[` and `]` go, in order of time, each moment once, ms. */
export function marksOf({
  commands,
  resizes,
  parties,
  transfers,
  shared = [],
}: Pick<RecordingSummary, 'commands' | 'resizes' | 'parties' | 'transfers'> &
  Partial<Pick<RecordingSummary, 'shared'>>): readonly number[] {
  return [...new Set([...commands, ...resizes, ...parties, ...transfers, ...(shared ?? [])].map(({ ms }) => ms))].sort(
    (one, other) => one - other,
  );
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
  export: on => on.download('cast'),
  exportText: on => on.download('text'),
  exportHtml: on => on.download('html'),
  exportCsv: on => on.download('csv'),
  exportJson: on => on.download('json'),
  exportVideo: on => on.video(),
  frameBack: ({ playback }) => playback.frame(-1),
  frameOn: ({ playback }) => playback.frame(1),
  previousMark: ({ playback, marks }) => {
    // Just behind a mark while it plays, the one before is meant.
    const before = playback.state.clock.at - (playback.state.clock.playing ? MARK_PASSED_MS : 0);
    playback.apply({ kind: 'seek', to: marks.findLast(ms => ms < before) ?? 0 });
  },
  nextMark: ({ playback, marks }) => {
    const next = marks.find(ms => ms > playback.state.clock.at);
    if (next !== undefined) playback.apply({ kind: 'seek', to: next });
  },
  scrollUp: on => on.scroll(-1),
  scrollDown: on => on.scroll(1),
  at0: tenth(0),
  at1: tenth(1),
  at2: tenth(2),
  at3: tenth(3),
  at4: tenth(4),
  at5: tenth(5),
  at6: tenth(6),
  at7: tenth(7),
  at8: tenth(8),
  at9: tenth(9),
};

export const isPlayerAct = (act: string): act is PlayerAct => Object.hasOwn(playerActs, act);
