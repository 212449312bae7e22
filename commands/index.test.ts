import { describe, expect, test } from 'vitest';
import { reachable } from '../src/features/access.ts';
import { nounIds, nouns } from '../src/features/nouns.ts';
import { deployment, everyRight, person } from '../src/features/person.testing.ts';
import { featureIds, features } from '../src/features/table.ts';
import { alternatives, parseChord, shellNeeds } from './chords.ts';
import { type Command, command, type Given } from './command.ts';
import { firstRows } from './first.ts';
import { goToIds, openedBy } from './goto.ts';
import { commandById, commands } from './index.ts';
import { problems } from './problems.ts';
import { factsWith, recorder } from './tools.testing.ts';

const usage = { name: 'x', args: [] };
const row = (id: string, keys?: string, more: Partial<Command> = {}): Command =>
  command({ id, title: id, group: 'console', run: () => {}, ...(keys === undefined ? {} : { keys }), ...more });

test('every command has its own name, title, keys and phrase', () => expect(problems(commands)).toEqual([]));

test('the console begins with rows of the registry, in its order, among them all that goes to pages and what is done with a server', () => {
  const ids = firstRows.rows.map(({ id }) => id);
  expect(commands.filter(row => firstRows.rows.includes(row)).map(({ id }) => id)).toEqual(ids);
  expect(ids).toEqual(expect.arrayContaining([...(nouns.server.primary ?? []), ...goToIds.map(id => `goto.${id}`)]));
});

test('of the rows that come later, none is run by a chord with Control where there is no terminal: such a chord does not wait for them', () => {
  const late = commands.filter(row => !firstRows.rows.includes(row));
  // Those of the palette and of the terminals wait in every console (early-keys.ts).
  const waits = /^mod\+[kj]$/;
  const there = late.filter(
    ({ keys = '', when }) => /(mod|ctrl|alt)\+/.test(keys) && !waits.test(keys) && when?.(factsWith({})) !== false,
  );
  expect(there.map(({ id }) => id)).toEqual([]);
});

test.each(nounIds)(
  'what is done first with a thing of the kind %s is a command that begins with such a thing, or asks for nothing',
  id => {
    for (const command of (nouns[id].primary ?? []).map(commandById)) {
      expect(command?.onThing).toBeDefined();
      if (command?.args !== undefined) expect(command.args[0]?.takes).toBe(id);
    }
  },
);

