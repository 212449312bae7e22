import { expect, test } from 'vitest';
import { foundBeside } from './found.ts';

const found = (sid: string, ms: number) => ({
  event: { event: 'session.end', code: 'T2004I', time: '', uid: sid, sid },
  places: [{ ms, line: '' }],
});
const pages: Record<string, { recordings: ReturnType<typeof found>[]; startKey: string }> = {
  '': { recordings: [found('a', 1), found('b', 2)], startKey: 'behind b' },
  'behind b': { recordings: [found('c', 3)], startKey: '' },
};
const beside = (sid: string, by: 1 | -1) =>
  foundBeside(async startKey => pages[startKey ?? ''] ?? { recordings: [], startKey: '' }, sid, by);

test.each([
  ['a', 1, 'b', 2],
  ['b', 1, 'c', 3],
  ['c', -1, 'b', 2],
] as const)('from %s by %s is %s', async (sid, by, id, ms) => {
  expect(await beside(sid, by)).toMatchObject({ id, ms, recording: { type: 'ssh' } });
});

test('there is nothing before the first and behind the last, nor beside what is not found', async () => {
  expect([await beside('a', -1), await beside('c', 1), await beside('x', 1)]).toEqual([null, null, null]);
});
