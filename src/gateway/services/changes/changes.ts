// The one event bus of the gateway: the services of the nouns tell what they stored, and whoever depends on it judges anew.
import type { Change, Changes } from '../../ports/changes.ts';

/**
 * Listeners are called in the order they subscribed, before `emit` returns. One that throws, or whose promise rejects, is reported and
 * never keeps a change from the others or from whoever told it.
 */
export function createChanges(report: (problem: string, error: unknown) => void): Changes {
  const listeners = new Set<(change: Change) => unknown>();
  const failed = (change: Change, error: unknown): void =>
    report(`a listener failed over the change "${change.kind}"`, error);

  return {
    emit(change) {
      for (const listener of [...listeners]) {
        try {
          const answer = listener(change);
          if (answer instanceof Promise) answer.catch((error: unknown) => failed(change, error));
        } catch (error) {
          failed(change, error);
        }
      }
    },
    subscribe(listener) {
      // A wrapper of its own: the same function may subscribe twice, and each subscription ends by itself.
      const own = (change: Change): unknown => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
