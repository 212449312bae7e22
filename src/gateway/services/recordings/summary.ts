// What a recording says of itself to whoever is about to play it.
import type { RecordingSummary } from '../../../contract/recordings.ts';
import type { Integrity, RecordingIndex } from './recording-index.ts';

/** What the recording itself says; others know what files were copied meanwhile, and what holds it. */
export type RecordedSummary = Omit<RecordingSummary, 'transfers' | 'shared' | 'holds'>;

export function summaryOf(contents: RecordingIndex, integrity: Integrity): RecordedSummary {
  const { header } = contents;
  return {
    sid: header.sid,
    durationMs: contents.durationMs,
    bytes: contents.bytes,
    cols: header.cols,
    rows: header.rows,
    started: header.started,
    ended: contents.ended,
    state: contents.state,
    integrity,
    keyframes: contents.keyframes.map(({ ms, offset, cols, rows, screen }, index) => ({
      ...{ ms, offset, cols, rows, index },
      ...(header.kind === 'desktop' && index > 0 && screen === null && { isPart: true }),
    })),
    ...(contents.thumbnails !== undefined && { thumbnails: contents.thumbnails.length }),
    activity: [...contents.activity],
    resizes: [...contents.resizes],
    commands: [...contents.commands],
    parties: [...contents.parties],
    login: header.login,
    serverId: header.serverId,
    hostname: header.hostname,
    ...((header.proto === 'rdp' || header.proto === 'vnc') && { desktop: header.proto }),
    participants: [...contents.participants],
  };
}
