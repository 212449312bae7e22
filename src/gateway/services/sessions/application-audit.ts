// Events of a session in an application, for the audit log: codes of the catalogue and their fields, in the order they happened.

import { randomUUID } from 'node:crypto';
import { cloudOf } from '../../../contract/cloud-applications.ts';
import type { ApplicationRequest, ApplicationTarget } from '../../ports/applications.ts';
import type { AuditEntry, AuditLog } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import { deviceField } from '../device-facts.ts';
import { createAuditNotes, endFields } from './audit-notes.ts';
import type { SessionEndFacts } from './session-audit.ts';

/** Requests are told of together so often, ms. */
const CHUNK_MS = 5 * 60_000;
/** Of each chunk so many requests have an event of their own: the recording has them all. */
const NAMED_MOST = 100;
/** Most of a path or a query that the log gets, characters. */
const PATH_MOST_CHARACTERS = 1024;

/** Somebody's wish for a session in an application. */
export interface ApplicationWish {
  readonly who: Who;
  readonly device?: string;
  readonly application: ApplicationTarget;
}
/** Which of both fields of the catalogue it is. */
function cloudField({ uri, cloudIdentity }: ApplicationTarget): Record<string, string> {
  if (cloudIdentity === undefined) return {};
  return cloudOf(uri) === 'gcp' ? { gcp_service_account: cloudIdentity } : { azure_identity: cloudIdentity };
}
const wishFields = ({ who, device, application }: ApplicationWish): Record<string, unknown> => ({
  user: who.user,
  ...deviceField(who),
  user_id: who.userId,
  'addr.remote': who.remoteAddr,
  ...(device !== undefined && { with_mfa: device }),
  ...(application.awsRole !== undefined && { aws_role_arn: application.awsRole }),
  ...cloudField(application),
  app_name: application.name,
  app_uri: application.uri,
  app_public_addr: application.publicAddr,
  app_labels: application.labels,
});
/** A session did not begin: not permitted. */
export const applicationRefusalEvent = (wish: ApplicationWish, error: string): AuditEntry => ({
  code: 'T2007W',
  ...wishFields(wish),
  success: false,
  error,
});

export interface ApplicationAudit {
  /** Resolves when the log has it; nothing may be passed on before that. */
  start(recording: { readonly session_recording: 'node' | 'off'; readonly recording_key?: string }): Promise<void>;
  requested(request: ApplicationRequest): void;
  /** Bytes of a connection without requests. */
  carried(bytes: number): void;
  onLost(listener: (error: unknown) => void): void;
  /** Resolves when the log has it, and all before it. */
  end(facts: SessionEndFacts): Promise<void>;
}

export function createApplicationAudit(
  audit: AuditLog,
  wish: ApplicationWish & { readonly sid: string },
): ApplicationAudit {
  const fields = { sid: wish.sid, ...wishFields(wish) };
  const notes = createAuditNotes(audit);
  /** Requests since the last event about them. */
  let chunk: { readonly id: string; requests: number; bytes: number; readonly over: NodeJS.Timeout } | null = null;

  function endChunk(): void {
    if (!chunk) return;
    clearTimeout(chunk.over);
    const { id, requests, bytes } = chunk;
    chunk = null;
    notes.note({ code: 'T2008I', ...fields, session_chunk_id: id, requests, bytes });
  }
  function counted(bytes: number): NonNullable<typeof chunk> {
    chunk ??= { id: randomUUID(), requests: 0, bytes: 0, over: setTimeout(endChunk, CHUNK_MS).unref() };
    chunk.requests += 1;
    chunk.bytes += bytes;
    return chunk;
  }
  return {
    start: recording =>
      audit.emit({ code: 'T2007I', ...fields, public_addr: wish.application.publicAddr, ...recording, success: true }),
    requested({ method, path, status, bytes }) {
      const { id, requests } = counted(bytes);
      if (requests > NAMED_MOST || !notes.hasRoom) return;
      const [pathname = '', ...query] = path.split('?');
      notes.note({
        code: 'T2009I',
        ...fields,
        session_chunk_id: id,
        method,
        path: pathname.slice(0, PATH_MOST_CHARACTERS),
        raw_query: query.join('?').slice(0, PATH_MOST_CHARACTERS),
        status_code: status,
      });
    },
    carried: bytes => void counted(bytes),
    onLost: notes.onLost,
    async end(facts) {
      endChunk();
      await notes.settled();
      await audit.emit({ code: 'T2011I', ...fields, ...endFields(facts) });
    },
  };
}
