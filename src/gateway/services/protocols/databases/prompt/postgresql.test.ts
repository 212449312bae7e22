// What the prompt uses of `pg` beside its types: a new version that has it no more must not find out in front of people.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';

/** Names of fields that no type of `pg` says. */
const fields = ['connection', 'processID', 'secretKey'];

test.each(fields)('a client of pg has a field %s', field => {
  const client = new pg.Client();
  expect(Object.hasOwn(client, field), `pg ${field}`).toBe(true);
});

test('its connection tells of settings and of finished commands, and cancels by the key that the server gave', () => {
  const client = new pg.Client() as unknown as {
    readonly connection: { emit(event: string, message: object): boolean; on(event: string, hear: () => void): void };
    _handleBackendKeyData(message: object): void;
    readonly processID: number;
    readonly secretKey: number;
  };
  client._handleBackendKeyData({ processID: 7, secretKey: 9 });
  expect([client.processID, client.secretKey]).toEqual([7, 9]);
  const heard: string[] = [];
  for (const event of ['parameterStatus', 'commandComplete']) {
    client.connection.on(event, () => void heard.push(event));
    client.connection.emit(event, {});
  }
  expect(heard).toEqual(['parameterStatus', 'commandComplete']);
});

test('no other private field of pg is used', () => {
  const source = readFileSync(join(import.meta.dirname, 'postgresql.ts'), 'utf8');
  const used = [...source.matchAll(/as unknown as \{([^}]*)\}/g)].flatMap(([, body = '']) =>
    [...body.matchAll(/readonly (\w+):/g)].map(([, name = '']) => name),
  );
  expect(used.toSorted()).toEqual(fields);
});
