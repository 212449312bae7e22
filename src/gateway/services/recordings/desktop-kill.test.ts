import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDrawing } from '../desktop-drawing/drawing.ts';
import { createRecordings, type Recordings } from './recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [WIDTH, HEIGHT] = [128, 96];
/** Records one screen after another, each in the colour of its number, and says which it has been allowed to show. */
const program = `
import { writeSync } from 'node:fs';
import { createRecordings } from ${JSON.stringify(join(import.meta.dirname, 'recordings.ts'))};
const [folder, sid] = process.argv.slice(1);
const recorder = await createRecordings({ folder }).open({ sid, user: 'alice', login: 'alice', serverId: '', hostname: 'lab', addr: 'lab:5900',
  clusterName: 'c', size: { cols: ${WIDTH}, rows: ${HEIGHT} }, started: new Date(), kind: 'desktop', proto: 'vnc' }, 'strict');
const head = [0, 0, 0, 1, 0, 0, 0, 0, 0, ${WIDTH}, 0, ${HEIGHT}, 0, 0, 0, 0];
recorder.output(Buffer.from([0, ${WIDTH}, 0, ${HEIGHT}, ...Array(20).fill(0)]));
for (let colour = 1; ; colour += 1) {
  recorder.output(Buffer.concat([Buffer.from(head), Buffer.alloc(4 * ${WIDTH * HEIGHT}, colour & 255)]));
  writeSync(1, \`\${colour}\\n\`);
}`;

/** The red of what is on the screen at the end of it. */
async function colourAtEnd(recordings: Recordings, sid: string): Promise<number> {
  const found = await recordings.desktop(sid);
  if (!found) throw new Error('there is no recording');
  const drawing = openDrawing({ protocol: found.protocol });
  let before = Buffer.alloc(0);
  try {
    for await (const { bytes } of found.events) {
      await drawing.feed(bytes);
      before = Buffer.from(bytes);
    }
    // A screen that is whole was drawn: what the last chunk has is there.
    expect(await drawing.thumbnail(8)).not.toBeNull();
  } finally {
    await drawing.close();
  }
  return before.at(-1) ?? -1;
}

test('a gateway that is killed while a desktop is shown leaves a recording that plays to the last screen that was shown', async () => {
  for (const after of [1, 40]) {
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
    const [found] = await recordings.recover();
    expect([found?.head.sid, found?.cut]).toEqual([sid, true]);
    // What was recorded and not said any more may be there too.
    expect([shown & 255, (shown + 1) & 255]).toContain(await colourAtEnd(recordings, sid));
    expect(await recordings.summary(sid)).toMatchObject({ state: 'cut', integrity: { ok: true }, desktop: 'vnc' });
    await found?.settle();
    await recordings.close();
  }
}, 30_000);
