// What of the audit log goes outside, kept going for ever: tried again when it fails, and said in a banner when that lasts.
import { setTimeout as wait } from 'node:timers/promises';
import type { BucketPlace } from '../../ports/recordings.ts';
import { type Anchors, anchoring } from './anchors.ts';
import { type ForwardParts, forwarding } from './forward.ts';
import { bucketReceiver, fileReceiver, type Receiver, syslogReceiver, webhookReceiver } from './receivers.ts';

/** Waits between tries, the first and the longest, ms: each is twice the one before. */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
/** A receiver that is away for longer is worth a banner, ms. */
const ALERT_AFTER_MS = 60_000;
/** The banner is put up anew at each failure; that of a gateway that died fades, ms. */
const ALERT_STAYS_MS = 600_000;
/** Severity "danger" of the wire. */
const ALERT_SEVERITY = 10;

/** Where what goes; null: nowhere. */
interface DeliveryPlaces {
  readonly file: string | null;
  readonly webhook: { readonly url: string; readonly token: string | null } | null;
  readonly syslog: Parameters<typeof syslogReceiver>[0] | null;
  readonly anchor: { readonly file: string } | { readonly url: string } | { readonly bucket: BucketPlace } | null;
}

/** One kind of thing, to one receiver. */
export interface Delivery {
  /** What is delivered, as a sentence begins with it: `Audit events`. */
  readonly what: string;
  readonly receiver: Pick<Receiver, 'place'> & { readonly name: string };
  /** Delivers what there is; answers after how long to look again, ms. */
  readonly next: () => Promise<number>;
  /** What is said while it fails: since when (ISO 8601), and why. Absent: that nothing has arrived, and that it is kept. */
  readonly failing?: (since: string, why: string) => string;
  /** Wait after a failure, ms. Absent: a second, and twice as long each time. */
  readonly retryMs?: number;
}

export interface DeliveryParts {
  readonly gateway: { readonly id: string; readonly hostname: string };
  readonly alerts: {
    raise(
      name: string,
      found: { readonly severity: number; readonly message: string; readonly expires: Date },
    ): Promise<void>;
    withdraw(name: string): Promise<void>;
  };
  readonly clock: () => Date;
  /** Hears of the first failure of each row of them. */
  readonly report: (problem: string, error: unknown) => void;
}

/** What the settings ask for. */
export function deliveriesOf(
  { file, webhook, syslog, anchor }: DeliveryPlaces,
  parts: ForwardParts,
  anchors: Pick<Anchors, 'write'>,
): readonly Delivery[] {
  const receivers = [
    ...(file === null ? [] : [fileReceiver(file)]),
    ...(webhook === null ? [] : [webhookReceiver(webhook.url, webhook.token)]),
    ...(syslog === null ? [] : [syslogReceiver(syslog)]),
  ];
  const forwarded = receivers.map(receiver => ({ what: 'Audit events', receiver, next: forwarding(parts, receiver) }));
  if (anchor === null) return forwarded;
  const receiver =
    'url' in anchor
      ? webhookReceiver(anchor.url, null)
      : 'bucket' in anchor
        ? bucketReceiver(anchor.bucket)
        : fileReceiver(anchor.file);
  return [...forwarded, { what: 'Anchors of the audit log', receiver, next: anchoring(anchors, receiver) }];
}

/** Each goes on by itself until they are disposed of: none waits for another. */
export function openDeliveries(parts: DeliveryParts, deliveries: readonly Delivery[]): { dispose(): void } {
  const ending = new AbortController();
  for (const delivery of deliveries) void keepDelivering(parts, delivery, ending.signal);
  return { dispose: () => ending.abort() };
}

async function keepDelivering(
  { clock, report, gateway, alerts }: DeliveryParts,
  { what, receiver, next, failing, retryMs }: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const banner = `${what.toLowerCase().replaceAll(' ', '-')}-${receiver.name}-${gateway.id}`;
  const pause = (ms: number) => wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const raise = async (since: number, error: unknown): Promise<void> => {
    // In the one format that people read times in.
    const when = `${new Date(since).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    const why = reasonOf(error);
    const message =
      failing?.(when, why) ??
      `${what} have not reached the ${receiver.name} ${receiver.place} since ${when}: ${why}. Gateway ${gateway.hostname} keeps them and tries again.`;
    const expires = new Date(clock().getTime() + ALERT_STAYS_MS);
    await alerts
      .raise(banner, { severity: ALERT_SEVERITY, message, expires })
      .catch((problem: unknown) => report('a banner could not be put up', problem));
  };
  let failures = 0;
  let since = 0;
  while (!signal.aborted) {
    try {
      const ms = await next();
      if (failures > 0) await alerts.withdraw(banner);
      failures = 0;
      await pause(ms);
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0) {
        since = clock().getTime();
        report(`${what} did not reach the ${receiver.name} ${receiver.place}`, error);
      }
      if (clock().getTime() - since >= ALERT_AFTER_MS) await raise(since, error);
      await pause(retryMs ?? Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures));
      failures += 1;
    }
  }
}

/** What was wrong, in the words of the system where it has some: fetch hides them behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : { cause: error };
  return cause instanceof Error ? cause.message : String(cause);
}
