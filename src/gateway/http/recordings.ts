// Playing back what was recorded, for those whose roles let them read that very recording.
import { Readable } from 'node:stream';
import { Failure } from '../../contract/failure.ts';
import {
  exportRecording,
  getRecording,
  getRecordingSegment,
  sessionEvents,
  sessionStream,
} from '../../contract/recordings.ts';
import type { Who } from '../ports.ts';
import { maySee } from './audit.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** A reader who opens a recording again within this time is not noted again: a player makes many calls. */
const NOTED_FOR_MS = 600_000;
/** Reader and recording pairs remembered at once. */
const NOTED_MOST = 10_000;
const SID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function serveRecordings(serve: Serve, services: Services): void {
  const { recordings, store, audit, sessions, clock } = services;
  const noted = new Map<string, number>();

  /** Who took part, as the audit log or the running session says; the recording itself where neither knows it. */
  async function participants(sid: string): Promise<{ readonly [field: string]: unknown } | null> {
    const end = await store.events.endOf(sid);
    if (end) return end.raw;
    const running = sessions.get(sid)?.session;
    if (running)
      return {
        participants: [...new Set([running.owner, ...running.parties.map(({ user }) => user)])],
        session_start: running.created,
      };
    const summary = await recordings.summary(sid);
    return summary && { participants: summary.participants, session_start: summary.started };
  }

  /** Throws Failure not_found or denied; notes the access in the audit log before anything is shown. */
  async function allow(who: Who, sid: string): Promise<void> {
    const event = SID.test(sid) ? await participants(sid) : null;
    if (event === null) throw new Failure('not_found', 'recording not found');
    if (!maySee(who, event, 'read')) throw new Failure('denied', 'access denied to this recording');
    const key = `${who.userId}\n${sid}`;
    const now = clock().getTime();
    if (now - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < NOTED_FOR_MS) return;
    await audit.emit({ code: 'T2012I', sid, user: who.user });
    noted.delete(key);
    noted.set(key, now);
    const oldest = noted.keys().next().value;
    if (noted.size > NOTED_MOST && oldest !== undefined) noted.delete(oldest);
  }

  const found = <Part>(part: Part | null): Part => {
    if (part === null) throw new Failure('not_found', 'recording not found');
    return part;
  };

  serve(getRecording, async ({ params }, who) => {
    await allow(who, params.sid);
    return found(await recordings.summary(params.sid));
  });
  serve(getRecordingSegment, async ({ params }, who) => {
    await allow(who, params.sid);
    return found(await recordings.segment(params.sid, params.index));
  });
  serve(sessionEvents, async ({ params, query }, who) => {
    await allow(who, params.sid);
    return { events: [...found(await recordings.events(params.sid, query.after))] };
  });
  serve(sessionStream, async ({ params, query, reply }, who) => {
    await allow(who, params.sid);
    const bytes = found(await recordings.stream(params.sid, query.offset, query.bytes));
    return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
  serve(exportRecording, async ({ params, reply }, who) => {
    await allow(who, params.sid);
    const lines = found(await recordings.asciicast(params.sid));
    return reply
      .type('application/x-asciicast')
      .header('content-disposition', `attachment; filename="${params.sid}.cast"`)
      .send(Readable.from(lines));
  });
}
