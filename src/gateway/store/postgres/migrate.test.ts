// Starting up on PostgreSQL: with few rights, several gateways at once, and without a server.
import { expect, test } from 'vitest';
import { openPostgres } from '../../../../e2e/rigs/postgres.ts';
import { openStore } from '../open.ts';
import { runSql, serverNamed } from '../store.testing.ts';

test('without the right to create pg_trgm the store works, and says that searching will be slow', async () => {
  const server = await openPostgres();
  try {
    await runSql(server.url, 'CREATE ROLE limited LOGIN', 'CREATE DATABASE plain');
    const plain = server.url.replace(/[^/]+$/, 'plain');
    await runSql(plain, 'CREATE SCHEMA limited AUTHORIZATION limited');
    const warnings: string[] = [];
    const url = plain.replace('postern@', 'limited@');
    const store = await openStore({ kind: 'postgres', url }, { warn: message => warnings.push(message) });
    await store.resources.create(serverNamed('web-1'));
    const page = await store.resources.list('node', { limit: 5, search: 'eb-', selection: null, count: true });
    await store.close();
    expect([page.totalCount, warnings]).toEqual([1, [expect.stringContaining('pg_trgm cannot be used')]]);
  } finally {
    await server.dispose();
  }
}, 60_000);

test('gateways that start together on an empty database all come up', async () => {
  const server = await openPostgres();
  try {
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ kind: 'postgres', url: server.url })));
    const event = (uid: string) => ({
      uid,
      time: new Date(),
      type: 'test',
      code: 'T',
      user: '',
      sid: '',
      raw: { uid },
    });
    await Promise.all(
      stores.flatMap(({ events }, index) => [events.append(event(`${index}-a`)), events.append(event(`${index}-b`))]),
    );
    const problems = await Promise.all(stores.map(({ events }) => events.verify()));
    await Promise.all(stores.map(store => store.close()));
    expect(problems).toEqual([null, null, null, null]);
  } finally {
    await server.dispose();
  }
}, 60_000);

test('a database that cannot be reached is said to be so', async () => {
  await expect(openStore({ kind: 'postgres', url: 'postgres://postern@127.0.0.1:1/postgres' })).rejects.toMatchObject({
    name: 'Failure',
    code: 'unavailable',
    message: expect.stringContaining('cannot be reached'),
  });
});
