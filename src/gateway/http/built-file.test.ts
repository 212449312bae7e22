import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBuiltFile } from './built-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-built-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Answers JSON, and tells how often it was read. */
function open(name: string) {
  const tried: string[] = [];
  const file = createBuiltFile(join(folder, name), text => {
    tried.push(text);
    return JSON.parse(text) as unknown;
  });
  const write = (text: string) => writeFile(join(folder, name), text);
  const until = async (count: number) => {
    while (tried.length < count) await new Promise(setImmediate);
  };
  return { file, tried, write, until };
}

test('a file is read once until it changes, however many ask', async () => {
  const { file, tried, write } = open('once');
  await write('1');
  expect(await Promise.all([file(), file(), file()])).toEqual([1, 1, 1]);
  expect(await file()).toBe(1);
  await write('2');
  await utimes(join(folder, 'once'), 1, 1);
  expect([await file(), tried]).toEqual([2, ['1', '2']]);
});

test('a file that a build has emptied is waited for', async () => {
  const { file, write, until } = open('emptied');
  await write('');
  const answer = file();
  await until(2);
  await write('{"built":true}');
  expect(await answer).toEqual({ built: true });
});

test('a file that a build has taken away is waited for, one that was never there is not', async () => {
  const { file, write } = open('gone');
  expect(await file()).toBeNull();
  await write('1');
  expect(await file()).toBe(1);
  await rm(join(folder, 'gone'));
  const answer = file();
  await write('2');
  expect(await answer).toBe(2);
});

test('a file that has been wrong for long is an error at once', async () => {
  const { file, tried, write } = open('wrong');
  await write('{');
  await utimes(join(folder, 'wrong'), 1, 1);
  await expect(file()).rejects.toThrow(SyntaxError);
  expect(tried).toHaveLength(1);
});
