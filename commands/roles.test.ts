import { expect, test } from 'vitest';
import { previewRole } from '../src/contract/role-preview.ts';
import { deleteRole } from '../src/contract/roles.ts';
import { Cancelled, textChoice } from './answer.ts';
import { commandById } from './index.ts';
import { factsWith, recorder } from './tools.testing.ts';

test('who would lose what is said before a role is deleted', async () => {
  const root = { on: 'server', names: ['root'], titles: ['db-1'], count: 1 };
  const people = [{ user: 'alice', gains: [], losses: [root] }];
  const { tools, made, done } = recorder(({ call }) => (call === previewRole ? { holders: 2, people } : {}), false);
  const ran = commandById('roles.delete')?.run({ role: textChoice('ops') }, factsWith(), tools);
  await expect(ran).rejects.toThrow(Cancelled);
  expect(done.join()).toContain('Delete the role ops?');
  expect(made.map(({ call }) => call)).toEqual([previewRole]);
  const sure = recorder(({ call }) => (call === previewRole ? { holders: 0, people: [] } : {}));
  await commandById('roles.delete')?.run({ role: textChoice('ops') }, factsWith(), sure.tools);
  expect(sure.made.at(-1)).toMatchObject({ call: deleteRole, params: { name: 'ops' } });
});
