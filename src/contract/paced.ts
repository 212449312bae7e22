// Something that may not be done twice within a while, such as changing the size of an RDP desktop.

/**
 * Does it at once, and again no sooner than `apartMs` later: what is asked for meanwhile is done then, once. `after` runs something once after so
 * many milliseconds; its answer cancels that.
 */
export function createPaced(apartMs: number, act: () => void, after: (ms: number, run: () => void) => () => void) {
  let cancel: (() => void) | undefined;
  let isAsked = false;
  function run(): void {
    isAsked = cancel !== undefined;
    if (isAsked) return;
    cancel = after(apartMs, () => {
      cancel = undefined;
      if (isAsked) run();
    });
    act();
  }
  return {
    run,
    /** What is still to be done is not. */
    stop(): void {
      cancel?.();
      cancel = undefined;
      isAsked = false;
    },
  };
}
