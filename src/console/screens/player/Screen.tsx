import { useMemo } from 'react';
import { toApiError, wholeOf } from '../../../client/errors.ts';
import { exportRecording, searchRecordedText } from '../../../contract/audit.ts';
import { getRecording, getRecordingSegment, getThumbnails, saveRecording } from '../../../contract/recordings.ts';
import { playerQuery } from '../../../features/player-query.ts';
import { Player, type PlayerPorts } from '../../player/index.ts';
import { usePage } from '../page.tsx';
import { foundBeside } from './found.ts';

/** Plays one recording. The player comes with this screen, so nothing of it is loaded before. */
export default function PlayerPage() {
  const { api, download, go, params, query, clusterId, copyText, notify, run } = usePage();
  const sid = params.sid ?? '';
  const ports = useMemo<PlayerPorts>(
    () => ({
      summary: () => api(getRecording, { params: { clusterId, sid } }),
      segment: index => api(getRecordingSegment, { params: { clusterId, sid, index: String(index) } }),
      thumbnails: async from =>
        (await api(getThumbnails, { params: { clusterId, sid }, query: { from: String(from) } })).thumbnails,
      save: async as =>
        wholeOf(
          await (as === 'cast'
            ? download(exportRecording, { params: { clusterId, sid } })
            : download(saveRecording, { params: { clusterId, sid }, query: { format: as } })),
        ),
      goToFound(text, from, by) {
        foundBeside(
          startKey => api(searchRecordedText, { params: { clusterId }, query: { text, startKey } }),
          from,
          by,
        ).then(
          found =>
            found === null
              ? notify(`No ${by > 0 ? 'older' : 'newer'} recording holds "${text}"`)
              : go(
                  'player',
                  { clusterId, sid: found.id },
                  playerQuery({ ...found.recording, found: { text, ms: found.ms } }),
                ),
          (error: unknown) => notify(`The other recordings could not be searched: ${toApiError(error).message}`),
        );
      },
      copyText,
      notify,
      help: () => run('help.open'),
    }),
    [api, download, go, clusterId, sid, copyText, notify, run],
  );
  return (
    <>
      <h1 className="visually-hidden">Session Recording</h1>
      <Player
        key={sid}
        sid={sid}
        ports={ports}
        query={{
          recordingType: query.recordingType ?? null,
          durationMs: query.durationMs ?? null,
          t: query.t ?? null,
          text: query.text ?? null,
        }}
      />
    </>
  );
}
