import { describe, expect, test } from 'vitest';
import { settings } from '../gateway/services/configuration/table.ts';
import { allHelp, verbHelp } from './help.ts';
import { type Gateway, openGateway } from './machine/gateway.ts';
import { machineRows } from './machine/verbs.ts';
import { chosen, LOCAL_FLAGS, readLine, typedOf } from './read.ts';
import { UsageError } from './verb.ts';
import { verbs } from './verbs.ts';

/** What is mistyped must be found before anything is asked of a gateway. */
const unused: Gateway = {
  running: false,
  call: () => Promise.reject(new Error('the gateway was asked')),
  close: async () => {},
};
const read = (words: readonly string[], signedIn = false) => {
  const line = readLine(words, verbs);
  const verb = chosen(line, () => signedIn);
  return { verb, typed: typedOf(verb, line) };
};

describe('words and flags', () => {
  test('words may be left out where brackets say so, and go on where dots do', () => {
    expect(read(['resources', 'list']).typed.words).toEqual([]);
    expect(read(['resources', 'list', 'app']).typed.words).toEqual(['app']);
    expect(read(['resources', 'apply', 'a', '-', 'b', '--watch']).typed.words).toEqual(['a', '-', 'b']);
  });
  test('flags may stand anywhere, with their value after them or behind "="', () => {
    const { typed, verb } = read(
      ['--data', '/x', 'servers', 'add', 'h:22', '--name=x=y\nz', '--yes', '--', '-1'].filter(
        word => word !== '-1' && word !== '--',
      ),
    );
    expect(verb.verb).toBe('servers add');
    expect([typed.one('--data'), typed.one('--name'), typed.has('--yes'), typed.words]).toEqual([
      '/x',
      'x=y\nz',
      true,
      ['h:22'],
    ]);
  });
  test('after -- every word is plain', () =>
    expect(read(['resources', 'apply', '--', '--watch']).typed.words).toEqual(['--watch']));
  test('no flag takes a value after one verb and stands alone after another', () => {
    const takes = new Map<string, boolean>();
    for (const flag of verbs.flatMap(verb => verb.flags)) {
      expect(takes.get(flag.name) ?? flag.argument !== undefined, flag.name).toBe(flag.argument !== undefined);
      takes.set(flag.name, flag.argument !== undefined);
    }
  });
  test('what names a gateway is a setting of the gateway, with a value as there', () => {
    const known = new Map(
      Object.values(settings).map(({ key, argument }: { readonly key: string; readonly argument?: string }) => [
        `--${key.replaceAll('.', '-')}`,
        argument !== undefined,
      ]),
    );
    for (const flag of LOCAL_FLAGS.filter(({ name }) => name !== '--local'))
      expect(known.get(flag.name), flag.name).toBe(flag.argument !== undefined);
  });
});

describe('what is mistyped', () => {
  test.each([
    [['servers', 'ad'], '"servers ad": no such verb; did you mean servers add? (--help lists them)'],
    [['servrs'], '"servrs": no such verb'],
    [['resources'], '"resources" and then? There is resources apply, resources list, resources get, resources remove'],
    [['servers', 'add'], 'servers add: HOST[:PORT] expected after it'],
    [['servers', 'list', 'x'], 'servers list: "x" is one word too many'],
    [['servers', 'list', '--yes'], 'servers list: it has no --yes'],
    [['servers', 'add', 'h', '--yes=no'], '--yes: it stands alone, without "=no"'],
    [['servers', 'add', 'h', '--name'], '--name: NAME expected after it'],
    [['servers', 'add', 'h', '--name', 'a', '--name', 'b'], '--name: given twice'],
    [['users', 'add', 'ann'], 'users add: --roles A,B is needed'],
    [['users', 'add', 'ann', '--role', 'a'], 'users add: it has no --role; it has --roles, --logins'],
    [['users', 'add', 'ann', '--logns', 'a'], '--logns: no such flag; did you mean --logins?'],
    [['servers', 'list', '-x'], '-x: no such flag'],
  ])('%j', (words, what) => {
    expect(() => read(words)).toThrow(UsageError);
    expect(() => read(words)).toThrow(what);
  });
  test.each([
    [['servers', 'add', 'h', '--label', 'x'], '--label: "x": key=value expected, such as env=prod'],
    [
      ['alerts', 'add', '--severity', 'high', '--message', 'x'],
      '--severity: "high": a whole number from 0 to 100 expected',
    ],
  ])('%j', async (words, what) => {
    const line = readLine(words, machineRows);
    const verb = chosen(line, () => false);
    await expect(verb.run(typedOf(verb, line), unused, { print: () => {}, ask: null })).rejects.toThrow(what);
  });
  test('settings that cannot be used are mistyped too', () =>
    expect(openGateway(['--data', ''])).rejects.toThrow(UsageError));
});

describe('a verb for people and for the machine', () => {
  test.each([
    [false, [], true],
    [true, [], false],
    [true, ['--local'], true],
    [true, ['--data', '/x'], true],
    [false, ['--session-file', '/x'], false],
  ])('signed in: %j, %j: the machine is meant: %j', (signedIn, more, local) =>
    expect(read(['servers', 'list', ...more], signedIn).verb.local === true).toBe(local),
  );
  test('one that is for people alone is theirs, signed in or not', () =>
    expect(read(['users', 'list']).verb.local).toBeUndefined());
});

test('every verb is written in one way', () => {
  const written = verbs.map(verb => `${verb.verb}${verb.local ? ' *' : ''}`);
  expect(written).toEqual([...new Set(written)]);
  expect(written.filter(verb => !/^[a-z][a-z-]*( [a-z][a-z-]*)?( \*)?$/.test(verb))).toEqual([]);
});
test('every verb stands in the help, and its flags in its own', async () => {
  const all = allHelp(verbs);
  for (const verb of verbs) {
    expect(all).toContain(verb.verb);
    expect(all).toContain(verb.help);
    const { more: _more, ...plain } = verb;
    const own = await verbHelp({ rows: [plain], words: [], flags: new Map() });
    for (const flag of verb.flags) expect(own).toContain(flag.name);
  }
});
