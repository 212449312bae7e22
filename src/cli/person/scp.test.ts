// Files copied from the command line, between this machine and itself as a server of a real gateway.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const login = userInfo().username;
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
let rig: CommandLineRig;
let there: string;
const at = (path: string): string => `${login}@db-1:${path}`;
const here = (name: string): string => join(rig.folder, name);

beforeAll(async () => {
  rig = await openCommandLine();
  await rig.gateway.addUser('ada', ['access'], [login]);
  await rig.gateway.addServer('db-1');
  await rig.signIn('ada');
  there = here('there');
  await mkdir(there);
});
afterAll(() => rig.dispose());

test('a file goes up and comes back as it was, into a folder by its own name, and JSON says what was done', async () => {
  const bytes = randomBytes(3_000_000);
  await writeFile(here('one'), bytes);
  await writeFile(here('two'), 'second');
  const told = await rig.run(['scp', here('one'), here('two'), at(`${there}/`), '--json']);
  expect(told.split('\n').map(line => JSON.parse(line))).toEqual([
    { from: here('one'), to: at(`${there}/`), bytes: 3_000_000, error: '' },
    { from: here('two'), to: at(`${there}/`), bytes: 6, error: '' },
  ]);
  await mkdir(here('back'));
  await rig.run(['scp', at(`${there}/one`), here('back')]);
  expect(digest(await readFile(here('back/one')))).toBe(digest(bytes));
  expect(await readdir(here('back'))).toEqual(['one']);
});

test('a folder goes with all that is in it, and what is no file is said', async () => {
  await mkdir(here('box/inner'), { recursive: true });
  await writeFile(here('box/inner/deep'), 'deep');
  await symlink('/nowhere', here('box/link'));
  const told = await rig.run(['scp', '-r', here('box'), at(there), '--json']);
  expect(told).toContain('it is no file or folder');
  expect(await readFile(join(there, 'box/inner/deep'), 'utf8')).toBe('deep');
  await rig.run(['scp', '-r', at(`${there}/box`), here('copy')]);
  expect(await readFile(here('copy/inner/deep'), 'utf8')).toBe('deep');
});

test('a download that was broken off goes on with the same file, and begins anew with another', async () => {
  // Larger than what is known by its content.
  const bytes = randomBytes(1_500_000);
  await writeFile(join(there, 'cut'), bytes);
  const { size, mtimeMs } = await stat(join(there, 'cut'));
  const tag = `${(Math.floor(mtimeMs / 1000) * 1000).toString(36)}-${size.toString(36)}`;
  // What is kept is taken as it is: another first byte shows that it was.
  const kept = Buffer.from(bytes.subarray(0, 200_000));
  kept[0] = (kept[0] ?? 0) ^ 1;
  await writeFile(here(`cut.${tag}.part`), kept);
  await writeFile(here('cut.older-tag.part'), 'rubbish');
  await rig.run(['scp', at(join(there, 'cut')), here('cut')]);
  expect(await readFile(here('cut'))).toEqual(Buffer.concat([kept, bytes.subarray(200_000)]));
});

test('what cannot be copied is said of its file, the others go on, and the status shows it', async () => {
  await writeFile(here('good'), 'good');
  const { status, out, error } = await rig.spawn([
    ...['scp', at(`${there}/none`), at(`${there}/two`), rig.folder, '--json', '--session-file', rig.file],
  ]);
  expect([status, error]).toEqual([1, '']);
  const lines = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { error: string });
  expect(lines.map(line => line.error)).toEqual([`There is no ${there}/none on db-1.`, '']);
  await expect(rig.run(['scp', here('good'), here('two')])).rejects.toThrow('one side is here and the other a server');
  await expect(rig.run(['scp', here('good'), `${login}@nowhere:/tmp`])).rejects.toThrow('there is no server "nowhere"');
});
