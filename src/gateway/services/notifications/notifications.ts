// Notifications of a person: worked out from what is there now, so that nobody is told what they may not see any more; what they have read is kept.
import { NOTIFICATIONS_MOST, type PersonNotification } from '../../../contract/notifications.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Found, NotificationSource } from '../../ports/notifications.ts';
import type { Who } from '../../ports/who.ts';
import type { NotificationReads, Settings } from '../../store/store.ts';

const DAY_MS = 86_400_000;
/** What is older is not shown. */
const SHOWN_MS = 30 * DAY_MS;
/** What was read so long ago is not shown any more, and need not be remembered. */
const READ_KEPT_MS = 2 * SHOWN_MS;
const DUE_EVERY_MS = 60_000;
/** Keys of what plugins were told, each with when. */
const TOLD = 'notifications.told';

export interface NotificationParts {
  readonly reads: NotificationReads;
  readonly settings: Pick<Settings, 'get' | 'put'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly clock?: () => Date;
  /** Hears of sources that failed; the others are shown all the same. */
  readonly report: (problem: string, error: unknown) => void;
}
export interface Notifications {
  /** A noun that has something to tell. */
  add(source: NotificationSource): void;
  /** The newest first. */
  list(who: Who): Promise<readonly PersonNotification[]>;
  /** Those of these ids, or all. Ids that the person has not are passed over. */
  read(who: Who, ids?: readonly string[]): Promise<void>;
  /** Writes down what has come due, once for each: plugins tell it. Looks again and again until it is disposed of. */
  watch(): { look(): Promise<void>; dispose(): void };
}

export function createNotifications(parts: NotificationParts): Notifications {
  const { reads, settings, audit, changes, report, clock = () => new Date() } = parts;
  const sources: NotificationSource[] = [];

  async function gathered(
    ask: (source: NotificationSource) => Promise<readonly Found[]> | undefined,
  ): Promise<readonly Found[]> {
    const found = await Promise.all(
      sources.map(async source => {
        try {
          return (await ask(source)) ?? [];
        } catch (error) {
          report('a source of notifications failed', error);
          return [];
        }
      }),
    );
    const since = clock().getTime() - SHOWN_MS;
    const byKey = new Map(found.flat().map(one => [one.key, one]));
    return [...byKey.values()]
      .filter(({ date }) => date.getTime() >= since)
      .sort((one, other) => other.date.getTime() - one.date.getTime())
      .slice(0, NOTIFICATIONS_MOST);
  }

  async function look(): Promise<void> {
    const before = (await settings.get(TOLD)) as Readonly<Record<string, number>> | null;
    const now = clock().getTime();
    const told = Object.fromEntries(Object.entries(before ?? {}).filter(([, at]) => at > now - READ_KEPT_MS));
    const due = (await gathered(source => source.due?.())).filter(({ key }) => !Object.hasOwn(told, key));
    for (const one of due) {
      // Written down first: what is told twice after a crash is better than what is never told.
      const { key, kind, route, resourceName: name, text } = one;
      await audit.emit({ code: 'TNT00I', notification: key, notification_kind: kind, name, message: text, route });
      told[key] = now;
      await settings.put(TOLD, told);
    }
  }

  return {
    add: source => void sources.push(source),
    async list(who) {
      const [found, read] = await Promise.all([gathered(source => source.of?.(who)), reads.of(who.userId)]);
      return found.map(({ key, date, kind, route, resourceName, text }) => ({
        id: key,
        date: date.toISOString(),
        item: { kind, route, resourceName, text },
        isRead: read.has(key),
      }));
    },
    async read(who, ids) {
      const found = await gathered(source => source.of?.(who));
      const meant = found.map(({ key }) => key).filter(key => ids === undefined || ids.includes(key));
      const now = clock();
      await reads.add(who.userId, meant, now);
      await reads.prune(new Date(now.getTime() - READ_KEPT_MS));
      changes.emit({ kind: 'notificationsRead', user: who.userId });
    },
    watch() {
      let looking = Promise.resolve();
      const again = (): Promise<void> => {
        looking = looking.then(look).catch((error: unknown) => report('what has come due could not be told', error));
        return looking;
      };
      const timer = setInterval(() => void again(), DUE_EVERY_MS);
      timer.unref();
      return { look: again, dispose: () => clearInterval(timer) };
    },
  };
}
