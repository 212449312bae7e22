import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GuardMatch, StatementFacts, Statements } from '../../../../ports/databases.ts';
import { Held, type Passed } from '../../pump.ts';
import { Malformed, TooMuch } from '../frames.ts';
import { createListener, cutAnywhere, readOrRefuse } from '../statements.testing.ts';
import type { Facts } from './facts.ts';
import { fatal, message, refusal, startupParameters } from './messages.ts';
import { createStatementTaps, createTexts } from './statements.ts';

function rig(facts: (() => Facts) | null = null, more: Partial<Statements> = {}) {
  const { said, answers, rowsSoFar, session } = createListener(more);
  const keys: string[] = [];
  const told: string[] = [];
  return {
    said,
    answers,
    rowsSoFar,
    keys,
    told,
    ...createStatementTaps(session, {
      keyed: key => void keys.push(key.toString('hex')),
      facts,
      around: null,
      tell: bytes => void told.push(bytes.toString()),
      plan: async () => ({ text: '', without: 'none' }),
    }),
  };
}
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
  cutAnywhere(conversation, pieces => {
    const { client, said } = rig();
    for (const piece of pieces) client(piece);
    expect(said).toEqual(executed);
  });
});

test('an error is that of the statement that the server has come to; what it read over has no answer', () => {
  const { client, server, said, answers } = rig();
  for (const name of ['first', 'second', 'third']) client(message('P', `${name}\0${name} text\0\0\0`));
  client(message('S'));
  server(Buffer.concat([message('1'), message('1'), message('1'), message('Z', 'I')]));
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

test('an execution says how many parameters it has, whatever their formats, and its values are not read', () => {
  const { client, said } = rig();
  client(message('P', 'one\0select $1, $2\0\0\0'));
  const bound = (...words: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(2 * words.length);
    words.forEach((word, index) => void bytes.writeUInt16BE(word, 2 * index));
    return message('B', Buffer.concat([Buffer.from('\0one\0'), bytes, Buffer.from('\0\0\0\x01x\0\0\0\x01y\0\0')]));
  };
  client(bound(0, 2));
  client(bound(1, 1, 2));
  client(bound(2, 1, 0, 2));
  client(bound(300, ...Array.from({ length: 300 }, () => 1), 300));
  expect(said).toEqual([2, 2, 2, 300].map(count => `select $1, $2 (${count} parameters)`));
});

test('rows are counted while an answer goes on, and those of a COPY', () => {
  const { client, server, rowsSoFar } = rig();
  client(message('Q', 'select 1\0'));
  expect(rowsSoFar()).toBeNull();
  server(Buffer.concat([message('T', '\0\0'), message('D', '\0\0'), message('D', '\0\0')]));
  expect(rowsSoFar()).toBe(2);
  server(Buffer.concat([message('C', 'SELECT 2\0'), message('Z', 'I')]));
  client(message('Q', 'copy t to stdout\0'));
  server(Buffer.concat([message('H', '\0\0\0'), message('d', 'one\n')]));
  expect(rowsSoFar()).toBe(1);
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
  const refused = (read: () => unknown): void => readOrRefuse(read, Malformed);
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

const nothing: StatementFacts = {
  kinds: new Set(),
  tables: [],
  columns: new Set(),
  allColumns: false,
  isPlanned: true,
  used: { columns: new Set(), allColumns: false },
  aliases: new Map(),
  functions: new Set(),
  renames: false,
  takesUp: [],
};
const match = (effect: GuardMatch['effect']): GuardMatch => ({
  effect,
  guard: 'g',
  role: 'r',
  text: `a guard ${effect}s it`,
  reviewers: [],
});
/** A session whose guards block what writes, and what cannot be read. `facts`: what each text does, in the order they come. */
const guarded = (facts: Facts[], effect: GuardMatch['effect'] = 'block') =>
  rig(() => facts.shift() ?? null, {
    judge: all => (all === null || all.some(({ kinds }) => kinds.has('write')) ? match(effect) : null),
  });
test('a statement is what was prepared last under its name in the same group, not what had that name before', () => {
  const { client, server, said } = guarded([writes, reads, reads]);
  const parse = (text: string): Buffer => message('P', `\0${text}\0\0\0`);
  client(Buffer.concat([parse('delete from t'), message('S')]));
  server(Buffer.concat([message('1'), message('Z', 'I')]));
  client(Buffer.concat([parse('select 1'), bind(''), message('S')]));
  expect(said).toEqual(['select 1']);
  // Of another group, it may not have been parsed: the one before may be meant.
  client(Buffer.concat([parse('select 2'), message('S'), bind(''), message('S')]));
  expect(said.at(-1)).toContain('blocked');
});
/** What has gone on at once. */
const goneOn = (passed: Passed): Buffer | undefined => (passed instanceof Held ? passed.before : passed);
const writes: Facts = [{ ...nothing, kinds: new Set(['write']) }];
const reads: Facts = [nothing];

test('a blocked statement never reaches the server, which refuses another in its place; the client reads why', () => {
  const sent = Buffer.concat([message('Q', 'one\0'), message('Q', 'delete from secret\0'), message('Q', 'three\0')]);
  cutAnywhere(sent, pieces => {
    const { client, server, said, answers } = guarded([reads, writes, reads]);
    const onward = Buffer.concat(pieces.map(piece => goneOn(client(piece)) ?? piece)).toString();
    expect(onward).not.toContain('secret');
    expect(onward.startsWith(message('Q', 'one\0').toString())).toBe(true);
    expect(onward.endsWith(message('Q', 'three\0').toString())).toBe(true);
    expect(said).toEqual(['one', 'delete from secret blocked: a guard blocks it', 'three']);
    const answered = Buffer.concat([
      message('C', 'ONE 1\0'),
      message('Z', 'I'),
      refusal('42601', 'x'),
      message('Z', 'I'),
    ]);
    const told = Buffer.concat(
      [...answered].map(byte => server(Buffer.from([byte])) ?? Buffer.from([byte])),
    ).toString();
    expect(told).toContain('C42501\0MPostern: a guard blocks it\0');
    expect(told).not.toContain('42601');
    expect(answers).toEqual([['one', 1]]);
    expect(said).toHaveLength(3);
  });
});

test('a statement that is asked about waits, and all behind it, however they come; the client is told between two messages', async () => {
  const sent = Buffer.concat([message('Q', 'one\0'), message('Q', 'delete from x\0'), bind('a'), message('S')]);
  for (const allowed of [true, false])
    for (let cut = 1; cut < sent.length; cut += 7) {
      const decided = Promise.withResolvers<void>();
      let waits = (): void => undefined;
      const { client, server, told, cancel } = rig(() => (texts.shift() === 'w' ? writes : reads), {
        judge: all => (all?.some(({ kinds }) => kinds.has('write')) ? match('ask') : null),
        async ask(question) {
          waits = () => question.waits('it waits');
          await decided.promise;
          return { refused: allowed ? null : 'no', isCancelled: false };
        },
      });
      const texts = ['r', 'w', 'r'];
      const onward: Buffer[] = [];
      let piece = sent.subarray(0, cut);
      let passed = client(piece);
      if (passed === undefined || !(passed instanceof Held)) {
        onward.push(passed ?? piece);
        piece = sent.subarray(cut);
        passed = client(piece);
      }
      if (!(passed instanceof Held)) throw new Error('nothing waits');
      onward.push(passed.before);
      expect(Buffer.concat(onward).equals(sent.subarray(0, message('Q', 'one\0').length))).toBe(true);
      // In the middle of a message of the server nothing is said, at its end it is.
      const row = message('D', 'abc');
      server(row.subarray(0, 6));
      waits();
      expect(told).toEqual([]);
      expect(server(row.subarray(6))?.toString()).toMatch(/^bcN.*Postern: it waits/s);
      expect(cancel()).toBe(true);
      decided.resolve();
      const rest = await passed.rest;
      onward.push(rest instanceof Held ? rest.before : (rest ?? Buffer.alloc(0)));
      expect(cancel()).toBe(false);
      if (piece.length + (onward.length > 2 ? cut : 0) < sent.length)
        onward.push(goneOn(client(sent.subarray(cut))) ?? sent.subarray(cut));
      const all = Buffer.concat(onward);
      expect(all.includes('delete from x')).toBe(allowed);
      expect(all.subarray(-5).equals(message('S'))).toBe(true);
    }
});

test('what a name stands for is judged at each execution, whatever the server may have made of the messages before', () => {
  const { client, server } = guarded([reads, writes, reads]);
  client(message('P', 'a\0select\0\0\0'));
  client(message('S'));
  server(Buffer.concat([message('1'), message('Z', 'I')]));
  expect(client(bind('a'))).toBeUndefined();
  // The server refuses a second statement of that name, or it has read over the first one: both may be what is executed.
  client(message('P', 'a\0delete\0\0\0'));
  expect(client(bind('a'))).toBeDefined();
  client(message('S'));
  server(Buffer.concat([message('2'), refusal('42P05', 'a exists'), message('Z', 'I')]));
  expect(client(bind('a'))).toBeUndefined();
  client(message('C', 'Sa\0'));
  client(message('P', 'a\0select\0\0\0'));
  expect(client(bind('a'))).toBeUndefined();
  // Nobody has seen what it was prepared from, or its name is longer than what is read of it.
  expect(client(bind('unseen'))).toBeDefined();
  expect(client(message('B', `${'p'.repeat(600)}\0a\0\0\0\0\0\0\0`))).toBeDefined();
});

test('a long text, a call by number, and texts that are read otherwise than the grammar does are as the strictest guard says', () => {
  const { client, server } = guarded([null, reads, reads]);
  expect(client(message('Q', `select 1 --${'x'.repeat(40_000)}\n; delete from t\0`))).toBeDefined();
  expect(client(message('F', Buffer.alloc(10)))).toBeDefined();
  expect(client(message('Q', 'one\0'))).toBeUndefined();
  server(message('S', 'standard_conforming_strings\0off\0'));
  expect(client(message('Q', 'one\0'))).toBeDefined();
});

test('a warning comes as a notice before the server is ready again, and the statement goes on', () => {
  const { client, server } = guarded([writes], 'warn');
  expect(client(message('Q', 'delete\0'))).toBeUndefined();
  expect(server(message('C', 'DELETE 1\0'))).toBeUndefined();
  const told = server(message('Z', 'I'))?.toString();
  expect(told).toMatch(/^N.*Postern: a guard warns it/s);
  expect(told?.endsWith(message('Z', 'I').toString())).toBe(true);
  expect(server(message('Z', 'I'))).toBeUndefined();
});

test('texts are found in the order of their messages, and one that is not kept whole is none', () => {
  const found: (string | null)[] = [];
  const find = createTexts(text => void found.push(text));
  for (const byte of Buffer.concat([conversation, message('Q', `${'x'.repeat(40_000)}\0`)])) find(Buffer.from([byte]));
  expect(found).toEqual(['select $1', 'select 2; select 3', null]);
});
