import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Malformed, TooMuch } from '../frames.ts';
import { Refused } from '../relay.ts';
import { createListener, cutAnywhere, readOrRefuse } from '../statements.testing.ts';
import { errorPacket, packet, REFUSAL, readGreeting, readLogin } from './messages.ts';
import { createStatementTaps } from './statements.ts';

function rig() {
  const { said, answers, session } = createListener({ mayUse: name => (name === 'secrets' ? 'not that one' : null) });
  const answered: string[] = [];
  const taps = createStatementTaps(session, {
    threadOf: id => (id === 4_000_000_000 ? 7 : undefined),
    answer: bytes => void answered.push(bytes.toString('latin1', 4)),
  });
  return { said, answers, answered, ...taps };
}
const query = (text: string): Buffer => packet(0, Buffer.from(`\x03${text}`));
const numbered = (code: number, id: number): Buffer => {
  const body = Buffer.alloc(5);
  body[0] = code;
  body.writeUInt32LE(id, 1);
  return packet(0, body);
};
const ok = (status = 2): Buffer => packet(1, Buffer.from([0, 0, 0, status, 0, 0, 0]));
const end = (status = 2): Buffer => packet(9, Buffer.from([0xfe, 0, 0, status, 0]));
const text = (words: string): Buffer => packet(2, Buffer.from(words));
const prepared = (id: number, columns: number, parameters: number): Buffer =>
  packet(1, Buffer.from([0, id, 0, 0, 0, columns, 0, parameters, 0, 0, 0, 0]));

const conversation = Buffer.concat([
  packet(0, Buffer.from('\x16select ?')),
  numbered(23, 1),
  numbered(23, 1),
  numbered(25, 1),
  numbered(23, 1),
  query('select 2; select 3'),
  packet(0, Buffer.from('\x0e')),
]);

test('a prepared statement is told of at each execution, however the bytes are cut', () => {
  const first = conversation.subarray(0, 13);
  cutAnywhere(conversation.subarray(first.length), pieces => {
    const { client, server, said } = rig();
    client(first);
    server(prepared(1, 0, 0));
    for (const piece of pieces) client(piece);
    expect(said).toEqual(['select ?', 'select ?', 'execute statement 1', 'select 2; select 3']);
  });
});

test('an error is that of the statement that the server has come to, and rows are no answers to what comes behind them', () => {
  const { client, server, said } = rig();
  client(query('first; second'));
  client(packet(0, Buffer.from('\x16select secret')));
  client(query('last'));
  const rows = Array.from({ length: 600 }, (_, index) => packet(index % 256, Buffer.from([0, 9, 0, 0, 0, 0, 0, 0, 0])));
  server(Buffer.concat([text('\x01'), text('\x03def'), end(), ...rows, end(10), ok()]));
  server(Buffer.concat([prepared(5, 1, 1), text('\x03def'), end(), text('\x03def'), end()]));
  server(errorPacket(1, REFUSAL.denied, 'no'));
  client(numbered(23, 5));
  client(numbered(23, 9));
  expect(said).toEqual([
    'first; second',
    'last',
    'last: Postern: no (28000)',
    'select secret (1 parameters)',
    'execute statement 9',
  ]);
});

test('a statement of several packets is kept up to a bound and passes whole', () => {
  const { client, said } = rig();
  const part = 0xffffff;
  for (let sequence = 0; sequence < 4; sequence++)
    expect(client(packet(sequence, Buffer.alloc(part, sequence === 0 ? '\x03' : 'x')))).toBeUndefined();
  client(packet(4, Buffer.from('x')));
  client(query('next'));
  expect(said[0]).toHaveLength(32 * 1024 + `… (${4 * part} bytes)`.length);
  expect(said[1]).toBe('next');
});

test('a connection is stopped by the number that its client knows, and changed only where nothing else is under way', () => {
  const { client, server, said, answered } = rig();
  expect(client(query('KILL QUERY 4000000000'))?.toString()).toBe(query('KILL QUERY 7').toString());
  server(ok());
  expect(client(query('kill 12'))).toBeUndefined();
  server(ok());
  expect(client(packet(0, Buffer.from('\x02secrets')))).toHaveLength(0);
  expect(answered).toEqual(['\xff\x14\x04#42000Postern: not that one']);
  client(packet(0, Buffer.from('\x02orders')));
  server(ok());
  expect(said).toEqual([
    'KILL QUERY 4000000000',
    'kill 12',
    'use secrets: not that one',
    'TMY07I {"schema_name":"orders"}',
    'in orders',
  ]);
  expect(() => client(Buffer.concat([query('one'), query('kill query 4000000000')]))).toThrow(Refused);
  expect(() => client(packet(0, Buffer.from('\x11root\0')))).toThrow(Refused);
});

test.each([
  ['asks for a file of the client', [query('load data local')], packet(1, Buffer.from('\xfb/etc/passwd', 'latin1'))],
  ['answers what nobody asked', [], ok()],
  ['cuts its answer off', [query('one')], packet(1, Buffer.from([0, 0]))],
])('a server that %s is believed no more', (_what, sent, answer) => {
  const { client, server } = rig();
  for (const one of sent) client(one);
  expect(() => server(answer)).toThrow(Malformed);
});

test('more prepared statements than can be told apart are refused', () => {
  const { client, server } = rig();
  expect(() => {
    for (let id = 0; id <= 10_000; id++) {
      client(packet(0, Buffer.from('\x16select 1')));
      const answer = Buffer.from(prepared(0, 0, 0));
      answer.writeUInt32LE(id, 5);
      server(answer);
    }
  }).toThrow(TooMuch);
});

test('whatever bytes come, they are read or refused, and nothing else', () => {
  const bytes = fc.uint8Array({ maxLength: 64 });
  const piece = fc.oneof(
    bytes,
    fc
      .record({ sequence: fc.nat(3), code: fc.oneof(fc.nat(32), fc.constantFrom(0xfb, 0xfe, 0xff)), body: bytes })
      .map(({ sequence, code, body }) => packet(sequence, Buffer.concat([Buffer.from([code]), body]))),
  );
  const refused = (read: () => unknown): void => readOrRefuse(read, Malformed, TooMuch, Refused);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), given => {
      const { client, server } = rig();
      for (const one of given) {
        refused(() => client(Buffer.from(one)));
        refused(() => server(Buffer.from(one)));
      }
      const all = Buffer.concat(given);
      refused(() => readLogin(all));
      refused(() => readLogin(Buffer.concat([Buffer.from([0, 0x82, 0xff, 0xff]), Buffer.alloc(28), all])));
      if (all[0] !== 0xff) refused(() => readGreeting(all));
      refused(() => readGreeting(Buffer.concat([Buffer.from([10]), all])));
    }),
    { numRuns: 5000 },
  );
});

test('rows are counted: those that were sent, and those that were changed, of all results of a statement', () => {
  const { client, server, answers } = rig();
  for (const one of ['select', 'update', 'both']) client(query(one));
  const row = packet(3, Buffer.from('\x01x'));
  const result = [text('\x01'), text('\x03def'), end(), row, row];
  server(Buffer.concat([...result, end(), packet(1, Buffer.from([0, 7, 0, 2, 0, 0, 0])), ...result, end(10), ok()]));
  client(numbered(23, 1));
  server(Buffer.concat([...result, end()]));
  expect(answers).toEqual([
    ['select', 2],
    ['update', 7],
    ['both', 2],
    ['execute statement 1', 2],
  ]);
});
