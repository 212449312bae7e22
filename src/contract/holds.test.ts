import { expect, test } from 'vitest';
import { isHeldBy } from './holds.ts';

test('a hold on a label is on all of its value, and on what nobody knows the labels of', () => {
  const of = (labels: Readonly<Record<string, string>> | null) =>
    isHeldBy({ label: 'query=a=b' }, { sid: 's', users: ['alice'], host: 'db-3', labels });
  expect([of({ query: 'a=b' }), of({ query: 'a' }), of({}), of(null)]).toEqual([true, false, false, true]);
});
