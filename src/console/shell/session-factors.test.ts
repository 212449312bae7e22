import { expect, test } from 'vitest';
import type { Assertion } from '../../contract/mfa.ts';
import { createSessionFactors } from './session-factors.ts';

const assertion = { id: 'k' } as Assertion;
const never = (): void => {};

test('sessions ask one after the other, and each hears its own answer', async () => {
  const factors = createSessionFactors();
  const first = factors.ask('root@db-3', '1', never);
  const second = factors.ask('root@db-4', '2', never);
  expect(factors.state.asked.map(({ title, challenge }) => [title, challenge])).toEqual([
    ['root@db-3', '1'],
    ['root@db-4', '2'],
  ]);
  factors.answer(factors.state.asked[0]?.id ?? 0, assertion);
  expect(await first).toBe('{"id":"k"}');
  factors.cancel(factors.state.asked[0]?.id ?? 0);
  await expect(second).rejects.toThrow('The session root@db-4 was not opened: its hardware key was not used');
  expect(factors.state.asked).toEqual([]);
});

test('a moderator who does not show that they are there leaves', async () => {
  const factors = createSessionFactors();
  const asked = factors.ask('root@db-3', '1', never, true);
  factors.cancel(factors.state.asked[0]?.id ?? 0);
  await expect(asked).rejects.toThrow('You left the session root@db-3: its hardware key was not used');
});

test('a question goes with its connection, and what is answered after that goes nowhere', async () => {
  const factors = createSessionFactors();
  let gone = never;
  const asked = factors.ask('root@db-3', '1', run => {
    gone = run;
  });
  const id = factors.state.asked[0]?.id ?? 0;
  gone();
  await expect(asked).rejects.toThrow('waits for its hardware key no longer');
  factors.answer(id, assertion);
  factors.cancel(id);
  expect(factors.state.asked).toEqual([]);
});
