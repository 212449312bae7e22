import { expect, test } from 'vitest';
import { createLimits } from './limits.ts';

test('a person asks so many questions in a minute, and goes on as time goes by; others are not held back', () => {
  let now = 0;
  const limits = createLimits(6, () => new Date(now));
  for (let at = 0; at < 6; at++) limits.take('ann')();
  expect(() => limits.take('ann')).toThrow('you have asked 6 questions in a minute: go on in 10 s');
  limits.take('bob')();
  now = 10_000;
  limits.take('ann')();
  expect(() => limits.take('ann')).toThrow('go on in 10 s');
});

test('three answers at once, and a place that is given back twice is one place', () => {
  const limits = createLimits(100, () => new Date(0));
  const [first] = [limits.take('ann'), limits.take('ann'), limits.take('ann')];
  expect(() => limits.take('ann')).toThrow('3 answers are being given to you');
  first?.();
  first?.();
  limits.take('ann');
  expect(() => limits.take('ann')).toThrow('3 answers');
});
