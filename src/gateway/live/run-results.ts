// What the servers of a run printed, kept beside the run itself for whoever is to say what came out.
import { printedOf } from '../../contract/printed-text.ts';
import type { RanOn } from '../services/assistant/assistant.ts';
import type { RunListener } from '../services/sessions/command-run.ts';

/** Kept of each server, bytes: more than a summary reads. */
const KEPT_MOST_BYTES = 16_384;
/** A run ends without a summary after so long, ms. */
export const SUMMARY_MOST_MS = 60_000;

interface Result {
  readonly hostname: string;
  sid: string;
  how: string;
  bytes: number;
  readonly pieces: Uint8Array[];
}

/** The same listener, which also gathers. */
export function gatherResults(to: RunListener): {
  readonly listener: RunListener;
  readonly all: () => readonly RanOn[];
} {
  const results = new Map<string, Result>();
  const of = ({ target }: Parameters<RunListener['said']>[0]): Result => {
    const result = results.get(target.id) ?? { hostname: target.hostname, sid: '', how: '', bytes: 0, pieces: [] };
    results.set(target.id, result);
    return result;
  };
  const listener: RunListener = {
    ...to,
    began(host, session) {
      of(host).sid = session.id;
      to.began(host, session);
    },
    output(host, bytes, from) {
      const result = of(host);
      const kept = bytes.slice(0, Math.max(0, KEPT_MOST_BYTES - result.bytes));
      if (kept.length > 0) result.pieces.push(kept);
      result.bytes += kept.length;
      to.output(host, bytes, from);
    },
    ended(host, how) {
      of(host).how = how.error || (how.signal === null ? `exit ${how.code}` : `ended by ${how.signal}`);
      to.ended(host, how);
    },
  };
  return {
    listener,
    all: () =>
      [...results].map(([nodeId, { hostname, sid, how, pieces }]) => ({
        ...{ nodeId, hostname, sid, how },
        output: printedOf(Buffer.concat(pieces).toString()),
      })),
  };
}
