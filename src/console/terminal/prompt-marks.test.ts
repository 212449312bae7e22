import headless from '@xterm/headless';
import { afterEach, expect, test } from 'vitest';
import { createPromptMarks, type Marked } from './prompt-marks.ts';

const open: { dispose(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.dispose();
});
function started(cols = 40) {
  const xterm = new headless.Terminal({ cols, rows: 10, scrollback: 50, allowProposedApi: true });
  const marks = createPromptMarks(xterm as unknown as Marked);
  open.push(marks, xterm);
  return { xterm, marks, print: (text: string) => new Promise<void>(done => xterm.write(text, done)) };
}
const osc = (text: string): string => `\x1b]133;${text}\x07`;
const prompt = (status = ''): string => `${status === '' ? '' : osc(`D;${status}`)}${osc('A')}~ $ ${osc('B')}`;
const run = (command: string, output: string): string => `${command}\r\n${osc('C')}${output}`;

test('a shell that marks its prompts gives commands, their output and their status', async () => {
  const { marks, print } = started();
  await print(
    prompt() +
      run('ls', 'a\r\nb\r\n') +
      prompt('0') +
      run('false', '') +
      prompt('1') +
      run('seq 2', '1\r\n2\r\n') +
      prompt('0'),
  );
  const found = marks.prompts().map(one => [one.command, one.status, marks.outputOf(one)]);
  expect(found).toEqual([
    ['ls', 0, 'a\nb'],
    ['false', 1, ''],
    ['seq 2', 0, '1\n2'],
    ['', null, ''],
  ]);
  expect(marks.last()?.command).toBe('seq 2');
});

test('a command wider than the screen is one line, and a prompt drawn again is one prompt', async () => {
  const { marks, print } = started(10);
  await print(prompt() + prompt() + run('echo aaaaaaaaaabbbbbbbbbb', 'x\r\n') + prompt('0'));
  expect(marks.prompts().map(({ command }) => command)).toEqual(['echo aaaaaaaaaabbbbbbbbbb', '']);
});

test('a command that still runs has its output so far', async () => {
  const { marks, print } = started();
  await print(prompt() + run('tail -f log', 'one\r\ntwo'));
  const last = marks.last();
  expect(last && [last.status, marks.outputOf(last)]).toEqual([null, 'one\ntwo']);
});

test('without marks, Enter behind a prompt is a guess, until the shell marks its own', async () => {
  const { marks, print } = started();
  await print('root@db:~# ls');
  marks.entered();
  await print('\r\na\r\nb\r\nroot@db:~# ');
  marks.entered();
  await print('\r\nPassword: ');
  marks.entered();
  const last = marks.last();
  expect(last && [last.source, last.command]).toEqual(['prompt', 'ls']);
  await print(`\r\n${prompt()}${run('id', 'me\r\n')}${prompt('0')}`);
  marks.entered();
  expect(marks.prompts().map(({ source, command }) => [source, command])).toEqual([
    ['shell', 'id'],
    ['shell', ''],
  ]);
});

test('what a host prints cannot hold more than is remembered, and nonsense is nothing', async () => {
  const { marks, print } = started();
  await print(
    `${osc('D;1')}${osc('C')}${osc('B')}${osc('Z;1')}${osc('')}${prompt()}${run('x', '')}${osc('D;99999999')}`,
  );
  expect(marks.prompts().map(({ status }) => status)).toEqual([null]);
  await print(Array.from({ length: 600 }, () => osc('A') + osc('C')).join(''));
  expect(marks.prompts().length).toBe(500);
  await print('\r\n'.repeat(100));
  expect(marks.prompts()).toEqual([]);
  await print(`\x1b[?1049h${prompt()}`);
  expect(marks.prompts()).toEqual([]);
});
