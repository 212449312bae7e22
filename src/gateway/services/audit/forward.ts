/**
 * Forwards the audit log, chain by chain and in order, to receivers outside. Events wait in the store, not in memory: a receiver that is slow
 * or away delays nobody, and gets everything once it is back, a new one the whole log. How far each has come is kept in the store, so that a
 * restart goes on there. Of several gateways on one store one sends at a time, and another takes over when it is gone.
 */
import * as z from 'zod/mini';
import type { ChainedEvent, Events, Settings } from '../../store/store.ts';
import type { Receiver } from './receivers.ts';

/** Events that go together. */
const TOGETHER_MOST = 100;
/** How often the log is asked for something new, ms. */
const LOOK_EVERY_MS = 1000;
/** Whoever began to send has the turn for this long; more than one delivery takes, ms. */
const TURN_MS = 30_000;

/** Whose turn it is, until when (ms of the epoch), and the position up to which each chain was taken. */
const progress = z.object({ by: z.string(), until: z.number(), positions: z.record(z.string(), z.number()) });

export interface ForwardParts {
  readonly events: Pick<Events, 'heads' | 'after'>;
  readonly settings: Pick<Settings, 'get' | 'replace'>;
  /** Of several gateways, this one. */
  readonly gatewayId: string;
  readonly clock: () => Date;
}

/** Who is forwarded to. */
interface Forwarded extends Pick<Receiver, 'deliver'> {
  /** Its place is kept under this name. */
  readonly name: string;
  /** Where it begins, by chain; else with the first event. */
  readonly begin?: Readonly<Record<string, number>>;
  /** Of a receiver that does not want all: what it does want is delivered one by one, so that after a failure no other comes twice. */
  wants?(event: ChainedEvent): boolean;
}

/** What is to be done for one receiver again and again: answers after how long, ms. Rejects as the receiver does. */
export const forwarding = (parts: ForwardParts, receiver: Forwarded) => async (): Promise<number> =>
  (await forwardSome(parts, receiver)) ? 0 : LOOK_EVERY_MS;

/** Sends what comes next. Answers whether there may be more at once; rejects as the receiver does. */
async function forwardSome(
  { events, settings, gatewayId, clock }: ForwardParts,
  receiver: Forwarded,
): Promise<boolean> {
  const key = `audit.forwarded.${receiver.name}`;
  const held = await settings.get(key);
  const known = z.safeParse(progress, held).data;
  const now = clock().getTime();
  if (known && known.by !== gatewayId && known.until > now) return false;
  const positions = known?.positions ?? { ...receiver.begin };
  for (const { chain, length } of await events.heads()) {
    const position = positions[chain] ?? 0;
    if (length <= position) continue;
    const all = await events.after(chain, position, TOGETHER_MOST);
    const wanted = receiver.wants === undefined ? -1 : all.findIndex(event => receiver.wants?.(event));
    // Up to the one that is wanted: with that one alone.
    const passed = wanted === -1 ? all : all.slice(0, wanted + 1);
    const some = receiver.wants === undefined ? all : wanted === -1 ? [] : passed.slice(-1);
    const turn = { by: gatewayId, until: now + TURN_MS, positions };
    // Another gateway was quicker.
    if (!(await settings.replace(key, held, turn))) return false;
    if (some.length > 0) await receiver.deliver(some);
    // Where rows were taken out of the log, what is missing cannot be sent, and the check of the chain says so.
    const taken = passed.at(-1)?.position ?? length;
    return await settings.replace(key, turn, { ...turn, positions: { ...positions, [chain]: taken } });
  }
  return false;
}
