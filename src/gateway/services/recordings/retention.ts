// How long recordings are kept, and what holds them: removal by age, label and size, and legal holds, which nothing removes.
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { AdminAnswers } from '../../../contract/admin.ts';
import { Failure } from '../../../contract/failure.ts';
import { type Hold, type Holdable, type HoldQuery, heldOn, hold, isHeldBy } from '../../../contract/holds.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { RetentionRules } from '../../ports/recordings.ts';
import type { Events, Settings } from '../../store/store.ts';
import type { Recordings } from './recordings.ts';

/** Recordings removed in one go; the rest follows with the next, so that the disk and the log have time for others. */
const REMOVED_MOST = 1000;
/** How often it is looked at, ms. */
const LOOK_EVERY_MS = 3_600_000;
const HOLDS_MOST = 1000;
const HOLDS = 'recordings.holds';
/** When one of several gateways looked last. */
const LOOKED = 'recordings.looked';

export interface RetentionParts {
  readonly recordings: Pick<Recordings, 'stored' | 'remove' | 'summary' | 'isShared'>;
  readonly events: Pick<Events, 'endOf'>;
  readonly audit: AuditLog;
  readonly settings: Pick<Settings, 'get' | 'replace'>;
  readonly rules: RetentionRules;
  readonly clock: () => Date;
  readonly report: (problem: string, error: unknown) => void;
}
export interface Retention {
  /** Removes what is past its time, a bounded part of it, oldest first; `dry`: only says what. */
  expire(dry: boolean): Promise<AdminAnswers['expired']>;
  holds(): Promise<readonly Hold[]>;
  /** Those that are on one recording. */
  on(sid: string): Promise<readonly Hold[]>;
  /** Throws Failure bad_request when nothing is named, limited when there are too many. */
  hold(on: HoldQuery, why: string, by: string): Promise<Hold>;
  /** Throws Failure not_found. */
  release(id: string, why: string, by: string): Promise<Hold>;
  /** Looks again and again; the answer ends it. */
  start(): { dispose(): void };
}

interface Known extends Holdable {
  readonly bytes: number;
  readonly ended: number;
}

export function createRetention(parts: RetentionParts): Retention {
  const { recordings, events, audit, settings, rules, clock } = parts;
  const readHolds = (kept: unknown): readonly Hold[] => (kept === null ? [] : z.parse(z.array(hold), kept));
  const holds = async (): Promise<readonly Hold[]> => readHolds(await settings.get(HOLDS));
  async function change(by: (before: readonly Hold[]) => readonly Hold[]): Promise<void> {
    for (;;) {
      const kept = await settings.get(HOLDS);
      if (await settings.replace(HOLDS, kept, by(readHolds(kept)))) return;
    }
  }

  /** What the audit log says of a recording; where it says nothing, the recording itself. */
  async function about({ sid, bytes, changed }: { sid: string; bytes: number; changed: Date }): Promise<Known> {
    const raw = (await events.endOf(sid))?.raw as Readonly<Record<string, unknown>> | undefined;
    const summary = raw ? null : await recordings.summary(sid);
    const stopped = Date.parse(String(raw?.session_stop ?? summary?.ended ?? ''));
    const named = raw?.participants ?? summary?.participants;
    return {
      sid,
      bytes,
      ended: Number.isNaN(stopped) ? changed.getTime() : stopped,
      users: Array.isArray(named) ? named.map(String) : [],
      host: String(raw?.server_hostname ?? summary?.hostname ?? ''),
      labels: raw ? { ...(raw.server_labels as object | undefined) } : null,
    };
  }
  const keepMs = ({ labels }: Known): number => {
    const own = rules.labels.filter(({ name, value }) => labels?.[name] === value).map(one => one.keepMs || Infinity);
    return own.length > 0 ? Math.max(...own) : rules.keepMs || Infinity;
  };

  /** Of gateways that share the recordings, one looks at a time: each removal is noted once. */
  async function isOurTurn(): Promise<boolean> {
    if (!recordings.isShared) return true;
    const before = await settings.get(LOOKED);
    const now = clock();
    if (typeof before === 'string' && now.getTime() - Date.parse(before) < LOOK_EVERY_MS / 2) return false;
    return settings.replace(LOOKED, before, now.toISOString());
  }

  return {
    async expire(dry) {
      const now = clock().getTime();
      const known: Known[] = [];
      if (rules.keepMs > 0 || rules.labels.length > 0 || rules.mostBytes > 0)
        for (const one of await recordings.stored()) known.push(await about(one));
      known.sort((one, other) => one.ended - other.ended);
      let bytes = known.reduce((sum, one) => sum + one.bytes, 0);
      const held = await holds();
      const removed: { sid: string; bytes: number; why: string }[] = [];
      let spared = 0;
      for (const one of known) {
        if (removed.length >= REMOVED_MOST) break;
        const isOld = now - one.ended > keepMs(one);
        if (!isOld && (rules.mostBytes === 0 || bytes <= rules.mostBytes)) continue;
        // A hold that came meanwhile counts.
        if ((dry ? held : await holds()).some(({ on }) => isHeldBy(on, one))) {
          spared += 1;
          continue;
        }
        const why = isOld ? 'age' : 'size';
        if (!dry) {
          await audit.emit({ code: 'TPR01I', sid: one.sid, reason: why, bytes: one.bytes, server_hostname: one.host });
          await recordings.remove(one.sid);
        }
        bytes -= one.bytes;
        removed.push({ sid: one.sid, bytes: one.bytes, why });
      }
      return { removed, held: spared };
    },
    holds,
    async on(sid) {
      const all = await holds();
      if (all.length === 0) return [];
      const known = await about({ sid, bytes: 0, changed: clock() });
      return all.filter(({ on }) => isHeldBy(on, known));
    },
    async hold(on, why, by) {
      if (Object.keys(on).length === 0)
        throw new Failure('bad_request', 'a hold needs a session, a user, a host or a label that it is on');
      const made = { id: randomUUID(), on, why, by, since: clock().toISOString() };
      await change(before => {
        if (before.length >= HOLDS_MOST) throw new Failure('limited', `there are ${HOLDS_MOST} holds already`);
        return [...before, made];
      });
      await audit.emit({
        code: 'TPR02I',
        user: by,
        hold: made.id,
        on: heldOn(made),
        reason: why,
        ...(on.sid && { sid: on.sid }),
      });
      return made;
    },
    async release(id, why, by) {
      const found = (await holds()).find(one => one.id === id);
      if (!found) throw new Failure('not_found', `there is no hold ${id}`);
      await audit.emit({ code: 'TPR03I', user: by, hold: id, on: heldOn(found), reason: why });
      await change(before => before.filter(one => one.id !== id));
      return found;
    },
    start() {
      const go = async (): Promise<void> => {
        if (await isOurTurn()) await this.expire(false);
      };
      const look = (): void =>
        void go().catch((error: unknown) => parts.report('old recordings could not be removed', error));
      const timer = setInterval(look, LOOK_EVERY_MS).unref();
      look();
      return { dispose: () => clearInterval(timer) };
    },
  };
}
