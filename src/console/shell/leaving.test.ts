import { expect, test } from 'vitest';
import { createLeaving } from './leaving.ts';

function begin(answers: boolean[]) {
  const leaving = createLeaving();
  const asked: string[] = [];
  const went: string[] = [];
  leaving.askWith(async text => {
    asked.push(text);
    return answers.shift() ?? false;
  });
  const go = async (path: string) => {
    leaving.pass(() => went.push(path));
    await Promise.resolve();
  };
  return { leaving, asked, went, go };
}

// Rule 2.1: a prompt blocks navigation until confirmed
test('a route-change prompt can block navigation until confirmed', async () => {
  const { leaving, asked, went, go } = begin([false, true]);
  leaving.guard('unsaved');
  await go('/a');
  expect([asked, went]).toEqual([['unsaved'], []]);
  await go('/b');
  expect([asked, went]).toEqual([['unsaved', 'unsaved'], ['/b']]);
  // What was given up is not asked about again.
  await go('/c');
  expect([asked.length, went]).toEqual([2, ['/b', '/c']]);
});

test('without a guard, and after it was taken down, nobody is asked', async () => {
  const { leaving, asked, went, go } = begin([]);
  await go('/a');
  leaving.guard('unsaved')();
  await go('/b');
  expect([asked, went, leaving.isGuarded()]).toEqual([[], ['/a', '/b'], false]);
});

test('two guards stand until both are down; the newest one speaks', async () => {
  const { leaving, asked, went, go } = begin([false]);
  leaving.guard('form');
  const dialogDown = leaving.guard('dialog');
  await go('/a');
  dialogDown();
  await go('/b');
  expect([asked, went]).toEqual([['dialog', 'form'], []]);
});

test('a session that is over asks nothing', async () => {
  const { leaving, asked, went, go } = begin([]);
  leaving.guard('unsaved');
  leaving.giveUp();
  await go('/login');
  expect([asked, went]).toEqual([[], ['/login']]);
});
