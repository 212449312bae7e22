import { expect, test } from 'vitest';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';

test('a set has three codes of eight words, no two alike', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(3);
  for (const code of codes) expect(code).toMatch(/^postern(-[a-z]+){8}$/);
});

test('a code is found however it is typed', () => {
  const code = 'postern-one-two-three-four-five-six-seven-eight';
  const typed = [code, ` ${code.toUpperCase()} `, code.slice(8).replaceAll('-', ' '), code.replaceAll('-', '_')];
  expect(new Set(typed.map(recoveryHash)).size).toBe(1);
  expect(recoveryHash('postern-one')).not.toBe(recoveryHash(code));
});
