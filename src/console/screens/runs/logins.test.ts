import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Node, node } from '../../../contract/nodes.ts';
import { loginsOf, NAMED_MOST } from './logins.ts';

const servers = (count: number, ...sshLogins: readonly string[]): Node[] =>
  Array.from({ length: count }, (_, at) =>
    z.parse(node, { id: `${sshLogins.join('-')}-${at}`, siteId: 'c', hostname: `h${at}`, sshLogins: [...sshLogins] }),
  );

test('few servers are named each, so that exactly what was seen is run', () => {
  const nodes = [...servers(1, 'root', 'app'), ...servers(1, 'db')];
  expect(loginsOf(nodes, 'app', {})).toEqual({ logins: { 'root-app-0': 'app', 'db-0': 'db' } });
  expect(loginsOf(nodes, 'app', { 'root-app-0': 'root' })?.logins).toEqual({ 'root-app-0': 'root', 'db-0': 'db' });
});

test('of many servers those are named that differ from most, what was chosen for one as well', () => {
  const nodes = [...servers(NAMED_MOST, 'root', 'app'), ...servers(2, 'db')];
  const chosen = { 'root-app-7': 'app' };
  const logins = { 'root-app-7': 'app', 'db-0': 'db', 'db-1': 'db' };
  expect(loginsOf(nodes, '', chosen)).toEqual({ login: 'root', logins });
});

test('more that differ than an address holds are no run', () => {
  expect(loginsOf([...servers(NAMED_MOST + 1, 'root'), ...servers(NAMED_MOST + 1, 'db')], '', {})).toBeNull();
});
