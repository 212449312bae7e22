// Tells the audit log of sessions that the gateway's death cut short, at the next start.
import type { AuditEntry, AuditLog } from '../../ports/audit.ts';
import type { RecoveredRecording } from '../../ports/recordings.ts';
import type { Retries } from '../retries.ts';
import { sizeText } from './session-audit.ts';

export interface RecoveredParts {
  readonly audit: AuditLog;
  readonly retries: Pick<Retries, 'until'>;
  /** The last event number that the log holds of a session. */
  readonly lastIndexOf: (sid: string) => Promise<number>;
}

/** One session.end for each. Resolves when each was tried once: what could not be written is tried again, and no start fails over it. */
export async function tellRecovered(
  { audit, retries, lastIndexOf }: RecoveredParts,
  recovered: readonly RecoveredRecording[],
): Promise<void> {
  for (const one of recovered) {
    const { sid } = one.head;
    const tried = Promise.withResolvers<void>();
    let isTold = false;
    void retries.until(`session ${sid}, which was cut short: its end`, async () => {
      try {
        if (!isTold) await audit.emit(endOf(one, (await lastIndexOf(sid)) + 1));
        isTold = true;
        await one.settle();
      } finally {
        tried.resolve();
      }
    });
    await tried.promise;
  }
}

/** The code of its end, and what its kind calls what it was in. */
const endOfKind = ({ proto, hostname, login, addr }: RecoveredRecording['head']) =>
  proto === 'db'
    ? { code: 'TDB01I', db_service: hostname, db_user: login }
    : proto === 'app'
      ? { code: 'T2011I', app_name: hostname, app_uri: addr }
      : proto === 'rdp' || proto === 'vnc'
        ? { code: 'TDP01I', desktop_name: hostname, desktop_addr: addr, windows_user: login, recorded: true }
        : { code: 'T2004I' };

const endOf = ({ head, seal, cut, ended, participants }: RecoveredRecording, ei: number): AuditEntry => ({
  ...endOfKind(head),
  ei,
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
