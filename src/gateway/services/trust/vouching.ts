// A root goes on to vouch at its leaves for whoever has been there, and says so at once when their web session is over.

import { Failure } from '../../../contract/failure.ts';
import type { Changes } from '../../ports/changes.ts';
import type { AskedSessions, Who } from '../../ports/who.ts';
import { type Asserting, VISITOR_HEADER } from './assertion.ts';
import type { LeafConnection } from './leaf-connection.ts';
import { endedRequest, vouchedRequest } from './reception.ts';

/** Whose session lasts is vouched for again after this, ms. */
const VOUCH_EVERY_MS = 20_000;
/** A leaf answers by then, ms. */
const ANSWER_MS = 5000;
/** Web sessions that have been at a leaf, at once. */
const NOTED_MOST = 10_000;

export interface VouchingParts {
  readonly sessions: Pick<AskedSessions, 'again' | 'over'>;
  /** Asks every second, and at once when it is told to. */
  readonly openChecks: (
    check: () => Promise<void>,
    failed: (error: unknown) => void,
  ) => { now(): void; dispose(): void };
  readonly asserting: Pick<Asserting, 'assertion'>;
  readonly changes: Pick<Changes, 'subscribe'>;
  readonly connectionOf: (leaf: string) => LeafConnection | null;
  readonly report: (problem: string, error: unknown) => void;
}
export interface Vouching {
  /** They go to that leaf now. */
  noted(who: Who, leaf: string): void;
  close(): void;
}
interface Noted extends Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'> {
  readonly leaf: string;
  vouchedAt: number;
}

/** You must close it. */
export function openVouching({
  sessions,
  openChecks,
  asserting,
  changes,
  connectionOf,
  report,
}: VouchingParts): Vouching {
  const visits = new Map<string, Noted>();

  async function tell(
    leaf: string,
    asked: { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>> },
  ) {
    const connection = connectionOf(leaf);
    if (!connection) return false;
    try {
      (await connection.ask({ ...asked, signal: AbortSignal.timeout(ANSWER_MS) })).resume();
      return true;
    } catch {
      // It is told by the next check, or hears nothing more and lets them go by itself.
      return false;
    }
  }
  async function check(id: string, visit: Noted): Promise<void> {
    const { leaf, webSessionId } = visit;
    if ((await sessions.over(visit)) !== null) {
      if (await tell(leaf, endedRequest(webSessionId))) visits.delete(id);
      return;
    }
    if (Date.now() - visit.vouchedAt < VOUCH_EVERY_MS) return;
    const who = await sessions.again(visit);
    if (await tell(leaf, vouchedRequest({ [VISITOR_HEADER]: await asserting.assertion(who, leaf) })))
      visit.vouchedAt = Date.now();
  }
  const checks = openChecks(
    async () => {
      for (const [id, visit] of [...visits])
        await check(id, visit).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
        });
    },
    error => report('whether people at leaf clusters may stay there could not be looked at', error),
  );
  const unsubscribe = changes.subscribe(({ kind }) => {
    if (kind === 'userChanged') for (const visit of visits.values()) visit.vouchedAt = 0;
    if (['userChanged', 'userRemoved', 'webSessionsEnded', 'lockChanged'].includes(kind)) checks.now();
  });
  return {
    noted({ userId, webSessionId, remoteAddr }, leaf) {
      const id = `${leaf} ${webSessionId}`;
      const before = visits.get(id);
      visits.delete(id);
      visits.set(id, { userId, webSessionId, remoteAddr, leaf, vouchedAt: before?.vouchedAt ?? Date.now() });
      const [oldest] = visits.keys();
      if (visits.size > NOTED_MOST && oldest !== undefined) visits.delete(oldest);
    },
    close() {
      unsubscribe();
      checks.dispose();
    },
  };
}
