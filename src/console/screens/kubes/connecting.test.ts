import { expect, test } from 'vitest';
import { commandLines } from './connecting.ts';

const ORIGIN = 'https://console.example.com';
const lines = (name: string, user: string, group: string): readonly string[] =>
  commandLines(name, { user, group }, ORIGIN, ['--user', 'ann']).map(({ text }) => text);

test('a cluster is logged in to by its name, and looked into as whom was chosen, from the command line on', () => {
  expect(lines('production', 'ann', 'system:masters')).toEqual([
    'curl -fsSL https://console.example.com/scripts/postern.sh | sh',
    'irm https://console.example.com/scripts/postern.ps1 | iex',
    'postern sign-in --url https://console.example.com --user ann',
    'postern kube login production',
    'kubectl get pods --as=ann --as-group=system:masters',
  ]);
  // kubectl refuses a group without a user.
  for (const group of ['', 'viewers']) expect(lines('production', '', group).at(-1)).toBe('kubectl get pods');
});

test('no name can run anything', () => {
  expect(lines("../it's $(reboot)", '`x`', '').slice(-2)).toEqual([
    "postern kube login '../it'\\''s $(reboot)'",
    "kubectl get pods '--as=`x`'",
  ]);
});
