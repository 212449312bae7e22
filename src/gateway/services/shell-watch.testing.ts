// A shell with all that it printed, and waiting by text instead of by time.
import { expect } from 'vitest';
import type { OutputStream, Shell, ShellExit } from '../ports/shell.ts';

export function watchShell(shell: Shell) {
  const chunks: { readonly bytes: Uint8Array; readonly from: OutputStream }[] = [];
  let exit: ShellExit | undefined;
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const each of waiting.splice(0)) each();
  };
  shell.onOutput((bytes, from) => {
    expect(exit).toBeUndefined();
    chunks.push({ bytes, from });
    wake();
  });
  shell.onExit(ended => {
    exit = ended;
    wake();
  });
  const bytes = (from?: OutputStream) =>
    Buffer.concat(chunks.filter(chunk => (from ?? chunk.from) === chunk.from).map(chunk => chunk.bytes));
  const text = (from?: OutputStream) => bytes(from).toString('utf8');
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>(done => waiting.push(done));
  };
  return {
    shell,
    bytes,
    text,
    type: (words: string) => shell.write(Buffer.from(words)),
    sees: (words: string | RegExp) =>
      until(() => (typeof words === 'string' ? text().includes(words) : words.test(text()))),
    ended: async () => {
      await until(() => exit !== undefined);
      return exit;
    },
  };
}
