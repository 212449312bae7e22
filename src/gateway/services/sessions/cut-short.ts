// Tells the audit log of sessions in databases and applications that the death of their gateway cut short: they have no recording that would.
import type { AuditLog } from '../../ports/audit.ts';
import type { Events } from '../../store/store.ts';
import type { Retries } from '../retries.ts';

export interface CutShortParts {
  readonly audit: AuditLog;
  readonly events: Pick<Events, 'startOf' | 'endOf' | 'lastIndexOf'>;
  readonly retries: Pick<Retries, 'until'>;
}

/** Fields that every event has of its own, and what only a start says. */
const own = new Set(['ei', 'event', 'uid', 'code', 'time', 'cluster_name', 'success', 'with_mfa']);

/** One end for each that has begun and not ended. Resolves when all are written, or given up because the gateway stops. */
export async function tellCutShort({ audit, events, retries }: CutShortParts, sids: readonly string[]): Promise<void> {
  for (const sid of sids)
    await retries.until(`session ${sid}, which was cut short: its end`, async () => {
      const start = await events.startOf(sid);
      if (!start || (await events.endOf(sid))) return;
      await audit.emit({
        ...Object.fromEntries(Object.entries(start.raw).filter(([name]) => !own.has(name))),
        code: start.type === 'app.session.start' ? 'T2011I' : 'TDB01I',
        ei: (await events.lastIndexOf(sid)) + 1,
        session_start: start.time.toISOString(),
        message: 'The gateway stopped before this session ended.',
      });
    });
}
