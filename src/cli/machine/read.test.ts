import { describe, expect, test } from 'vitest';
import type { Gateway } from './gateway.ts';
import { commandHelp, readCommand } from './read.ts';
import { verbs } from './verbs.ts';

/** What is mistyped must be found before anything is asked of a gateway. */
const unused: Gateway = {
  running: false,
  call: () => Promise.reject(new Error('the gateway was asked')),
  close: async () => {},
};

describe('words after a verb', () => {
  test('may be left out where brackets say so, and go on where dots do', () => {
    expect(readCommand(['resources', 'list']).typed.words).toEqual([]);
    expect(readCommand(['resources', 'list', 'app']).typed.words).toEqual(['app']);
    expect(readCommand(['resources', 'apply', 'a', '-', 'b', '--watch']).typed.words).toEqual(['a', '-', 'b']);
  });
});

describe('what is mistyped', () => {
  test.each([
    [[], 'which verb? --help lists them'],
    [['servers', 'ad'], '"servers ad": no such verb; did you mean servers add? (--help lists them)'],
    [['servers', 'add'], 'servers add: HOST[:PORT] expected after it'],
    [['servers', 'list', 'x'], 'servers list: "x" is one word too many'],
    [['servers', 'list', '--yes'], 'servers list: it has no --yes'],
    [['servers', 'add', 'h', '--yes=no'], '--yes: it stands alone, without "=no"'],
    [['servers', 'add', 'h', '--name'], '--name: NAME expected after it'],
    [['servers', 'add', 'h', '--name', 'a', '--name', 'b'], '--name: given twice'],
    [['users', 'add', 'ann'], 'users add: --roles A,B is needed'],
    [['users', 'add', 'ann', '--role', 'a'], '--role: no such flag; did you mean --roles?'],
  ])('%j', (words, what) => expect(() => readCommand(words)).toThrow(what));
  test.each([
    [['servers', 'add', 'h', '--label', 'x'], '--label: "x": key=value expected, such as env=prod'],
    [
      ['alerts', 'add', '--severity', 'high', '--message', 'x'],
      '--severity: "high": a whole number from 0 to 100 expected',
    ],
  ])('%j', async (words, what) => {
    const { verb, typed } = readCommand(words);
    await expect(verb.run(typed, unused, { print: () => {}, ask: null })).rejects.toThrow(what);
  });
});

test('settings may stand anywhere and are passed on', () => {
  expect(readCommand(['--data', '/x', 'servers', 'list', '--cloud', '--store=sqlite'])).toMatchObject({
    settings: ['--data', '/x', '--cloud', '--store=sqlite'],
    verb: { verb: 'servers list' },
  });
});
test('every verb and flag stands in the help', () => {
  for (const verb of verbs)
    for (const text of [verb.verb, verb.help, ...verb.flags.flatMap(flag => [flag.name, flag.help])])
      expect(commandHelp()).toContain(text);
});
