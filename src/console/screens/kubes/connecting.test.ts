import { expect, test } from 'vitest';
import { commandLines } from './connecting.ts';

test('a cluster is selected by its name, and looked into as whom was chosen', () => {
  expect(commandLines('production', { user: 'ann', group: 'system:masters' })).toEqual({
    kubeconfig: 'export KUBECONFIG=~/.kube/production',
    select: 'kubectl config use-context production',
    example: 'kubectl get pods --as=ann --as-group=system:masters',
  });
  // kubectl refuses a group without a user.
  for (const group of ['', 'viewers'])
    expect(commandLines('production', { user: '', group }).example).toBe('kubectl get pods');
});

test('no name can run anything, or write elsewhere', () => {
  const lines = commandLines("../it's $(reboot)", { user: '`x`', group: '' });
  expect(lines).toEqual({
    kubeconfig: 'export KUBECONFIG=~/.kube/..-it-s---reboot-',
    select: "kubectl config use-context '../it'\\''s $(reboot)'",
    example: "kubectl get pods '--as=`x`'",
  });
});
