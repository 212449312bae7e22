// What people click, counted by the day: never who, never more than the name of the click and what it was about. It stays here unless an address is set.
import * as z from 'zod/mini';
import {
  callsToAction,
  captureEvents,
  discoverEvents,
  discovery,
  enrolment,
  precaptureEvents,
} from '../../../contract/capture.ts';
import type { Telemetry } from '../../../contract/telemetry.ts';
import type { NewResource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;
const SAVE_EVERY_MS = 10_000;
const SEND_EVERY_MS = 3_600_000;
const ANSWER_MS = 30_000;
/** Different clicks that are counted on one day; a client that makes up more is counted under none of them. */
const DIFFERENT_MOST = 200;

/** Clicks that the console tells of; other clients may tell of more that signed-in people click. */
const early: ReadonlySet<string> = new Set(Object.values(precaptureEvents));
const discovering: ReadonlySet<string> = new Set(Object.values(discoverEvents));
const features = new Map<unknown, string>(Object.entries(callsToAction).map(([name, number]) => [number, name]));

const rowSpec = z.object({
  counts: z.array(z.object({ event: z.string(), about: z.string(), count: z.number() })),
  sent: z.boolean(),
});
type RowSpec = z.infer<typeof rowSpec>;

export interface TelemetryParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'put'>;
  readonly gatewayId: string;
  readonly clusterName: string;
  /** Null: nothing is sent. */
  readonly sendTo: string | null;
  readonly clock: () => Date;
  readonly report: (problem: string, error: unknown) => void;
}
export interface TelemetryCounts {
  /** Somebody signed in clicked it. Does not wait for anything. */
  clicked(event: string, alert: string | null | undefined, data: unknown): void;
  /** Somebody who is not signed in did: only what the console itself tells counts, since anybody can say anything. */
  clickedEarly(event: string): void;
  shown(): Promise<Telemetry>;
  /** Keeps what was counted, and sends days that are over. */
  save(): Promise<void>;
  close(): Promise<void>;
}

/** You must close it. */
export function openTelemetry(parts: TelemetryParts): TelemetryCounts {
  const { resources, gatewayId, clusterName, sendTo, clock, report } = parts;
  const counts = new Map<string, { day: string; event: string; about: string; count: number }>();
  let saving: Promise<void> = Promise.resolve();
  let sentAt = 0;
  const today = (): string => clock().toISOString().slice(0, 10);
  const nameOf = (day: string): string => `${day}-${gatewayId}`;

  function count(event: string, about: string): void {
    const day = today();
    const key = `${day} ${event} ${about}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else if (counts.size < DIFFERENT_MOST) counts.set(key, { day, event, about, count: 1 });
  }
  const rowOf = (day: string, spec: RowSpec): NewResource => ({
    kind: 'telemetry',
    name: nameOf(day),
    title: day,
    ...{ description: '', address: '', subtype: '', labels: {}, words: [] },
    spec,
    expires: new Date(Date.parse(day) + KEPT_DAYS * DAY_MS),
  });
  async function keep(): Promise<void> {
    const taken = [...counts.values()];
    if (taken.length === 0) return;
    counts.clear();
    try {
      for (const day of new Set(taken.map(one => one.day))) {
        const before = readRow((await resources.get('telemetry', nameOf(day)))?.spec);
        const merged = new Map(before.counts.map(one => [`${one.event} ${one.about}`, { ...one }]));
        for (const { event, about, count } of taken.filter(one => one.day === day)) {
          const known = merged.get(`${event} ${about}`);
          if (known) known.count += count;
          else if (merged.size < DIFFERENT_MOST) merged.set(`${event} ${about}`, { event, about, count });
        }
        await resources.put(rowOf(day, { counts: [...merged.values()], sent: false }));
      }
    } catch (error) {
      // They count again with the next attempt.
      for (const one of taken) {
        const key = `${one.day} ${one.event} ${one.about}`;
        const newer = counts.get(key);
        counts.set(key, newer ? { ...one, count: one.count + newer.count } : one);
      }
      throw error;
    }
  }
  /** Every row that is kept, of all gateways. */
  const rows = async (): Promise<readonly { readonly name: string; readonly day: string; readonly spec: RowSpec }[]> =>
    (await allOf(resources, 'telemetry')).map(({ name, title, spec }) => ({ name, day: title, spec: readRow(spec) }));
  async function send(): Promise<void> {
    if (sendTo === null || clock().getTime() - sentAt < SEND_EVERY_MS) return;
    sentAt = clock().getTime();
    const due = (await rows()).filter(({ name, day, spec }) => name === nameOf(day) && day < today() && !spec.sent);
    for (const { day, spec } of due) {
      const answer = await fetch(sendTo, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ cluster: clusterName, day, events: spec.counts }),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      await resources.put(rowOf(day, { ...spec, sent: true }));
    }
  }
  function save(): Promise<void> {
    saving = saving
      .then(keep)
      .then(send)
      .catch((error: unknown) => report('what was counted of clicks could not be kept or sent', error));
    return saving;
  }
  const timer = setInterval(() => void save(), SAVE_EVERY_MS).unref();
  return {
    clicked(event, alert, data) {
      count(event, aboutOf(event, data) ?? alert ?? '');
    },
    clickedEarly(event) {
      if (early.has(event)) count(event, '');
    },
    async shown() {
      await save();
      const all = new Map<string, Telemetry['events'][number]>();
      for (const { day, spec } of await rows())
        for (const { event, about, count } of spec.counts) {
          const known = all.get(`${event} ${about}`);
          const last = known && known.last > day ? known.last : day;
          all.set(`${event} ${about}`, { event, about, count: (known?.count ?? 0) + count, last });
        }
      const events = [...all.values()].sort(
        (one, other) => other.count - one.count || (one.event < other.event ? -1 : 1),
      );
      return { days: KEPT_DAYS, events, sentTo: sendTo };
    },
    save,
    async close() {
      clearInterval(timer);
      await save();
    },
  };
}

/** What a click was about, where that is one of a few things. */
function aboutOf(event: string, data: unknown): string | undefined {
  if (event === captureEvents.callToAction) return features.get(data);
  if (discovering.has(event)) {
    const { data: step } = z.safeParse(discovery, data);
    return step && `${step.resource} ${step.stepStatus}`.replaceAll(/DISCOVER_(RESOURCE|STATUS)_/g, '');
  }
  if (event !== captureEvents.enrollStart && event !== captureEvents.enrollComplete) return undefined;
  const read = z.safeParse(enrolment, data);
  return read.success ? read.data.kind.replace('INTEGRATION_ENROLL_KIND_', '') : undefined;
}

function readRow(spec: unknown): RowSpec {
  const read = z.safeParse(rowSpec, spec);
  return read.success ? read.data : { counts: [], sent: false };
}
