// Playing back what was recorded, for those whose roles let them read that very recording.
import { Readable } from 'node:stream';
import { exportRecording } from '../../contract/audit.ts';
import { Failure } from '../../contract/failure.ts';
import {
  getLastScreen,
  getRecording,
  getRecordingSegment,
  getThumbnails,
  type RecordingFile,
  saveRecording,
  sessionEvents,
  sessionStream,
} from '../../contract/recordings.ts';
import { withoutLetters } from '../services/recordings/picture.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

const files: Readonly<Record<RecordingFile, readonly [type: string, name: string]>> = {
  text: ['text/plain; charset=utf-8', 'txt'],
  html: ['text/html; charset=utf-8', 'html'],
  csv: ['text/csv; charset=utf-8; header=present', 'csv'],
  json: ['application/json', 'json'],
};

export function serveRecordings(serve: Serve, services: Services): void {
  const { recordings, retention, auditAccess } = services;
  const allow = auditAccess.openRecording;

  const found = <Part>(part: Part | null): Part => {
    if (part === null) throw new Failure('not_found', 'recording not found');
    return part;
  };

  serve(getRecording, async ({ params }, who) => {
    await allow(who, params.sid);
    const summary = found(await recordings.summary(params.sid));
    const [transfers, shared, started] = await Promise.all([
      auditAccess.transfers(who, summary),
      auditAccess.shared(who, summary),
      auditAccess.kernelCommands(who, summary),
    ]);
    const commands = [...summary.commands, ...started].sort((one, other) => one.ms - other.ms);
    const holds = who.rights.may('legal_hold', 'list') ? [...(await retention.on(params.sid))] : [];
    return { ...summary, transfers, shared, commands, holds };
  });
  serve(getRecordingSegment, async ({ params }, who) => {
    await allow(who, params.sid);
    return found(await recordings.segment(params.sid, params.index));
  });
  serve(getThumbnails, async ({ params, query: { from } }, who) => {
    await allow(who, params.sid);
    return { thumbnails: [...found(await recordings.thumbnails(params.sid, from))] };
  });
  serve(getLastScreen, async ({ params, query: { letters } }, who) => {
    await (letters === 'no' ? auditAccess.checkRecording : allow)(who, params.sid);
    const picture = found(await recordings.lastScreen(params.sid));
    return letters === 'no' ? withoutLetters(picture) : picture;
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
  serve(saveRecording, async ({ params, query: { format }, reply }, who) => {
    await allow(who, params.sid);
    const parts = found(await recordings.file(params.sid, format));
    const [type, name] = files[format];
    return reply
      .type(type)
      .header('content-disposition', `attachment; filename="${params.sid}.${name}"`)
      .send(Readable.from(parts));
  });
}
