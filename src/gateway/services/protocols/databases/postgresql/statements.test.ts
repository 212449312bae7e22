import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Malformed, TooMuch } from '../frames.ts';
import { createListener } from '../statements.testing.ts';
import { fatal, startupParameters } from './messages.ts';
import { createStatementTaps } from './statements.ts';

function rig() {
  const { said, answers, session } = createListener();
  const keys: string[] = [];
  return { said, answers, keys, ...createStatementTaps(session, key => void keys.push(key.toString('hex'))) };
}
const message = (type: string, body: string | Buffer = ''): Buffer => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + bytes.length, 1);
  return Buffer.concat([head, bytes]);
};
const bind = (name: string): Buffer => message('B', `portal\0${name}\0\0\0\0\0\0\0`);
const conversation = Buffer.concat([
  message('P', 'one\0select $1\0\0\0'),
  message('S'),
  bind('one'),
  message('E', '\0\0\0\0\0'),
  bind('one'),
  message('S'),
  message('C', 'Sone\0'),
  bind('one'),
  message('S'),
  message('Q', 'select 2; select 3\0'),
]);
const executed = ['select $1', 'select $1', 'execute "one"', 'select 2; select 3'];

test('a prepared statement is told of at each execution, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: conversation.length - 1 }), { maxLength: 20 }), cuts => {
      const { client, said } = rig();
      const places = [0, ...[...new Set(cuts)].sort((one, other) => one - other), conversation.length];
      for (const [index, place] of places.entries()) client(conversation.subarray(place, places[index + 1]));
      expect(said).toEqual(executed);
    }),
    { numRuns: 200 },
  );
});

test('an error is that of the statement that the server has come to; what it read over has no answer', () => {
  const { client, server, said, answers } = rig();
  for (const name of ['first', 'second', 'third']) client(message('P', `${name}\0${name} text\0\0\0`));
  client(message('S'));
  server(message('Z', 'I'));
  for (const name of ['first', 'second', 'third']) client(bind(name));
  client(message('S'));
  client(message('Q', 'last\0'));
  server(message('C', 'SELECT 1\0'));
  server(fatal('22012', 'division by zero'));
  server(message('Z', 'I'));
  server(fatal('42601', 'syntax error'));
  expect(answers).toEqual([['first text', 1]]);
  expect(said.slice(-2)).toEqual(['second text: division by zero (22012)', 'last: syntax error (42601)']);
});

test('a long statement is kept up to a bound and passes whole, and a key that names it is told', () => {
  const { client, server, said, keys } = rig();
  const length = 64 * 1024 * 1024;
  const head = message('Q').subarray(0, 5);
  head.writeInt32BE(4 + length, 1);
  client(head);
  const piece = Buffer.alloc(1024 * 1024, 'x');
  for (let sent = 0; sent < length; sent += piece.length) client(piece);
  client(message('Q', 'next\0'));
  expect(said[0]).toHaveLength(32 * 1024 + '… (67108864 bytes)'.length);
  expect(said[1]).toBe('next');
  server(message('K', Buffer.from('0000000112345678', 'hex')));
  expect(keys).toEqual(['0000000112345678']);
});

test('more prepared statements than can be told apart are refused', () => {
  const { client } = rig();
  expect(() => {
    for (let index = 0; index <= 10_000; index++) client(message('P', `s${index}\0select 1\0\0\0`));
  }).toThrow(TooMuch);
});

test('whatever bytes come, they are read or refused as malformed', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc
        .record({ type: fc.constantFrom(...'QPBCFDEHSXdcfpRKZ'), body: fc.uint8Array({ maxLength: 64 }) })
        .map(({ type, body }) => message(type, Buffer.from(body))),
    ),
    { maxLength: 8 },
  );
  const refused = (read: () => unknown): void => {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(Malformed);
    }
  };
  fc.assert(
    fc.property(pieces, given => {
      const { client, server } = rig();
      refused(() => given.map(piece => client(Buffer.from(piece))));
      refused(() => given.map(piece => server(Buffer.from(piece))));
      refused(() => startupParameters(Buffer.concat([Buffer.alloc(4), ...given])));
      refused(() => startupParameters(Buffer.concat([Buffer.from([0, 3, 0, 0]), ...given])));
    }),
    { numRuns: 5000 },
  );
});
