import { expect, test } from 'vitest';
import { savedText } from './template.ts';

test('what is kept and not enforced yet is said when a role has been saved', () => {
  expect(savedText({ name: 'ops' })).toBe('The role ops has been saved');
  expect(savedText({ name: 'ops', notes: ['role ops: spec.options.lock is kept, not enforced yet'] })).toBe(
    'The role ops has been saved. role ops: spec.options.lock is kept, not enforced yet',
  );
});
