import { expect, test } from 'vitest';
import { createPromptHistory } from './history.ts';

test('a statement that cannot be kept is told of, and the next one is kept', async () => {
  const kept = new Map<string, unknown>();
  let isFull = true;
  const settings = {
    get: async (name: string) => kept.get(name),
    async put(name: string, value: unknown) {
      if (isFull) throw new Error('the disk is full');
      kept.set(name, value);
    },
  };
  const secrets = { seal: async (text: string) => text, open: (sealed: string) => sealed };
  const history = createPromptHistory({ settings, secrets }, { userId: 'ann', database: 'orders' });
  await expect(history.add('select 1')).rejects.toThrow('full');
  isFull = false;
  await history.add('select 2');
  expect(await history.load()).toEqual(['select 2']);
});
