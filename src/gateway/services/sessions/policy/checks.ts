// A check of what is open against the store: again and again, and at once when something is known to have changed.

/** How soon is noticed what another gateway or the command line changed, or time itself. */
const CHECK_EVERY_MS = 1000;

export interface Checks {
  /** Checks now, or once more when a check is under way: it may have looked before the change. */
  now(): void;
  dispose(): void;
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
