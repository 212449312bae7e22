import { expect, test } from 'vitest';
import { containerAddress, readContainerAddress } from './container-address.ts';
import { promptAddress, readPromptAddress } from './prompt-address.ts';

test('a container is found again by its address, whatever its cluster is called', () => {
  for (const cluster of ['prod', 'eu/1', '100 %', 'kube'])
    for (const container of ['', 'main']) {
      const where = { cluster, namespace: 'shop', pod: 'web-0', container };
      expect(readContainerAddress(containerAddress(where))).toEqual(where);
    }
});

test('what names something else, or nothing, is no container', () => {
  for (const text of ['', 'kube', 'kube/a/b/c', 'kube//b/c/d', 'kube/a//c/', 'kube/a/b/c/d/e', 'kube/%/b/c/d', 'host'])
    expect(readContainerAddress(text)).toBeNull();
  expect(readContainerAddress(promptAddress({ database: 'a', dbName: 'b' }))).toBeNull();
  expect(readPromptAddress(containerAddress({ cluster: 'a', namespace: 'b', pod: 'c', container: '' }))).toBeNull();
});
