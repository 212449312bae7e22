import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { withContext } from './kubernetes.ts';

const entries = { cluster: { server: 'https://a/v1/clusters/prod' }, user: { exec: {} }, context: { cluster: 'prod' } };

test('a context is made, and what else a kubeconfig holds stays as it is', () => {
  const made = withContext('', 'prod', entries);
  expect(parse(made)).toEqual({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'prod' },
    clusters: [{ name: 'prod', cluster: entries.cluster }],
    users: [{ name: 'prod', user: { exec: {} } }],
    contexts: [{ name: 'prod', context: entries.context }],
  });
  const mine = `# mine\nkind: Config\ncontexts:\n- name: home # here\n  context: {cluster: home}\n- name: prod\n  context: {cluster: old}\nclusters: null\n`;
  const both = withContext(mine, 'prod', entries);
  expect(both).toContain('# mine');
  expect(both).toContain('# here');
  expect(parse(both).contexts).toEqual([
    { name: 'home', context: { cluster: 'home' } },
    { name: 'prod', context: { cluster: 'prod' } },
  ]);
  expect(withContext(made, 'prod', entries)).toBe(made);
});

test('what is no YAML is left alone', () => {
  expect(() => withContext('a: [', 'prod', entries)).toThrow('the kubeconfig is no YAML');
});
