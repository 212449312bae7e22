import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Cancelled, choiceOf, textChoice } from '../../../commands/answer.ts';
import { type Command, command, type Given, type Thing } from '../../../commands/command.ts';
import { firstRows } from '../../../commands/first.ts';
import { commandById, commands } from '../../../commands/index.ts';
import { factsWith, recorder } from '../../../commands/tools.testing.ts';
import { createRecents, RECENT_MOST, recentCommand } from './recents.ts';
import { createRunner, givenOf } from './run.ts';
import { paletteWith } from './store.testing.ts';

let asked: { readonly id: string; readonly given: Given }[];
let recent: readonly string[];
beforeEach(() => {
  asked = [];
  recent = [];
});

function runnerOf(rows: readonly Command[], facts = factsWith()) {
  const { tools, done } = recorder();
  const recents = createRecents({ read: () => recent, write: list => (recent = list) });
  const runner = createRunner({
    commandById: id => rows.find(row => row.id === id),
    facts: () => facts,
    tools: () => tools,
    ask: ({ id }, given) => asked.push({ id, given }),
    recents,
  });
  return { ...runner, done, recents };
}

const ran: string[] = [];
const row = (more: Partial<Command>): Command =>
  command({ id: 'a.a', title: 'A', group: 'console', run: () => void ran.push('a.a'), ...more });
beforeEach(() => ran.splice(0));
const question = { name: 'x', title: 'X', choices: () => [] };

describe('running', () => {
  test('a command without questions runs at once and is remembered', async () => {
    await runnerOf([row({})]).run('a.a');
    expect(ran).toEqual(['a.a']);
    expect(recent).toEqual([recentCommand('a.a')]);
  });

  test('a hidden command does nothing', async () => {
    const { run, done } = runnerOf([row({ when: () => false })]);
    await run('a.a');
    expect([...ran, ...done]).toEqual([]);
  });

  test('a refused command says why', async () => {
    const { run, done } = runnerOf([row({ blocked: () => 'Not today' })]);
    await run('a.a');
    expect(ran).toEqual([]);
    expect(done).toEqual(['notify Not today']);
  });

  test('things answer the questions of their kind before it asks', async () => {
    const asks = row({
      args: [
        { ...question, takes: 'server' },
        { ...question, name: 'y' },
      ],
    });
    await runnerOf([asks]).run('a.a', {}, [{ kind: 'server', id: 'n1', title: 'db-3' }]);
    expect(asked).toMatchObject([{ id: 'a.a', given: { x: { value: 'n1' } } }]);
  });

  test('the mouse is told the key of a command once, and nothing when it has none', () => {
    const { commanding, done } = paletteWith();
    for (const id of ['help.open', 'link.copy', 'help.open']) commanding.teach(id);
    expect(done).toEqual(['notify Next time: ?']);
  });

  test('the row under the cursor answers for a key as for the palette', async () => {
    const facts = factsWith({ selection: [{ kind: 'server', id: 'n1', title: 'db-3' }] });
    const takes = row({ args: [{ ...question, takes: 'server' }] });
    const { run } = runnerOf([takes], facts);
    await run('a.a');
    expect([ran, asked]).toEqual([['a.a'], []]);
  });

  test('a question without an answer is asked', async () => {
    const { run } = runnerOf([row({ args: [question, { ...question, name: 'y' }] })]);
    await run('a.a', { x: textChoice('1') });
    expect(asked).toEqual([{ id: 'a.a', given: { x: textChoice('1') } }]);
    await run('a.a', { x: textChoice('1'), y: textChoice('2') });
    expect(ran).toEqual(['a.a']);
  });

  test('a command that only has optional questions still asks them once', async () => {
    const optional = { ...question, optional: true, free: () => undefined };
    const { run } = runnerOf([row({ args: [question, optional] })]);
    await run('a.a');
    expect(asked.length).toBe(1);
    await run('a.a', { x: textChoice('1'), y: textChoice('2') });
    expect(ran.length + asked.length).toBe(2);
  });

  test('what a command throws is said, and calling it off is not', async () => {
    const failing = runnerOf([row({ run: () => Promise.reject(new Error('The host does not answer')) })]);
    await failing.run('a.a');
    expect(failing.done).toEqual(['notify The host does not answer']);
    const calledOff = runnerOf([
      row({
        run: () => {
          throw new Cancelled();
        },
      }),
    ]);
    await calledOff.run('a.a');
    expect(calledOff.done).toEqual([]);
    expect(recent).toEqual([]);
  });

  test('a command of a row that is not known yet is run when it is; keys hear it from then on', async () => {
    const { commanding, done } = paletteWith({ first: firstRows });
    expect([commanding.isWhole(), commanding.keymap.keysOf('terminal.pane')]).toEqual([false, undefined]);
    commanding.run('theme.dark');
    expect(done).toEqual([]);
    await vi.waitFor(() => expect(done).toHaveLength(1));
    expect([commanding.isWhole(), commanding.keymap.keysOf('terminal.pane')]).toEqual([true, 'mod+j']);
    expect(commanding.registry().rows).toBe(commands);
  });

  test('an unknown command is a mistake that names it', async () => {
    await expect(runnerOf([]).run('no.such')).rejects.toThrow('no.such');
  });
});

test("a row's own server answers the question for a server", () => {
  const server: Thing = { kind: 'server', id: 'n1', title: 'db-3' };
  const shell = commandById('shell.open');
  expect(shell && givenOf(shell, server)).toEqual({ server: choiceOf(server) });
  const switching = commandById('cluster.switch');
  expect(switching && givenOf(switching, server)).toEqual({});
});

test('what is used often stays before what was used once, the last of equals is first, and a hundred uses are kept', () => {
  const recents = createRecents({ read: () => recent, write: list => (recent = list) });
  recents.use('a', 'b');
  expect(['a', 'b'].map(recents.recencyOf)).toEqual([1, 0]);
  recents.use('a');
  recents.use('c');
  expect(['a', 'b', 'c'].map(recents.recencyOf)).toEqual([0, 2, 1]);
  for (let time = 0; time < 10; time++) recents.use('a');
  expect(recent.filter(key => key === 'a').length).toBe(4);
  expect(recents.last('b')).toEqual(['b']);
  expect(recents.recencyOf('d')).toBeUndefined();
  for (let index = 0; index < 300; index++) recents.use(`k${index}`);
  expect(recent.length).toBe(RECENT_MOST);
  recents.use('x'.repeat(400));
  expect(recent[0]?.length).toBe(255);
  expect(recents.recencyOf('x'.repeat(400))).toBe(0);
});
