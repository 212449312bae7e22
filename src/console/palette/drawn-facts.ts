// The facts as buttons and rows are drawn by them.
import type { Facts } from '../../../commands/command.ts';

interface FactsPorts {
  readonly facts: () => Facts;
  readonly onFacts: (listener: () => void) => () => void;
}

/** The facts for whatever draws them: read once for all that is drawn in one turn, and heard of by one for all. A list has several in each row. */
export function shareFacts({ facts, onFacts }: FactsPorts) {
  const listeners = new Set<() => void>();
  let read: Facts | null = null;
  let stop = (): void => {};
  const changed = (): void => {
    read = null;
    for (const listener of [...listeners]) listener();
  };
  return {
    facts(): Facts {
      if (read !== null) return read;
      read = facts();
      // What changes them is told later in this turn, and draws anew what was drawn by these.
      queueMicrotask(() => {
        read = null;
      });
      return read;
    },
    on(listener: () => void): () => void {
      if (listeners.size === 0) stop = onFacts(changed);
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
  };
}
