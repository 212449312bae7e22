import { hash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RecordingFile } from '../../../contract/recordings.ts';
import { headOf } from './recordings.testing.ts';
import { createRecordings } from './recordings.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

/** The file of a session that printed this. */
async function saved(format: RecordingFile, prints: readonly string[], hostname = 'db-3'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-export-'));
  let ms = 0;
  const recordings = createRecordings({ folder, clock: () => ms });
  undo.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => recordings.close(),
  );
  const sid = randomUUID();
  const recorder = await recordings.open(headOf({ sid, hostname }), 'strict');
  for (const print of prints) {
    ms += 1000;
    recorder.output(Buffer.from(print));
  }
  recorder.resize({ cols: 100, rows: 30 });
  await recorder.end();
  let file = '';
  for await (const part of (await recordings.file(sid, format)) ?? []) file += part;
  return file;
}

test('the text is what was printed, without what moves the cursor, whole characters and all', async () => {
  const half = Buffer.from('ü').toString('latin1');
  expect(half).toHaveLength(2);
  expect(await saved('text', ['\x1b[32m$\x1b[0m ls\r\n', '\x1b]0;title\x07grü', 'ße\x1b[', '1m!\r\n'])).toBe(
    '$ ls\ngrüße!\n',
  );
});

test('a long text loses nothing where it is put together', async () => {
  const lines = Array.from({ length: 9000 }, (_, at) => `line ${at} \x1b[31mred\x1b[0m\r\n`);
  expect(await saved('text', [lines.join('')])).toBe(lines.map((_, at) => `line ${at} red\n`).join(''));
});

test('a page lets run only its own scripts, reaches no network, and what was printed is data', async () => {
  const hostile = `</script><script>alert(1)</script><img src="https://evil.example/">\x1b]52;c;eA==\x07`;
  const page = await saved('html', [hostile], '<b>db"&');
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(policy).toContain("default-src 'none'");
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
  expect(scripts).toHaveLength(2);
  for (const script of scripts) expect(policy).toContain(`'sha256-${hash('sha256', script, 'base64')}'`);
  const outside = scripts.reduce((rest, script) => rest.replace(script, ''), page);
  expect(outside).not.toMatch(/evil|alert|<b>|<img|src=|href=|url\(/);
  expect(outside).toContain('root@&#60;b&#62;db&#34;&#38;');
  const [, data = ''] = /type="text\/plain">\s*([\s\S]*?)<\/script>/.exec(page) ?? [];
  const [head = '', first = '', resize] = data.trim().split('\n');
  expect(JSON.parse(Buffer.from(head, 'base64').toString())).toEqual({ cols: 80, rows: 24 });
  expect(Buffer.from(first.split(' ')[2] ?? '', 'base64').toString()).toBe(hostile);
  expect(resize).toBe('1000 r 100x30');
});

test('a list is of statements and requests alone: of what a terminal showed there is none', async () => {
  await expect(saved('csv', ['$ ls\r\n'])).rejects.toThrow('holds no list of statements or requests');
});

test('statements stand in their order, with what became of each and what was said of it; what a spreadsheet would run is text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-export-'));
  const recordings = createRecordings({ folder });
  undo.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => recordings.close(),
  );
  const sid = randomUUID();
  const recorder = await recordings.open(headOf({ sid, proto: 'db' }), 'strict');
  recorder.told({ kind: 'statement', text: '=1+1' });
  recorder.told({ kind: 'statement', text: 'two' });
  recorder.told({ kind: 'review', text: 'allowed once by bob' });
  recorder.told({ kind: 'answer', statement: 1, took: 2500, rows: 7, error: '' });
  recorder.told({ kind: 'answer', statement: 0, took: 1000, rows: null, error: 'no, "never"' });
  recorder.told({ kind: 'statement', text: 'unanswered', parameters: 2 });
  recorder.told({ kind: 'progress', statement: 2, took: 20_000_000, rows: 500 });
  await recorder.end();
  let file = '';
  for await (const part of (await recordings.file(sid, 'csv')) ?? []) file += part;
  expect(file.replaceAll(/^20[^,]+/gm, 'T')).toBe(
    [
      'time,statement,parameters,rows,ms,error,reviews',
      `T,'=1+1,,,1,"no, ""never""",`,
      'T,two,,7,2.5,,allowed once by bob',
      'T,unanswered,2,500,,,',
      '',
    ].join('\r\n'),
  );
});
