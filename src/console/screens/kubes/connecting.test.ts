import { expect, test } from 'vitest';
import { commandLines } from './connecting.ts';

const signIn = ['https://console.example.com', '--user', 'ann'];

test('a cluster is logged in to by its name, and looked into as whom was chosen', () => {
  expect(commandLines('production', { user: 'ann', group: 'system:masters' }, signIn)).toEqual({
    signIn: 'postern sign-in https://console.example.com --user ann',
    login: 'postern kube login production',
    example: 'kubectl get pods --as=ann --as-group=system:masters',
  });
  // kubectl refuses a group without a user.
  for (const group of ['', 'viewers'])
    expect(commandLines('production', { user: '', group }, signIn).example).toBe('kubectl get pods');
});

test('no name can run anything', () => {
  const lines = commandLines("../it's $(reboot)", { user: '`x`', group: '' }, signIn);
  expect(lines.login).toBe("postern kube login '../it'\\''s $(reboot)'");
  expect(lines.example).toBe("kubectl get pods '--as=`x`'");
});
