import { expect, test } from 'vitest';
import { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import { createAnswers } from './answers.ts';
import { createPagedList } from './paged-list.ts';

const page = (...items: readonly number[]): Page<number> => ({ items, startKey: '', totalCount: items.length });
/** An answer that comes when it is told to. */
function waiting<Answer>() {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  return { ask: () => promise, answer: resolve, fail: reject };
}

test('a list that is opened again shows its last rows at once while it asks anew', async () => {
  const answers = createAnswers();
  const answered = answers.of<Page<number>>('nodes');
  await createPagedList(async () => page(1, 2), answered).load({ search: 'a' });
  const later = waiting<Page<number>>();
  const { state, load } = createPagedList(later.ask, answered);
  const loading = load({ search: 'a' });
  expect([state.status, state.rows, state.total]).toEqual(['processing', [1, 2], 2]);
  later.answer(page(1, 2, 3));
  await loading;
  expect([state.status, state.rows]).toEqual(['success', [1, 2, 3]]);
});

test('another question, another list and a change know nothing', async () => {
  const answers = createAnswers();
  await createPagedList(async () => page(1, 2), answers.of('nodes')).load({ search: 'a' });
  const shownAtOnce = (list: string, search: string): readonly number[] => {
    const { state, load } = createPagedList(() => waiting<Page<number>>().ask(), answers.of<Page<number>>(list));
    void load({ search });
    return state.rows;
  };
  expect([shownAtOnce('nodes', 'a'), shownAtOnce('nodes', 'b'), shownAtOnce('apps', 'a')]).toEqual([[1, 2], [], []]);
  answers.forget();
  expect(shownAtOnce('nodes', 'a')).toEqual([]);
});

test('rows of the last time stay when the gateway does not answer', async () => {
  const answered = createAnswers().of<Page<number>>('nodes');
  await createPagedList(async () => page(1), answered).load({});
  const { state, load } = createPagedList<number>(() => Promise.reject(new ApiError('network')), answered);
  await load({});
  expect([state.status, state.rows, state.error?.code]).toEqual(['failed', [1], 'network']);
});

test('few answers are kept: the one not used for longest goes first', () => {
  const answered = createAnswers().of<number>('nodes');
  for (let question = 0; question < 40; question++) answered.keep(String(question), question);
  expect(answered.read('0')).toBe(0);
  answered.keep('40', 40);
  expect([answered.read('0'), answered.read('1'), answered.read('40')]).toEqual([0, undefined, 40]);
});
