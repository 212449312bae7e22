// What the manual says to put into a shell's own file marks its prompts, in the real shells.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createCommandMarks } from '../gateway/services/command-marks.ts';

vi.setConfig({ testTimeout: 60_000 });

const chapter = await readFile(join(import.meta.dirname, 'sessions.md'), 'utf8');
const snippet = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(chapter)?.[1] ?? '';

/** Each shell with a plain prompt, and how it reads one file of ours. */
const shells = [
  {
    name: 'bash',
    prompt: "PS1='$ '",
    file: 'rc',
    start: (folder: string) => `bash --noprofile --rcfile ${folder}/rc -i`,
  },
  {
    name: 'zsh',
    prompt: "PS1='$ '; unsetopt PROMPT_SP",
    file: '.zshrc',
    start: (folder: string) => `ZDOTDIR=${folder} zsh -d -i`,
  },
  {
    name: 'fish',
    prompt: "function fish_prompt; printf '$ '; end; set fish_greeting",
    file: 'config.fish',
    start: (folder: string) => `fish --no-config -i -C 'source ${folder}/config.fish'`,
  },
] as const;

/** Types lines into a shell, each once it has said that typing may begin; answers what it printed. */
async function typed(command: string, folder: string, marker: RegExp, lines: readonly string[]): Promise<Buffer> {
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' };
  const shell = spawn('script', ['-qfec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  let output = Buffer.alloc(0);
  let sent = 0;
  shell.stdout.on('data', (bytes: Buffer) => {
    output = Buffer.concat([output, bytes]);
    const asked = [...output.toString('latin1').matchAll(marker)].length;
    while (sent < Math.min(asked, lines.length)) shell.stdin.write(`${lines[sent++]}\n`);
  });
  await new Promise(done => shell.once('close', done));
  return output;
}

test.each(shells)('$name', async ({ name, prompt, file, start }) => {
  if (spawnSync('which', [name]).status !== 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'postern-marks-'));
  try {
    expect(snippet(name)).not.toBe('');
    await writeFile(join(folder, file), `${prompt}\n${snippet(name)}`);
    const output = await typed(start(folder), folder, /\x1b\]133;B\x07/g, ['echo one', 'false', 'exit 0']);
    const marks = createCommandMarks(80);
    marks.push(output, 0);
    // Whether a shell that exits says its own status is its own affair.
    const found = marks.marks().map(({ text, status, source }) => [text, text === 'exit 0' ? null : status, source]);
    expect(found).toEqual([
      ['echo one', 0, 'shell'],
      ['false', 1, 'shell'],
      ['exit 0', null, 'shell'],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
