// Tries again what must be written in the end: the disk that was full may have room soon.

/** Waits between tries: the first, and the longest, ms. Each is twice the one before. */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

export interface Retries {
  /**
   * Calls `attempt` with the number of tries before, until one resolves: true. False when `close` was called meanwhile and the last try
   * failed too. Each first failure is reported as `what`.
   */
  until(what: string, attempt: (failures: number) => Promise<void>): Promise<boolean>;
  /** From now on nothing waits: what is waiting is tried once more, and then given up. */
  close(): void;
}

export function createRetries(report: (problem: string, error: unknown) => void): Retries {
  let closed = false;
  const waiting = new Set<() => void>();

  const wait = (ms: number): Promise<void> =>
    new Promise(done => {
      const go = (): void => {
        clearTimeout(timer);
        waiting.delete(go);
        done();
      };
      const timer = setTimeout(go, ms).unref();
      waiting.add(go);
    });
  return {
    async until(what, attempt) {
      for (let failures = 0; ; failures += 1) {
        const last = closed;
        try {
          await attempt(failures);
          return true;
        } catch (error) {
          if (failures === 0) report(`${what} could not be written yet`, error);
          if (last) return false;
        }
        if (!closed) await wait(Math.min(LONGEST_MS, FIRST_MS * 2 ** failures));
      }
    },
    close() {
      closed = true;
      for (const go of [...waiting]) go();
    },
  };
}
