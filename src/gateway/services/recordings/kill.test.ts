import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRecordings } from './recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A process that records in strict mode as fast as it can, and says how many bytes it has been allowed to show. */
const program = `
import { writeSync } from 'node:fs';
import { createRecordings } from ${JSON.stringify(join(import.meta.dirname, 'recordings.ts'))};
const [folder, sid] = process.argv.slice(1);
const recorder = await createRecordings({ folder }).open({ sid, user: 'alice', login: 'root', serverId: 's', hostname: 'h', addr: 'h:22',
  clusterName: 'c', size: { cols: 80, rows: 24 }, started: new Date(), proto: 'ssh' }, 'strict');
let shown = 0;
for (let line = 0; ; line += 1) {
  const text = Buffer.from(\`\${line} \${'x'.repeat(line % 3000)}\\n\`);
  recorder.output(text);
  shown += text.length;
  writeSync(1, \`\${shown}\\n\`);
}`;
const expected = (bytes: number): string => {
  let text = '';
  for (let line = 0; text.length < bytes; line += 1) text += `${line} ${'x'.repeat(line % 3000)}\n`;
  return text.slice(0, bytes);
};

test('killed at any moment, a strict recording holds every byte that was shown', async () => {
  for (const after of [1, 3000, 100_000, 400_000, 1_000_000]) {
    const sid = randomUUID();
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program, folder, sid], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    const reached = Promise.withResolvers<void>();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (Number(said.split('\n').at(-2) ?? 0) >= after) reached.resolve();
    });
    const closed = once(child, 'close');
    await reached.promise;
    child.kill('SIGKILL');
    await closed;
    const shown = Number(said.split('\n').at(-2));
    const recordings = createRecordings({ folder });
    const [found, ...more] = await recordings.recover();
    expect([found?.head.sid, found?.cut, more]).toEqual([sid, true, []]);
    expect(found?.bytes).toBeGreaterThanOrEqual(shown);
    const kept = Buffer.from((await recordings.stream(sid, 0, Number(found?.bytes))) ?? []).toString();
    expect(kept === expected(kept.length)).toBe(true);
    expect(await recordings.summary(sid)).toMatchObject({ state: 'cut', integrity: { ok: true }, bytes: found?.bytes });
    await found?.settle();
    await recordings.close();
  }
}, 20_000);
