// The second factor of single sessions: which terminals ask for a hardware key now, one after the other.
import { proxy } from 'valtio/vanilla';
import type { Assertion } from '../../contract/mfa.ts';

/** One session's question. */
export interface FactorAsked {
  readonly id: number;
  /** What is being opened: `root@db-3`. */
  readonly title: string;
  /** A moderator is asked whether they are still there, not before the session opens. */
  readonly again: boolean;
  /** The challenge, JSON as the gateway sent it. */
  readonly challenge: string;
}

/** The questions that wait: the first is on screen. */
export function createSessionFactors() {
  const state = proxy<{ asked: readonly FactorAsked[] }>({ asked: [] });
  const settles = new Map<number, { readonly done: (answer: string) => void; readonly fail: (why: Error) => void }>();
  let last = 0;
  /** Its answer is on the way to the session, or wanted no more. */
  function take(id: number) {
    const settle = settles.get(id);
    settles.delete(id);
    state.asked = state.asked.filter(one => one.id !== id);
    return settle;
  }
  return {
    state,
    /** The key's answer as JSON. Rejects with a sentence when nobody gives one; `onGone` says that none is wanted any more. */
    ask: (title: string, challenge: string, onGone: (run: () => void) => void, again = false): Promise<string> =>
      new Promise((done, fail) => {
        last += 1;
        const id = last;
        settles.set(id, { done, fail });
        state.asked = [...state.asked, { id, title, again, challenge }];
        onGone(() => take(id)?.fail(new Error(`The session ${title} waits for its hardware key no longer`)));
      }),
    answer: (id: number, assertion: Assertion): void => take(id)?.done(JSON.stringify(assertion)),
    cancel: (id: number): void => {
      const { title = '', again } = state.asked.find(one => one.id === id) ?? {};
      const what = again ? `You left the session ${title}` : `The session ${title} was not opened`;
      take(id)?.fail(new Error(`${what}: its hardware key was not used`));
    },
  };
}
export type SessionFactors = ReturnType<typeof createSessionFactors>;
