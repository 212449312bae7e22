import { expect, test } from 'vitest';
import { begin, isMidway, turned, type Walk } from './guide.ts';

type Step = 'join' | 'logins' | 'test' | 'finish';
const start = begin<Step>(['join', 'logins', 'test', 'finish']);

test('a guide that begins in its middle has skipped what is ahead', () => {
  expect(begin<Step>(start.steps as [Step, ...Step[]], 'test')).toMatchObject({
    at: 'test',
    ends: { join: 'skipped', logins: 'skipped' },
  });
});
const walk = (...turns: readonly Parameters<typeof turned>[1][]): Walk<Step> => turns.reduce<Walk<Step>>(turned, start);

test('steps follow each other, and each says how it has ended', () =>
  expect(walk('next', 'skip', 'next')).toEqual({
    steps: start.steps,
    at: 'finish',
    ends: { join: 'success', logins: 'skipped', test: 'success' },
  }));

test('going back takes back how the step ended', () =>
  expect(walk('next', 'next', 'back')).toEqual({ steps: start.steps, at: 'logins', ends: { join: 'success' } }));

test('nothing is before the first step nor after the last', () => {
  expect(walk('back')).toEqual(start);
  expect(walk('next', 'next', 'next', 'next').at).toBe('finish');
});

test('leaving asks between the first step, once something was begun, and the last', () =>
  expect([
    isMidway(start, false),
    isMidway(start, true),
    isMidway(walk('next'), false),
    isMidway(walk('next', 'next', 'next'), true),
  ]).toEqual([false, true, true, false]));
