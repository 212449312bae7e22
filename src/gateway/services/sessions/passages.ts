// What lasts and is no session of its own, such as watches of a cluster: held here while it does, so that policy can end it.
import { Failure } from '../../../contract/failure.ts';
import type { Passage } from '../../ports/sessions.ts';

/** At once, of one person. */
const PASSAGES_MOST = 500;

export interface Passages {
  /** The answer takes it out again. Throws Failure limited where a person has too many. */
  enter(passage: Passage): () => void;
  list(): readonly Passage[];
  /** Ends all. */
  close(why: string): void;
}

export function createPassages(): Passages {
  const open = new Set<Passage>();
  const counts = new Map<string, number>();
  return {
    enter(passage) {
      const { userId } = passage.who;
      const others = counts.get(userId) ?? 0;
      if (others >= PASSAGES_MOST)
        throw new Failure('limited', `You have ${others} requests under way: end one first.`);
      open.add(passage);
      counts.set(userId, others + 1);
      return () => {
        if (!open.delete(passage)) return;
        const left = (counts.get(userId) ?? 1) - 1;
        if (left > 0) counts.set(userId, left);
        else counts.delete(userId);
      };
    },
    list: () => [...open],
    close(why) {
      for (const passage of open) passage.end(why);
    },
  };
}
