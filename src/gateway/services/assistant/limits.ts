// How much one person may ask: so many questions in a minute, and so many at once. By gateway.
import { Failure } from '../../../contract/failure.ts';

/** Answers to one person that are given at once. */
const AT_ONCE_MOST = 3;

export interface Limits {
  /** Takes a question of this person; the answer gives the place back. Throws Failure limited. */
  take(userId: string): () => void;
}

export function createLimits(perMinute: number, clock: () => Date): Limits {
  const asked = new Map<string, { readonly left: number; readonly at: number }>();
  const running = new Map<string, number>();
  return {
    take(userId) {
      const now = clock().getTime();
      const before = asked.get(userId) ?? { left: perMinute, at: now };
      const left = Math.min(perMinute, before.left + (Math.max(0, now - before.at) / 60_000) * perMinute);
      if (left < 1) {
        const seconds = Math.ceil(((1 - left) / perMinute) * 60);
        throw new Failure('limited', `you have asked ${perMinute} questions in a minute: go on in ${seconds} s`);
      }
      const others = running.get(userId) ?? 0;
      if (others >= AT_ONCE_MOST)
        throw new Failure('limited', `${AT_ONCE_MOST} answers are being given to you: wait for one, or stop it`);
      // Whoever has their full measure again need not be remembered.
      for (const [one, { left: kept, at }] of asked)
        if (kept + ((now - at) / 60_000) * perMinute >= perMinute) asked.delete(one);
      asked.set(userId, { left: left - 1, at: now });
      running.set(userId, others + 1);
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        const still = (running.get(userId) ?? 1) - 1;
        if (still > 0) running.set(userId, still);
        else running.delete(userId);
      };
    },
  };
}
