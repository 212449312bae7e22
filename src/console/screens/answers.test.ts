import { expect, test } from 'vitest';
import { ApiError } from '../../contract/failure.ts';
import type { Page } from '../../contract/shapes.ts';
import { createAnswers } from './answers.ts';
import { createPager } from './pager.ts';
import { createScrolled } from './scrolled.ts';
import { createWhole } from './whole.ts';

const page = (...items: readonly number[]): Page<number> => ({ items, startKey: '', totalCount: items.length });
/** An answer that comes when it is told to. */
function waiting<Answer>() {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  return { ask: () => promise, answer: resolve, fail: reject };
}

test('a list that is opened again shows its last rows at once while it asks anew', async () => {
  const answers = createAnswers();
  const answered = answers.of<Page<number>>('nodes');
  await createPager(async () => page(1, 2), 15, answered).load({ search: 'a' });
  const later = waiting<Page<number>>();
  const { state, load } = createPager(later.ask, 15, answered);
  const loading = load({ search: 'a' });
  expect([state.status, state.rows, state.total]).toEqual(['processing', [1, 2], 2]);
  later.answer(page(1, 2, 3));
  await loading;
  expect([state.status, state.rows]).toEqual(['success', [1, 2, 3]]);
});

test('another question, another list and a change know nothing', async () => {
  const answers = createAnswers();
  await createPager(async () => page(1, 2), 15, answers.of('nodes')).load({ search: 'a' });
  const shownAtOnce = (list: string, search: string): readonly number[] => {
    const { state, load } = createPager(() => waiting<Page<number>>().ask(), 15, answers.of<Page<number>>(list));
    void load({ search });
    return state.rows;
  };
  expect([shownAtOnce('nodes', 'a'), shownAtOnce('nodes', 'b'), shownAtOnce('apps', 'a')]).toEqual([[1, 2], [], []]);
  answers.forget();
  expect(shownAtOnce('nodes', 'a')).toEqual([]);
});

test('rows of the last time stay when the gateway does not answer', async () => {
  const answered = createAnswers().of<Page<number>>('nodes');
  await createPager(async () => page(1), 15, answered).load({});
  const { state, load } = createPager<number>(() => Promise.reject(new ApiError('network')), 15, answered);
  await load({});
  expect([state.status, state.rows, state.error?.code]).toEqual(['failed', [1], 'network']);
});

test('lists that come whole and lists that are scrolled show their last rows too', async () => {
  const answers = createAnswers();
  await createWhole(async () => [1, 2], answers.of('users')).load();
  const whole = createWhole(() => waiting<readonly number[]>().ask(), answers.of<readonly number[]>('users'));
  void whole.load();
  expect(whole.state.rows).toEqual([1, 2]);
  await createScrolled(async () => page(3), answers.of('nodes')).load({});
  const scrolled = createScrolled(() => waiting<Page<number>>().ask(), answers.of<Page<number>>('nodes'));
  void scrolled.load({});
  expect([scrolled.state.rows, scrolled.state.total]).toEqual([[3], 1]);
});

test('few answers are kept: the one not used for longest goes first', () => {
  const answered = createAnswers().of<number>('nodes');
  for (let question = 0; question < 40; question++) answered.keep(String(question), question);
  expect(answered.read('0')).toBe(0);
  answered.keep('40', 40);
  expect([answered.read('0'), answered.read('1'), answered.read('40')]).toEqual([0, undefined, 40]);
});
