// A check of what is open against the store: again and again, and at once when something is known to have changed.
import { setImmediate as turn } from 'node:timers/promises';

/** How soon is noticed what another gateway or the command line changed, or time itself. */
const CHECK_EVERY_MS = 1000;

export interface Checks {
  /** Checks now, or once more when a check is under way: it may have looked before the change. */
  now(): void;
  dispose(): void;
}

/** How long judging one thing after the other may keep a key that was pressed meanwhile from being answered, ms. */
const SLICE_MS = 3;

/**
 * Judges each, one after the other, and lets go first what has come meanwhile: with a thousand sessions and nothing to wait for, they
 * would be one turn of the loop, and everybody's keys would wait it out, once a second.
 */
export async function inSlices<Thing>(things: Iterable<Thing>, judge: (thing: Thing) => Promise<void>): Promise<void> {
  let since = performance.now();
  for (const thing of things) {
    if (performance.now() - since > SLICE_MS) {
      await turn();
      since = performance.now();
    }
    await judge(thing);
  }
}

/** One check at a time. `failed` hears of one that could not be made; what is open stays so until the next. */
export function openChecks(check: () => Promise<void>, failed: (error: unknown) => void): Checks {
  let checking = false;
  let again = false;

  async function run(): Promise<void> {
    if (checking) {
      again = true;
      return;
    }
    checking = true;
    try {
      do {
        again = false;
        await check();
      } while (again);
    } catch (error) {
      failed(error);
    } finally {
      checking = false;
    }
  }

  const timer = setInterval(() => void run(), CHECK_EVERY_MS);
  timer.unref();
  return { now: () => void run(), dispose: () => clearInterval(timer) };
}
