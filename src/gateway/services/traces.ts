// The steps of a trial, one after the other: those that passed, and the one that failed, which is the last.
import type { Trace } from '../../contract/diagnostics.ts';

export interface Traces {
  /** What has passed so far. */
  readonly all: readonly Trace[];
  passed(traceType: Trace['traceType'], details: string): void;
  /** All there is to say: what has passed, and this. `details`: what to do. */
  failed(traceType: Trace['traceType'], details: string, error: unknown): readonly Trace[];
}

export function createTraces(): Traces {
  const all: Trace[] = [];
  return {
    all,
    passed: (traceType, details) => void all.push({ traceType, status: 'SUCCESS', details }),
    failed: (traceType, details, error) => [
      ...all,
      { traceType, status: 'FAILED', details, error: error instanceof Error ? error.message : String(error) },
    ],
  };
}
