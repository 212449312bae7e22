// What whoever publishes releases has signed: that there is a newer one, or that this one has a hole. Nothing is told to them, and nothing of theirs counts
// without their signature.
import { type KeyObject, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { time } from '../../../contract/shapes.ts';
import { visible } from '../../../contract/visible-text.ts';
import type { Settings } from '../../store/store.ts';
import { answerBytes } from '../answer-bytes.ts';
import type { Alerts } from './alerts.ts';

const HOUR_MS = 3_600_000;
const CHECK_EVERY_MS = 6 * HOUR_MS;
/** What a gateway that died has put up fades. */
const STAYS_MS = 4 * CHECK_EVERY_MS;
const ANSWER_MS = 30_000;
const FEED_MOST_BYTES = 64 * 1024;
const SIGNATURE_MOST_BYTES = 1024;
/** Where the day of the newest feed is kept that was believed: an older one is not put in its place. */
const KEPT = 'release-feed';

/** Ids that clients know (specification section 3), with the severity of each. */
const severities = { 'upgrade-suggestion': 5, 'security-patch-available': 10 } as const;
const ids = Object.keys(severities) as readonly (keyof typeof severities)[];
const release = z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, 'a version such as 1.4.2'));
const feedSchema = z.strictObject({
  made: time,
  alerts: z
    .array(
      z.strictObject({
        id: z.enum(['upgrade-suggestion', 'security-patch-available']),
        /** Gateways of an older version than this one are meant. */
        below: release,
        message: z.string().check(z.minLength(1), z.maxLength(500), visible),
        link: z.optional(z.url({ protocol: /^https$/ }).check(z.maxLength(2048))),
      }),
    )
    .check(z.maxLength(50)),
});
type Feed = z.infer<typeof feedSchema>;

export interface ReleaseFeedParts {
  /** `place`: a file, or an address of http or https; its signature is beside it, at the same name with `.sig`. `key`: of Ed25519, public. */
  readonly feed: { readonly place: string; readonly key: KeyObject };
  readonly version: string;
  readonly alerts: Pick<Alerts, 'raise' | 'withdraw'>;
  readonly settings: Pick<Settings, 'get' | 'put'>;
  readonly clock?: () => Date;
  /** Hears of a feed that could not be had, or must not be believed. */
  readonly report: (problem: string, error: unknown) => void;
}

/** Looks once and every six hours from then on. `check` may be called in between; you must dispose it. */
export function openReleaseFeed(parts: ReleaseFeedParts): { check(): Promise<void>; dispose(): void } {
  const { feed: source, alerts, settings, clock = () => new Date(), report } = parts;

  async function believed(): Promise<Feed> {
    const [written, signature] = await Promise.all([
      read(source.place, FEED_MOST_BYTES),
      read(`${source.place}.sig`, SIGNATURE_MOST_BYTES),
    ]);
    if (!verify(null, written, source.key, Buffer.from(signature.toString('latin1').trim(), 'base64')))
      throw new Error('its signature is not of the key that is trusted');
    const feed = z.parse(feedSchema, JSON.parse(written.toString()));
    const newest = await settings.get(KEPT);
    if (typeof newest === 'string' && feed.made < newest)
      throw new Error(`it is of ${feed.made}, and one of ${newest} has been seen`);
    if (feed.made !== newest) await settings.put(KEPT, feed.made);
    return feed;
  }
  async function check(): Promise<void> {
    try {
      const feed = await believed();
      const expires = new Date(clock().getTime() + STAYS_MS);
      for (const id of ids) {
        const meant = feed.alerts.find(one => one.id === id && isOlder(parts.version, one.below));
        if (meant)
          await alerts.raise(id, { severity: severities[id], message: meant.message, link: meant.link, expires });
        else await alerts.withdraw(id);
      }
    } catch (error) {
      report('the feed of releases could not be read', error);
    }
  }
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return { check, dispose: () => clearInterval(timer) };
}

async function read(place: string, mostBytes: number): Promise<Buffer> {
  if (!/^https?:/.test(place)) {
    const bytes = await readFile(place);
    if (bytes.length > mostBytes) throw new Error(`${place} has more than ${mostBytes} bytes`);
    return bytes;
  }
  const answer = await fetch(place, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`${place} answered ${answer.status}`);
  }
  const bytes = await answerBytes(answer, mostBytes);
  if (bytes === null) throw new Error(`${place} answered more than ${mostBytes} bytes`);
  return bytes;
}

/** Whether a version comes before another; what follows a dash is a trial of that version, and counts as it. */
export function isOlder(one: string, other: string): boolean {
  const numbers = (text: string) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number);
  const [first, second] = [numbers(one), numbers(other)];
  for (const at of [0, 1, 2]) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
