import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Malformed, TooMuch } from '../frames.ts';
import { Refused } from '../relay.ts';
import { createListener, cutAnywhere, readOrRefuse } from '../statements.testing.ts';
import { encode } from './commands.ts';
import { createStatementTaps } from './statements.ts';

function rig() {
  const { said, answers, session } = createListener();
  const answered: string[] = [];
  return { said, answers, answered, ...createStatementTaps(session, bytes => void answered.push(bytes.toString())) };
}
const conversation = Buffer.concat([
  encode(['SET', 'a key', 'one\r\ntwo']),
  Buffer.from('\r\n*0\r\n'),
  Buffer.from(' get  "a\\x20key" \'it\\\'s\' plain"quoted"\r\n'),
  encode(['config', 'set', 'requirepass', 'secret']),
  encode(['GET', '']),
  encode(['SET', 'picture', Buffer.from([0xff, 0xd8, 0x22])]),
  Buffer.from('PING\n'),
]);
const executed = [
  'SET "a key" "one\\x0d\\x0atwo"',
  'get "a key" "it\'s" plainquoted',
  'CONFIG …',
  'GET ""',
  'SET picture "\\xff\\xd8\\""',
  'PING',
];

test('each command is told of as people would type it, however the bytes are cut', () => {
  cutAnywhere(conversation, pieces => {
    const { client, said } = rig();
    for (const piece of pieces) client(piece);
    expect(said).toEqual(executed);
  });
});

test('an error is that of the command that the server has come to, whatever is in other answers', () => {
  const { client, server, said, answers: counted } = rig();
  for (const word of ['one', 'two', 'three', 'four']) client(encode([word]));
  const answers =
    '*2\r\n$6\r\n-no\r\n!\r\n%1\r\n+a\r\n*-1\r\n>2\r\n+message\r\n-not this\r\n-ERR that\r\n$-1\r\n*1\r\n-EXEC inner\r\n';
  for (const byte of Buffer.from(answers)) server(Buffer.from([byte]));
  expect(said.slice(4)).toEqual(['two: ERR that', 'four: EXEC inner']);
  // A list says how many values it has.
  client(encode(['five']));
  client(encode(['six']));
  server(Buffer.from('*2\r\n*1\r\n:1\r\n:2\r\n*-1\r\n'));
  expect(counted).toEqual([
    ['one', 2],
    ['three', null],
    ['five', 2],
    ['six', 0],
  ]);
});

test('signing in again is refused by any name, and where its answer would not be known the session ends', () => {
  const { client, answered, server } = rig();
  for (const one of [
    encode(['aUtH', 'x']),
    encode(['HELLO', '3', 'auth', 'x', 'y']),
    Buffer.from('"\\x61uth" x y\r\n'),
  ])
    expect(client(one)).toHaveLength(0);
  expect(answered).toHaveLength(3);
  expect(client(encode(['RESET']))).toHaveLength(0);
  client(encode(['GET', 'x']));
  expect(() => client(encode(['AUTH', 'x']))).toThrow(Refused);
  server(Buffer.from('$-1\r\n'));
  const begun = encode(['PSYNC', 'x', '1']);
  client(begun.subarray(0, 6));
  expect(() => client(begun.subarray(6))).toThrow(Refused);
});

test.each([
  '*1\r\r$4\r\nPING\r\n',
  '*01\r\n$4\r\nPING\r\n',
  '*1\r\n:4\r\n',
  '*1\r\n$3\r\nPING\r\n',
  '*1\r\n$-1\r\n',
  '*1048577\r\n',
  '*1\r\n$999999999\r\n',
  'GET "open\r\n',
  'GET "x"y\r\n',
  "GET 'it\\'\r\n",
  'GET \0\r\n',
])('%j is read by no server as a command, and goes to none', given => {
  expect(() => rig().client(Buffer.from(given))).toThrow(Malformed);
});

test('a line without end, and one made to be slow, are read in no time', () => {
  const { client, said } = rig();
  expect(() => client(Buffer.alloc(70_000, 'x'))).toThrow(Malformed);
  expect(() => rig().client(Buffer.from(`GET "${'\\x41'.repeat(15_000)}\n`))).toThrow(Malformed);
  expect(said).toEqual([]);
});

test('more commands than are remembered without an answer are refused', () => {
  const { client } = rig();
  const many = Buffer.from('PING\n'.repeat(10_000));
  expect(() => {
    for (let sent = 0; sent <= 10; sent++) client(many);
  }).toThrow(TooMuch);
});

test('whatever bytes come, they are read or refused, and nothing else', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 64 }).map(bytes => Buffer.from(bytes)),
    fc.array(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 4 }).map(encode),
    fc
      .record({ type: fc.constantFrom(...'+-:$*%~>!=_|#('), rest: fc.oneof(fc.nat(4).map(String), fc.string()) })
      .map(({ type, rest }) => Buffer.from(`${type}${rest}\r\n`)),
  );
  const refused = (read: () => unknown): void => readOrRefuse(read, Malformed, TooMuch, Refused);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), given => {
      const { client, server } = rig();
      refused(() => given.map(one => client(Buffer.from(one))));
      refused(() => given.map(one => server(Buffer.from(one))));
    }),
    { numRuns: 5000 },
  );
});
