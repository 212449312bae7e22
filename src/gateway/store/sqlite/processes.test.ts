// One process per data folder, and what a killed process leaves behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../lock.ts';
import { openStore } from '../open.ts';

let folder = '';
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-process-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A gateway process in small: opens the store and, when told a number of writers, appends for ever, printing what was acknowledged. */
const script = (writers: number) => `
import { openStore } from ${JSON.stringify(new URL('../open.ts', import.meta.url).href)};
const store = await openStore({ kind: 'sqlite', folder: ${JSON.stringify(folder)} });
console.log('open');
let next = 0;
const write = async () => {
  for (;;) {
    const uid = process.pid + '-' + next++;
    const time = new Date();
    await store.events.append({ uid, time, type: 'test', code: 'T', user: 'alice', sid: '', raw: { uid, filler: 'x'.repeat(300) } });
    process.stdout.write(uid + '\\n');
  }
};
await Promise.all(Array.from({ length: ${writers} }, write));
if (${writers} === 0) setInterval(() => {}, 1000);
`;

function start(writers: number): {
  readonly child: ChildProcess;
  readonly lines: string[];
  until(count: number): Promise<void>;
  kill(): Promise<void>;
} {
  const file = join(folder, 'gateway.mjs');
  writeFileSync(file, script(writers));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout ?? process.stdin });
  let seen = () => {};
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  output.on('line', line => {
    lines.push(line);
    seen();
  });
  return {
    child,
    lines,
    until: count =>
      new Promise((resolve, reject) => {
        seen = () => {
          if (lines.length >= count) resolve();
        };
        void ended.then(() => reject(new Error(`ended after ${lines.length} lines`)));
        seen();
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('a second process is refused, naming the folder and the process that holds it, until that one is killed', async () => {
  const first = start(0);
  await first.until(1);
  const refused = { name: 'FolderInUse', folder, pid: first.child.pid };
  await expect(openStore({ kind: 'sqlite', folder })).rejects.toMatchObject(refused);
  await expect(lockFolder(folder)).rejects.toThrow(
    `The data folder ${folder} is in use by another Postern process (pid ${first.child.pid})`,
  );
  await first.kill();
  const store = await openStore({ kind: 'sqlite', folder });
  await store.close();
});

test('within one process the command line and the store share the lock, but two stores do not', async () => {
  const lock = await lockFolder(folder);
  const store = await openStore({ kind: 'sqlite', folder });
  await expect(openStore({ kind: 'sqlite', folder })).rejects.toThrow('open already');
  lock.release();
  lock.release();
  expect(await store.users.list()).toEqual([]);
  await store.close();
  const again = await openStore({ kind: 'sqlite', folder });
  await again.close();
  const second = start(0);
  await second.until(1);
});

test('killed at any moment, every acknowledged event is there afterwards and the chain is whole', async () => {
  for (const acknowledged of [1, 40, 400]) {
    const process = start(16);
    await process.until(1 + acknowledged);
    await process.kill();
    const store = await openStore({ kind: 'sqlite', folder });
    const kept = new Set<string>();
    let startKey = '';
    do {
      const page = await store.events.search({
        from: new Date(0),
        to: new Date('2100-01-01'),
        limit: 10_000,
        startKey,
        types: [],
        descending: false,
      });
      for (const { uid } of page.events) kept.add(uid);
      startKey = page.startKey;
    } while (startKey !== '');
    // The last line may have been cut off by the kill.
    const complete = process.lines.slice(1, -1);
    expect(complete.length).toBeGreaterThanOrEqual(acknowledged - 1);
    expect(complete.filter(uid => !kept.has(uid))).toEqual([]);
    expect(await store.events.verify()).toBeNull();
    await store.close();
  }
}, 30_000);

test('the folder and its files are for their owner only', async () => {
  const inside = join(folder, 'made', 'here');
  const store = await openStore({ kind: 'sqlite', folder: inside });
  await store.settings.put('key', 'value');
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(
    ['', 'postern.db', 'postern.db-wal', 'postern.db-shm', 'lock.db', 'lock.pid'].map(name => mode(join(inside, name))),
  ).toEqual(['700', '600', '600', '600', '600', '600']);
  await store.close();
});
