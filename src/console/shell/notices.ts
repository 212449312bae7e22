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

/** Notices and the confirm dialog: data that the frame draws. */
export function createNotices(later: (run: () => void, ms: number) => void = (run, ms) => void setTimeout(run, ms)) {
  const state = proxy<{ notices: { id: number; text: string }[]; question: Question | null }>({
    notices: [],
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
    later(() => drop(id), NOTICE_SHOWN_MS);
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
  return { state, notify, drop, confirm, settle };
}
export type Notices = ReturnType<typeof createNotices>;
