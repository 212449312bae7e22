// Begins a session of any kind, once policy has given leave and its target was reached: the recording first, then the start in the audit
// log, then its life. What fails on the way leaves nothing behind.
import { Failure } from '../../../contract/failure.ts';
import type { Recorder, RecordingHead, RecordingStore } from '../../ports/recordings.ts';
import type { Who } from '../../ports/who.ts';
import type { LifecycleParts } from './lifecycle.ts';
import type { Running } from './shell-session.ts';

interface LaunchPorts extends Pick<LifecycleParts, 'keepMs' | 'now' | 'retries' | 'report'> {
  readonly recordings: RecordingStore;
  /** Why nothing may begin any more; null while it may. */
  readonly closed: () => string | null;
  /** What must be over before the gateway ends: all that is half begun, or whose end is not in the audit log yet. */
  readonly unfinished: Set<Promise<void>>;
}
/** What one kind of session brings. */
interface Launch<Live extends Running> {
  readonly sid: string;
  readonly who: Who;
  /** Hung up when the session does not come about. */
  readonly reached: { close(): void };
  /** What its recording begins with, but for its time. Null: nothing of it is recorded. */
  readonly head: Omit<RecordingHead, 'started'> | null;
  readonly onOver: LifecycleParts['onOver'];
  /** `recorder` is null where it is not recorded. */
  prepare(recorder: Recorder | null): {
    /** Resolves when the audit log has the start. */
    noteStart(): Promise<void>;
    /** Begins its life; called once the start is noted. */
    run(life: Omit<LifecycleParts, 'body'>): Live;
  };
}

/** Throws Failure unavailable: the gateway stops, or the recording or the audit log cannot be written. */
export async function launch<Live extends Running>(ports: LaunchPorts, plan: Launch<Live>): Promise<Live> {
  const { keepMs, now, retries, report, closed, unfinished } = ports;
  const { sid, who, onOver } = plan;
  const begun = Promise.withResolvers<void>();
  unfinished.add(begun.promise);
  let recorder: Recorder | null = null;
  try {
    const started = now();
    recorder = await record(ports, plan, started);
    const prepared = plan.prepare(recorder);
    refuseOnceClosed(closed());
    await prepared.noteStart().catch((error: unknown) => {
      report('a session was not started: the audit log could not be written', error);
      throw new Failure('unavailable', 'The session was not started: the audit log could not be written.');
    });
    const live = prepared.run({ sid, who, recorder, started, keepMs, now, retries, report, onOver });
    unfinished.add(live.done);
    void live.done.then(() => unfinished.delete(live.done));
    // The gateway stopped meanwhile: the log has the start, so it gets the end.
    const reason = closed();
    if (reason !== null) void live.end('shutdown', reason);
    return live;
  } catch (error) {
    plan.reached.close();
    await recorder?.discard();
    throw error;
  } finally {
    unfinished.delete(begun.promise);
    begun.resolve();
  }
}

function refuseOnceClosed(reason: string | null): void {
  if (reason !== null) throw new Failure('unavailable', reason);
}

/** Null where best effort is enough and none could be started. Throws Failure unavailable: strict sessions do not run without one. */
async function record<Live extends Running>(
  { recordings, report }: LaunchPorts,
  { sid, who, head }: Launch<Live>,
  started: Date,
): Promise<Recorder | null> {
  if (!head) return null;
  const { recordSsh, recordOthers } = who.rights.options;
  const mode = head.proto === 'ssh' ? recordSsh : recordOthers;
  try {
    // Requests come too thick for a write each: where a recording must be, it must begin, and what comes later is written together.
    return await recordings.open({ ...head, started }, head.proto === 'app' ? 'best_effort' : mode);
  } catch (error) {
    report(`session ${sid}: the recording could not be started`, error);
    if (mode === 'best_effort') return null;
    throw new Failure(
      'unavailable',
      'The session was not started: its recording could not be written, and this server may only be used with a recording.',
    );
  }
}