describe('problems', () => {
  test('a chord may not begin another sequence', () => {
    expect(problems([row('a.a', 'g'), row('b.b', 'g s')])).toEqual(['b.b and a.a both want "g"']);
    expect(problems([row('a.a', 'g s'), row('b.b', 'g t')])).toEqual([]);
  });

  test('two commands may not share an id, a title or a chord', () => {
    expect(problems([row('a.a'), row('a.a')])).toEqual([
      'Two commands are called a.a',
      'Two commands are titled "a.a"',
    ]);
    expect(problems([row('a.a', 'x'), row('b.b', 'y, x')])).toEqual(['b.b and a.a both want "x"']);
  });

  test('the same keys may serve the page and the terminal apart', () => {
    expect(problems([row('a.a', 'ctrl+shift+k'), row('b.b', undefined, { terminalKeys: 'ctrl+shift+k' })])).toEqual([]);
    expect(
      problems([row('a.a', 'alt+1', { overTerminal: true }), row('b.b', undefined, { terminalKeys: 'alt+1' })]),
    ).toContain('b.b and a.a both want "alt+1"');
  });

  test.each(['mod+w', 'mod+t', 'mod+n', 'ctrl+shift+t'])("%s is the browser's", keys => {
    expect(problems([row('a.a', keys)])).toContain(`a.a wants "${keys}", which a browser keeps for itself`);
  });

  test.each(['mod+k', 'ctrl+c', 'j', 'g s', 'alt+b', 'up', 'f5'])("%s over a terminal is the shell's", keys => {
    expect(problems([row('a.a', keys, { overTerminal: true })])).toContain(
      `a.a wants "${keys}" over a terminal, which a shell needs`,
    );
  });

  test.each(['mod+', 'hyper+k', 'shift+?', 'K', 'g g g g', 'ctrl+ctrl+k', ''])('"%s" cannot be read as keys', keys => {
    expect(problems([row('a.a', keys === '' ? ' ' : keys)]).length).toBeGreaterThan(0);
  });

  test('what cannot be undone has no key', () => {
    expect(problems([row('a.a', 'x', { destructive: true })])).toEqual(['a.a cannot be undone, so no key runs it']);
  });

  test('a phrase must read its own example, and alone', () => {
    const reads = { example: 'do it', usage, read: (typed: string) => (typed === 'do it' ? {} : undefined) };
    expect(problems([row('a.a', undefined, { phrase: { example: 'other', usage, read: reads.read } })])).toEqual([
      'a.a does not read its own example "other"',
    ]);
    expect(problems([row('a.a', undefined, { phrase: reads }), row('b.b', undefined, { phrase: reads })])).toContain(
      'b.b and a.a both read "do it"',
    );
    expect(
      problems([row('a.a', undefined, { phrase: { example: 'x', usage, read: () => ({ ghost: '1' }) } })]),
    ).toEqual(['a.a reads ghost, which it does not ask for']);
  });

  test('questions come needed first, once each, and their titles say that something follows', () => {
    const ask = (name: string, optional = false) => ({
      name,
      title: name,
      choices: () => [],
      ...(optional ? { optional, free: () => undefined } : {}),
    });
    expect(problems([row('a.a', undefined, { args: [ask('x'), ask('x')] })])).toEqual([
      'a.a asks for something, so its title ends with …',
      'a.a asks for x twice',
    ]);
    expect(problems([row('a.a', undefined, { title: 'A…', args: [ask('x', true), ask('y')] })])).toEqual([
      'a.a asks for something needed after something optional',
    ]);
  });
});

test.each(featureIds.filter(id => features[id].public !== true))('%s can be reached by a command', id => {
  const opener = openedBy[id] ?? `goto.${id}`;
  expect(commandById(opener)).toBeDefined();
});

test.each(goToIds)('going to %s goes there in the current cluster', async id => {
  const { tools, done } = recorder();
  await commandById(`goto.${id}`)?.run({}, factsWith({ clusterId: 'leaf' }), tools);
  expect(done).toEqual([`go ${id} {"clusterId":"leaf"}`]);
});

test('a page that a person does not reach has no visible command', () => {
  const config = deployment();
  for (const who of [null, person(), person(['nodes.list']), person(everyRight)]) {
    const reached = reachable({ who, config });
    const visible = goToIds.filter(id => commandById(`goto.${id}`)?.when?.(factsWith({ who })) === true);
    expect(visible).toEqual(goToIds.filter(id => reached.includes(id)));
  }
});

test('no command is visible to anyone before the context has loaded', () => {
  expect(
    commands.filter(({ when }) => when === undefined || when(factsWith({ who: null }))).map(({ id }) => id),
  ).toEqual([]);
});

test('commands that need a console are hidden from the command line', () => {
  const visible = commands.filter(({ when }) => when === undefined || when(factsWith({ surface: 'shell' })));
  expect(visible.map(({ id }) => id)).toEqual([
    'shell.open',
    'session.join',
    'session.end',
    'recording.export',
    'servers.add',
    'servers.trust',
    'servers.remove',
    'agent.add',
    'agent.stop',
    'agent.renew',
    'agent.remove',
    'tokens.add',
    'tokens.remove',
    'bot.add',
    'bot.line',
    'bot.lock',
    'bot.remove',
    'users.invite',
    'users.link',
    'users.edit',
    'users.reset',
    'users.remove',
    'roles.delete',
    'locks.create',
    'locks.remove',
    'device.add',
    'device.token',
    'device.tag',
    'device.remove',
    'device.enroll',
    'device.forget',
    'requests.new',
    'requests.approve',
    'requests.approvePart',
    'requests.deny',
    'requests.use',
    'requests.drop',
    'requests.withdraw',
    'accessLists.addMember',
    'accessLists.removeMember',
    'accessLists.delete',
    'reviews.allow',
    'reviews.allowSession',
    'reviews.refuse',
    'connectors.first',
    'connectors.passwordFirst',
    'connectors.delete',
    'loginRules.delete',
    'trust.delete',
    'trust.forget',
    'integrations.test',
    'integrations.delete',
    'databases.add',
    'databases.try',
    'databases.change',
    'databases.remove',
    'applications.open',
    'applications.add',
    'applications.try',
    'applications.change',
    'applications.remove',
    'desktops.trust',
    'desktops.add',
    'desktops.try',
    'desktops.change',
    'desktops.remove',
    'kubernetes.add',
    'kubernetes.try',
    'kubernetes.change',
    'kubernetes.remove',
  ]);
});

