// The banners that the gateway raises itself: a certificate that ends, a disk that fills. Gone when their cause is.
import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { Alerts } from './alerts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CHECK_EVERY_MS = HOUR_MS;
/** What is raised is raised anew at each check; that of a gateway that died fades. */
const STAYS_MS = 3 * HOUR_MS;

/** Days before its end that an end is told of, and told of gravely. */
const CERTIFICATE_DAYS = { warning: 14, danger: 3 } as const;
const LICENSE_DAYS = { warning: 30, danger: 7 } as const;
const MEGABYTE_BYTES = 1_000_000;
const DISK_WARNING_BYTES = 500 * MEGABYTE_BYTES;
const DISK_WARNING_SHARE = 0.05;
const DISK_DANGER_BYTES = 100 * MEGABYTE_BYTES;

/** Severities of the wire: 5 to 9 is a warning, 10 and above danger. */
const WARNING = 5;
const DANGER = 10;

/** Room on a folder's disk, bytes. */
export interface Space {
  readonly free: number;
  readonly total: number;
}
export interface OwnAlertParts {
  readonly alerts: Pick<Alerts, 'raise' | 'withdraw'>;
  readonly gateway: { readonly id: string; readonly hostname: string };
  /** PEM of the certificate that is served, leaf first; null without TLS. */
  readonly certificate: string | null;
  /** When the licence that is handed out ends; null: there is none. */
  readonly license: Date | null;
  /** Folders whose disks must not fill. */
  readonly folders: readonly string[];
  readonly clock?: () => Date;
  readonly space?: (folder: string) => Promise<Space>;
  /** Hears of checks that failed. */
  readonly report: (problem: string, error: unknown) => void;
}
interface Raised {
  readonly severity: number;
  readonly message: string;
}

/** Room that an unprivileged process has, of what such processes could fill, as `df` counts it: what is reserved is no room at all. */
async function spaceOf(folder: string): Promise<Space> {
  const { bavail, bfree, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: (blocks - bfree + bavail) * bsize };
}

/** Checks once and every hour from then on. `check` may be called in between; you must dispose it. */
export function openOwnAlerts(parts: OwnAlertParts): { check(): Promise<void>; dispose(): void } {
  const { alerts, gateway, clock = () => new Date(), space = spaceOf, report } = parts;

  async function show(name: string, raised: Raised | null): Promise<void> {
    const own = `${name}-${gateway.id}`;
    if (raised) await alerts.raise(own, { ...raised, expires: new Date(clock().getTime() + STAYS_MS) });
    else await alerts.withdraw(own);
  }

  function ending(
    what: string,
    ends: Date,
    days: { readonly warning: number; readonly danger: number },
    todo: string,
  ): Raised | null {
    const leftMs = ends.getTime() - clock().getTime();
    if (leftMs >= days.warning * DAY_MS) return null;
    const day = ends.toISOString().slice(0, 10);
    const left = Math.floor(leftMs / DAY_MS);
    const when =
      leftMs <= 0
        ? `ended on ${day}`
        : `ends on ${day} (${left === 0 ? 'in less than a day' : `in ${left} ${left === 1 ? 'day' : 'days'}`})`;
    return { severity: leftMs < days.danger * DAY_MS ? DANGER : WARNING, message: `${what} ${when}. ${todo}` };
  }
  function certificate(): Raised | null {
    if (parts.certificate === null) return null;
    const ends = new Date(new X509Certificate(parts.certificate).validTo);
    const todo = 'Replace it and restart the gateway.';
    return ending(`The TLS certificate of gateway ${gateway.hostname}`, ends, CERTIFICATE_DAYS, todo);
  }
  const license = (): Raised | null =>
    parts.license &&
    ending(
      'The licence that this dashboard hands out',
      parts.license,
      LICENSE_DAYS,
      'Name its successor in the settings.',
    );

  async function disk(): Promise<Raised | null> {
    const low: (Space & { readonly folder: string })[] = [];
    for (const folder of new Set(parts.folders)) {
      const { free, total } = await space(folder);
      if (free < DISK_WARNING_BYTES || free < total * DISK_WARNING_SHARE) low.push({ free, total, folder });
    }
    const [worst] = low.sort((first, second) => first.free - second.free);
    return worst
      ? {
          severity: worst.free < DISK_DANGER_BYTES ? DANGER : WARNING,
          message: `Gateway ${gateway.hostname} has ${Math.floor(worst.free / MEGABYTE_BYTES)} MB left on the disk of ${worst.folder}. When it is full, sessions that must be recorded are refused.`,
        }
      : null;
  }

  async function check(): Promise<void> {
    for (const [name, look] of [
      ['tls-certificate', certificate],
      ['license', license],
      ['disk', disk],
    ] as const) {
      try {
        await show(name, await look());
      } catch (error) {
        report(`the check "${name}" failed`, error);
      }
    }
  }
  const timer = setInterval(() => void check(), CHECK_EVERY_MS);
  timer.unref();
  return { check, dispose: () => clearInterval(timer) };
}
