// Connections that have not logged in: how many are held, how many of one address, and which makes room for the next.
/** At once, of everybody. */
const UNPROVEN_MOST = 500;
/** Of one address: others find room however many it opens. */
const OF_ADDRESS_MOST = 400;
/** One that has sent nothing for this long makes room when there is none, ms: a client on its way sends more often. */
const IDLE_MS = 1000;

interface Connecting {
  /** Bytes that have come so far. */
  read(): number;
  cut(): void;
}
interface Held extends Connecting {
  readonly address: string;
  readBefore: number;
  heardAt: number;
}
export interface Unproven {
  /** Takes one more in; null where there is no room for it. Call what it answers once it has logged in, or is over. */
  hold(address: string, connecting: Connecting): (() => void) | null;
}

export function createUnproven(): Unproven {
  /** By address, each the oldest first. */
  const all = new Map<string, Set<Held>>();
  let count = 0;

  function leave(one: Held): void {
    const own = all.get(one.address);
    if (!own?.delete(one)) return;
    count -= 1;
    if (own.size === 0) all.delete(one.address);
  }
  function cut(one: Held): void {
    leave(one);
    one.cut();
  }
  function cutIdle(some: Iterable<Held>): boolean {
    const now = Date.now();
    for (const one of some) {
      const read = one.read();
      if (read !== one.readBefore) {
        one.readBefore = read;
        one.heardAt = now;
      } else if (now - one.heardAt >= IDLE_MS) {
        cut(one);
        return true;
      }
    }
    return false;
  }
  /** Whoever opens more than others makes room for them, and nobody for whoever opens more. */
  function makeRoom(address: string): boolean {
    const own = all.get(address)?.size ?? 0;
    if (own >= OF_ADDRESS_MOST) return cutIdle(all.get(address) ?? []);
    if (count < UNPROVEN_MOST) return true;
    const [largest = new Set<Held>()] = [...all.values()].sort((one, two) => two.size - one.size);
    if (largest.size <= own + 1)
      return cutIdle([...all.values()].filter(({ size }) => size >= own).flatMap(some => [...some]));
    const [oldest] = largest;
    if (!cutIdle(largest) && oldest) cut(oldest);
    return true;
  }
  return {
    hold(address, connecting) {
      if (!makeRoom(address)) return null;
      const one: Held = { ...connecting, address, readBefore: 0, heardAt: Date.now() };
      all.set(address, (all.get(address) ?? new Set()).add(one));
      count += 1;
      return () => leave(one);
    },
  };
}