test('no row looks at the facts in a way that throws, whoever is asking', () => {
  const many = [
    factsWith(),
    factsWith({ who: person() }),
    factsWith({ who: null, feature: null }),
    factsWith({
      terminal: { sid: 's', title: 't', serverId: 'n', login: 'root', connected: false, hasSelection: false },
      focus: 'terminal',
    }),
  ];
  for (const facts of many) {
    for (const { when, blocked } of commands) {
      expect(typeof (when?.(facts) ?? true)).toBe('boolean');
      expect(['string', 'undefined']).toContain(typeof blocked?.(facts));
    }
  }
});

test('what cannot be undone changes nothing when the person says no', async () => {
  const given: Given = Object.fromEntries(
    ['session', 'server', 'user', 'request'].map(name => [name, { value: 'x', title: 'x' }]),
  );
  for (const row of commands.filter(({ destructive, id }) => destructive === true && id !== 'session.signOut')) {
    const { tools, made } = recorder(() => undefined, false);
    await expect(row.run(given, factsWith(), tools), row.id).rejects.toThrow();
    expect(made, row.id).toEqual([]);
  }
});

test('only the short list is heard over a terminal', () => {
  const heard = commands.flatMap(({ overTerminal, keys, terminalKeys }) => [
    ...(overTerminal ? alternatives(keys) : []),
    ...alternatives(terminalKeys),
  ]);
  expect(heard.sort()).toEqual(
    [
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(index => `alt+${index}`),
      'alt+pagedown',
      'alt+pageup',
      'ctrl+shift+a',
      'ctrl+shift+b',
      'ctrl+shift+c',
      'ctrl+shift+space',
      'ctrl+shift+down',
      'ctrl+shift+d',
      'ctrl+shift+s',
      'ctrl+shift+z',
      'ctrl+alt+left',
      'ctrl+alt+right',
      'ctrl+alt+up',
      'ctrl+alt+down',
      'ctrl+alt+shift+left',
      'ctrl+alt+shift+right',
      'ctrl+alt+shift+up',
      'ctrl+alt+shift+down',
      'alt+shift+pageup',
      'alt+shift+pagedown',
      'ctrl+shift+e',
      'ctrl+shift+enter',
      'ctrl+shift+f',
      'ctrl+shift+g',
      'ctrl+shift+h',
      'ctrl+shift+j',
      'ctrl+shift+k',
      'ctrl+shift+l',
      'ctrl+shift+o',
      'ctrl+shift+up',
      'ctrl+shift+v',
      'ctrl+shift+x',
      'ctrl+shift+y',
      'f1',
      'mod+-',
      'mod+0',
      'mod+=',
    ].sort(),
  );
  expect(heard.filter(text => shellNeeds(parseChord(text, false) ?? []))).toEqual([]);
});

test('a refusal names the rule that is missing', () => {
  const facts = factsWith({ who: person(['nodes.list']) });
  expect(commandById('servers.add')?.blocked?.(facts)).toBe(
    'None of your roles allows "create" on servers (needs create on node)',
  );
  expect(commandById('users.reset')?.blocked?.(facts)).toBe(
    'None of your roles allows "update" on users (needs update on user)',
  );
  expect(commandById('servers.add')?.blocked?.(factsWith())).toBeUndefined();
});
