import { useMemo } from 'react';
import { exportRecording } from '../../../contract/audit.ts';
import { getRecording, getRecordingSegment } from '../../../contract/recordings.ts';
import { Player, type PlayerPorts } from '../../player/index.ts';
import { usePage } from '../page.tsx';

/** Plays one recording. The player comes with this screen, so nothing of it is loaded before. */
export default function PlayerPage() {
  const { api, download, params, query, clusterId, copyText, notify, run } = usePage();
  const sid = params.sid ?? '';
  const ports = useMemo<PlayerPorts>(
    () => ({
      summary: () => api(getRecording, { params: { clusterId, sid } }),
      segment: index => api(getRecordingSegment, { params: { clusterId, sid, index: String(index) } }),
      exportCast: () => download(exportRecording, { params: { clusterId, sid } }),
      copyText,
      notify,
      help: () => run('help.open'),
    }),
    [api, download, clusterId, sid, copyText, notify, run],
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
        }}
      />
    </>
  );
}
