// A bucket of calls per client address: what anyone may call without signing in is limited.
// Not @fastify/rate-limit 11: at the edge of its fixed window a limit of 40 let 79 calls through, and the log, which has no route, needs the same bound.
import { networkOf } from '../services/network-of.ts';

/** Addresses remembered at once; a full bucket need not be remembered, so the oldest are the least interesting. */
const ADDRESSES_MOST = 20_000;

export interface RateLimit {
  /** Takes one call. Answers 0, or after how many seconds the next one is free. Peers that are gone already share one bucket. */
  take(address: string | undefined): number;
}

export function createRateLimit(
  rule: { readonly burst: number; readonly perMinute: number },
  clock: () => Date,
): RateLimit {
  const buckets = new Map<string, { calls: number; at: number }>();
  return {
    take(address) {
      const key = address === undefined ? '' : networkOf(address);
      const now = clock().getTime();
      const before = buckets.get(key) ?? { calls: rule.burst, at: now };
      const refilled = Math.min(rule.burst, before.calls + ((now - before.at) / 60_000) * rule.perMinute);
      const free = refilled >= 1;
      // Set anew, so that the map's order is the order of last use.
      buckets.delete(key);
      buckets.set(key, { calls: free ? refilled - 1 : refilled, at: now });
      if (buckets.size > ADDRESSES_MOST) {
        const oldest = buckets.keys().next().value;
        if (oldest !== undefined) buckets.delete(oldest);
      }
      return free ? 0 : Math.ceil(((1 - refilled) / rule.perMinute) * 60);
    },
  };
}
