// What the player's list of chapters holds.
import type { CommandMark, RecordingSummary, TransferMark } from '../../contract/recordings.ts';

type Chapter = CommandMark | TransferMark;

/** What was done in the session, in order: commands, and files that were copied meanwhile. */
export const chaptersOf = ({
  commands,
  transfers,
}: Pick<RecordingSummary, 'commands' | 'transfers'>): readonly Chapter[] =>
  [...commands, ...transfers].sort((one, other) => one.ms - other.ms);
