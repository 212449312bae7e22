// The round trips of one terminal, as the gateway tells them every few seconds: what they are now, usually, and at worst.
import type { Latency } from '../../client/terminal-frames.ts';

/** Round trips kept: five minutes of them. */
const KEPT_MOST = 60;
const BARS = '▁▂▃▄▅▆▇█';

/** Keeps them and says them. */
export function createRoundTrips() {
  const kept: Latency[] = [];
  return {
    add(latency: Latency): void {
      kept.push(latency);
      if (kept.length > KEPT_MOST) kept.shift();
    },
    /** One sentence, with their course as bars; '' before the first. */
    text(): string {
      const all = kept.map(({ ws, ssh }) => ws + ssh);
      const last = kept.at(-1);
      if (last === undefined) return '';
      const sorted = all.toSorted((one, other) => one - other);
      const part = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      const most = Math.max(1, sorted.at(-1) ?? 1);
      const course = all.map(ms => BARS[Math.round((ms / most) * (BARS.length - 1))]).join('');
      return `Round trip ${last.ws + last.ssh} ms (${last.ws} to the gateway, ${last.ssh} on to the server); of the last ${all.length}: median ${part(0.5)} ms, 95th percentile ${part(0.95)} ms ${course}`;
    },
  };
}
