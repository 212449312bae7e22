// What just happened, for a few seconds and to screen readers; and the one question that may be open.
import { proxy } from 'valtio/vanilla';
import type { Tools } from '../../../commands/command.ts';

/** Long enough to read two lines aloud. */
const NOTICE_SHOWN_MS = 6000;
const NOTICES_MOST = 4;

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/** A notice that went away by itself: it may not have been seen. */
export interface Missed {
  readonly id: number;
  readonly text: string;
  /** When it was said, ms since 1970. */
  readonly at: number;
}
const MISSED_MOST = 20;

/** Notices and the confirm dialog: data that the frame draws. */
export function createNotices(later: (run: () => void, ms: number) => void = (run, ms) => void setTimeout(run, ms)) {
  const state = proxy<{ notices: { id: number; text: string }[]; missed: Missed[]; question: Question | null }>({
    notices: [],
    missed: [],
    question: null,
  });
  let last = 0;
  let answer: (yes: boolean) => void = () => {};

  const drop = (id: number): void => {
    state.notices = state.notices.filter(notice => notice.id !== id);
  };
  const notify: Tools['notify'] = text => {
    last += 1;
    const id = last;
    state.notices = [...state.notices.filter(notice => notice.text !== text), { id, text }].slice(-NOTICES_MOST);
    const at = Date.now();
    later(() => {
      // Whoever closed it has read it; what went by itself is kept under the bell.
      if (!state.notices.some(notice => notice.id === id)) return;
      drop(id);
      state.missed = [{ id, text, at }, ...state.missed].slice(0, MISSED_MOST);
    }, NOTICE_SHOWN_MS);
  };
  const settle = (yes: boolean): void => {
    state.question = null;
    answer(yes);
    answer = () => {};
  };
  const confirm: Tools['confirm'] = question => {
    // A question that another one overtakes was not answered with yes.
    answer(false);
    state.question = question;
    return new Promise(resolve => {
      answer = resolve;
    });
  };
  /** One that was read, or all of them. */
  const read = (id?: number): void => {
    state.missed = id === undefined ? [] : state.missed.filter(notice => notice.id !== id);
  };
  return { state, notify, drop, read, confirm, settle };
}
export type Notices = ReturnType<typeof createNotices>;
