// The shell's promises about its last bytes, with programs that need no login.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ShellExit } from '../../../ports/shell.ts';
import { openPty } from './pty.ts';
import { createShell } from './shell.ts';

/** Runs a program to its end and answers everything it printed. */
function run(program: string, args: readonly string[] = []) {
  const shell = createShell(
    openPty('/bin/sh', ['-c', program, 'sh', ...args], { PATH: '/usr/bin:/bin' }, { cols: 80, rows: 24 }),
  );
  const chunks: Uint8Array[] = [];
  shell.onOutput(bytes => chunks.push(bytes));
  const ended = new Promise<{ readonly exit: ShellExit; readonly bytes: Buffer }>(done =>
    shell.onExit(exit => done({ exit, bytes: Buffer.concat(chunks) })),
  );
  return { shell, ended };
}

test('the last bytes before the exit always arrive, and nothing after them', async () => {
  for (let round = 0; round < 20; round++) {
    const program =
      'b=$(head -c 200000 /dev/urandom | base64 -w0); printf %s "$b" | sha256sum | cut -c1-64; printf %s "$b"; exit 9';
    const { bytes, exit } = await run(program).ended;
    const [sum, printed = ''] = bytes.toString('latin1').split('\r\n');
    expect(exit).toEqual({ code: 9, signal: null, error: null });
    expect([round, createHash('sha256').update(printed).digest('hex')]).toEqual([round, sum]);
  }
});

test('the end is told at once even when something left behind keeps printing to the terminal', async () => {
  const { bytes, exit } = await run('(trap "" HUP; while echo behind; do :; done) & echo ""; echo over; exit 4').ended;
  expect(exit).toEqual({ code: 4, signal: null, error: null });
  expect(bytes.toString()).toContain('over');
});

test('a terminal that changes what is printed changes nothing about its end', async () => {
  const { bytes, exit } = await run('stty olcuc onlcr; echo last; exit 2').ended;
  expect([bytes.toString(), exit.code]).toEqual(['LAST\r\n', 2]);
});

test('a program that ends before anyone listens keeps its output and its end', async () => {
  const shell = createShell(
    openPty('/bin/sh', ['-c', 'echo early; exit 6'], { PATH: '/usr/bin:/bin' }, { cols: 80, rows: 24 }),
  );
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
  let text = '';
  const exit = await new Promise(done => {
    shell.onExit(done);
    shell.onOutput(bytes => {
      text += Buffer.from(bytes).toString();
    });
  });
  expect([text, exit]).toEqual(['early\r\n', { code: 6, signal: null, error: null }]);
});
