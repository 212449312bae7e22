// Tells the audit log of sessions that the gateway's death cut short, at the next start.
import type { AuditLog, RecoveredRecording } from '../../ports.ts';
import { sizeText } from './session-audit.ts';

/**
 * One session.end for each; rejects when the log cannot be written, and then the rest is told at a later start. `lastIndexOf` answers
 * the last event number that the log holds of a session.
 */
export async function tellRecovered(
  audit: AuditLog,
  recovered: readonly RecoveredRecording[],
  lastIndexOf: (sid: string) => Promise<number>,
): Promise<void> {
  for (const { head, seal, cut, ended, participants, settle } of recovered) {
    await audit.emit({
      code: 'T2004I',
      ei: (await lastIndexOf(head.sid)) + 1,
      user: head.user,
      login: head.login,
      sid: head.sid,
      namespace: 'default',
      server_id: head.serverId,
      server_hostname: head.hostname,
      server_addr: head.addr,
      proto: head.proto,
      size: sizeText(head.size),
      interactive: true,
      enhanced_recording: false,
      session_recording: 'node',
      participants,
      session_start: head.started.toISOString(),
      session_stop: ended.toISOString(),
      ...seal,
      recording_cut: cut,
      ...(cut
        ? { message: 'The gateway stopped before this session ended; its recording was closed at the next start.' }
        : {}),
    });
    await settle();
  }
}
