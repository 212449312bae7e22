// The completion scripts in the shells they are for: what Tab would offer.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completionVerb } from './completion.ts';
import { verbs } from './verbs.ts';

const LOCK = '0b8ff2a3-5d1c-4d8e-9f55-6f1c0a7f9c11';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-completion-'));
  writeFileSync(join(folder, 'a file.yaml'), '');
  // What the ids of locks are taken from: one row under a heading.
  writeFileSync(join(folder, 'postern'), `#!/bin/sh\necho "$* Locked"\necho "${LOCK}  user alice"\n`, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function script(shell: string): Promise<string> {
  const printed: string[] = [];
  const typed = { words: [shell], all: () => [], one: () => undefined, has: () => false };
  await completionVerb(() => verbs).run(typed, { print: text => void printed.push(text), ask: null });
  return printed.join('\n');
}
const has = (shell: string): boolean => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0;
/** From a file: a word of a command line has at most 128 kB (Linux, MAX_ARG_STRLEN). */
function run(shell: string, args: readonly string[], program: string): readonly string[] {
  const file = join(folder, `.program.${shell}`);
  writeFileSync(file, program);
  const ran = spawnSync(shell, [...args, file], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` },
  });
  expect(ran.stderr).toBe('');
  return ran.stdout.split('\n').filter(line => line !== '');
}

/** What each shell offers after a line whose last word is being typed. */
const ways: Readonly<Record<string, (line: readonly string[]) => Promise<readonly string[]>>> = {
  bash: async line =>
    run(
      'bash',
      ['--norc'],
      `compopt() { :; }
${await script('bash')}
COMP_WORDS=(postern ${line.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${line.length}
_postern; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  // What the script hands to the shell is printed in place of being offered.
  zsh: async line =>
    run(
      'zsh',
      ['-f'],
      `compdef() { :; }
offered() { local one; for one in "$@"; do [[ $one == -- ]] || [[ $one != "$cur"* ]] || print -r -- "$one"; done; }
compadd() { offered "$@"; }
_files() { offered *(N); }
_describe() { local -a list=("\${(@P)2}"); offered "\${list[@]%%:*}"; }
${await script('zsh')}
words=(postern ${line.map(word => `'${word}'`).join(' ')}); CURRENT=${line.length + 1}
_postern`,
    ),
  fish: async line =>
    run('fish', ['--no-config'], `${await script('fish')}\ncomplete -C 'postern ${line.join(' ')}'`).map(
      offered => offered.split('\t')[0] ?? '',
    ),
};

describe.for(Object.keys(ways).map(shell => [shell] as const))('%s', ([shell]) => {
  const offered = async (...line: readonly string[]): Promise<readonly string[]> =>
    [...((await ways[shell]?.(line)) ?? [])].toSorted();

  test.skipIf(!has(shell))('first words, second words, flags, the values of flags and paths', async () => {
    expect(await offered('s')).toEqual(['scp', 'servers', 'session', 'sessions', 'sign-in', 'sign-out', 'ssh']);
    expect(await offered('servers', '')).toEqual(['add', 'list', 'prepare', 'remove', 'trust']);
    expect(await offered('--yes', '--data', '/x', 'users', 're')).toEqual(['remove', 'reset']);
    expect(await offered('servers', 'add', 'h', '--fi')).toEqual(['--fingerprint']);
    expect(await offered('servers', 'list', '--output', '')).toEqual(['json', 'table']);
    expect(await offered('completion', '')).toEqual(['bash', 'fish', 'zsh']);
    expect((await offered('resources', 'apply', 'a')).map(word => word.replaceAll('\\', ''))).toEqual(['a file.yaml']);
    expect(await offered('ca', 'export', '')).toEqual([]);
    expect(await offered('audit', 'search', '--output', 'json', 'u')).toEqual(['until:', 'user:']);
    expect(await offered('unlock', '0b')).toEqual([LOCK]);
  });
});
