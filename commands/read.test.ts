import fc from 'fast-check';
import { expect, test } from 'vitest';
import { person } from '../src/features/person.testing.ts';
import { commands } from './index.ts';
import { commandNamed, readWhole, tokens, usageOf } from './read.ts';
import { factsWith } from './tools.testing.ts';

const read = (typed: string, facts = factsWith()) => {
  const whole = readWhole(commands, typed, facts);
  return whole && { id: whole.command.id, answers: whole.answers, missing: whole.missing };
};

test('ssh with a login and a host is a whole shell', () => {
  expect(read('ssh root@db-3')).toEqual({ id: 'shell.open', answers: { login: 'root', server: 'db-3' }, missing: [] });
});

test('ssh with a host alone still asks for the login', () => {
  expect(read('  ssh db-3')).toEqual({ id: 'shell.open', answers: { server: 'db-3' }, missing: ['login'] });
});

test('login and host alone are a shell too', () => {
  expect(read('ada@db-3.example.com')?.answers).toEqual({ login: 'ada', server: 'db-3.example.com' });
});

test('after ssh and a space the host is wanted', () => {
  expect(read('ssh ')?.answers).toEqual({ server: '' });
  expect(read('ssh root@')?.answers).toEqual({ login: 'root', server: '' });
  expect(read('ssh')).toBeNull();
});

test.each(['ssh a b', 'ssh a@b@c', '', '   ', 'db-3', '@db-3', 'root@'])('"%s" says nothing whole', typed =>
  expect(read(typed)).toBeNull(),
);

test('a command is said by its name, with answers in the order in which it asks', () => {
  expect(read('users invite bob "access auditor"')).toEqual({
    id: 'users.invite',
    answers: { name: 'bob', roles: 'access auditor' },
    missing: [],
  });
  expect(read('users.invite bob')).toEqual({ id: 'users.invite', answers: { name: 'bob' }, missing: ['roles'] });
});

test('free text at the end may have several words', () => {
  expect(read('users invite bob access auditor')?.answers).toEqual({ name: 'bob', roles: 'access auditor' });
});

test('more words than questions is not that command', () => expect(read('servers remove db-3 db-4')).toBeNull());

test('a hidden command is not found', () => {
  expect(read('terminal find', factsWith({ surface: 'shell' }))).toBeNull();
  expect(read('ssh root@db-3', factsWith({ who: null }))).toBeNull();
});

test('a refused command is found, so that its reason can be shown', () => {
  expect(read('servers add db-3:22', factsWith({ who: person() }))?.id).toBe('servers.add');
});

test('quotes group words, and a backslash takes the next sign as it is', () => {
  expect(tokens('lock alice 2h "left \\"laptop\\" in a taxi" ""')).toEqual([
    { text: 'lock', quoted: false },
    { text: 'alice', quoted: false },
    { text: '2h', quoted: false },
    { text: 'left "laptop" in a taxi', quoted: true },
    { text: '', quoted: true },
  ]);
});

test('an open quote is not yet a line', () => expect(tokens('lock "alice')).toBeNull());

test('any words that are quoted come back as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), words => {
      const line = words.map(word => `"${word.replace(/[\\"]/g, '\\$&')}"`).join(' ');
      expect(tokens(line)?.map(({ text }) => text)).toEqual(words);
    }),
  );
});

test('nothing that is typed makes reading throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), typed => void readWhole(commands, typed, factsWith())));
});

test.each([
  ['invite bob access', 'users.invite', { name: 'bob', roles: 'access' }],
  ['invite user bob access auditor', 'users.invite', { name: 'bob', roles: 'access auditor' }],
  ['add a person bob access', 'users.invite', { name: 'bob', roles: 'access' }],
  ['add server db-3:22', 'servers.add', { address: 'db-3:22' }],
  ['remove host db-3', 'servers.remove', { server: 'db-3' }],
  ['delete role old', 'roles.delete', { role: 'old' }],
  ['delete user bob', 'users.remove', { user: 'bob' }],
  ['play rec-1', 'recording.play', { recording: 'rec-1' }],
])('%j is said as people say it', (typed, id, answers) => expect(read(typed)).toMatchObject({ id, answers }));

test.each(['delete bob', 'add db-3', 'applications wiki', 'go servers'])(
  '"%s" could be several commands or a search, and so says nothing whole',
  typed => expect(read(typed)).toBeNull(),
);

test('how a command is typed names its arguments in their order', () => {
  const text = (id: string) => {
    const usage = usageOf(commands.find(row => row.id === id) as (typeof commands)[number]);
    return usage && [usage.name, ...usage.args.map(arg => arg.text)].join(' ');
  };
  expect([text('users.invite'), text('servers.add'), text('shell.open'), text('theme.dark')]).toEqual([
    'users invite NAME ROLES',
    'servers add ADDRESS HOST-KEY [LABELS]',
    'ssh [LOGIN@] SERVER',
    null,
  ]);
});

test.each([
  ['users inv', 'users.invite'],
  ['users invite ', 'users.invite'],
  ['invite', 'users.invite'],
  ['ssh', 'shell.open'],
  ['users re', undefined],
  ['us', undefined],
])('%j names %s', (typed, id) => expect(commandNamed(commands, typed, factsWith())?.id).toBe(id));
