import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { createRecordings } from '../recordings/recordings.ts';
import { PIECE_BYTES } from './fan-out.ts';
import { brokerOver, connectorOf, createShell, createSubscriber, person, server, size } from './sessions.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-batches-'));
const recordings = createRecordings({ folder });
afterAll(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});

async function start() {
  const shell = createShell();
  const connector = connectorOf(shell);
  const audit = { emit: async () => undefined };
  const broker = brokerOver(connector, { recordings, audit });
  const who = person('alice');
  const { sid } = await broker.open({ who, target: server, login: 'root', size });
  const [subscriber, watching] = [createSubscriber(), createSubscriber()];
  const pieces: number[] = [];
  const participant = broker.attach(sid, {
    who,
    mode: 'peer',
    size,
    subscriber: {
      ...subscriber,
      output(bytes, offset) {
        pieces.push(bytes.length);
        subscriber.output(bytes, offset);
      },
    },
  });
  broker.attach(sid, { who, mode: 'observer', size, subscriber: watching });
  return { shell, broker, sid, subscriber, watching, pieces, participant };
}
/** Bytes that say where they stand: one that is lost, doubled or moved shows. */
function numbered(from: number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => (((from + index) * 2_654_435_761) >>> 24) & 0x7f));
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('print' as const), bytes: fc.integer({ min: 1, max: 5000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('print' as const), bytes: fc.integer({ min: 1, max: 200_000 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize' as const), cols: fc.integer({ min: 20, max: 90 }) }) },
);

test('in whatever pieces and rhythm a shell prints, each participant and the recording get every byte once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async steps => {
      const { shell, sid, subscriber, watching, pieces, participant, broker } = await start();
      const all: Buffer[] = [];
      let printed = 0;
      for (const one of steps) {
        if (one.kind === 'turn') await setImmediate();
        else if (one.kind === 'resize') participant.resize({ cols: one.cols, rows: 24 });
        else {
          const bytes = numbered(printed, one.bytes);
          printed += one.bytes;
          all.push(Buffer.from(bytes));
          shell.print(bytes);
        }
      }
      // What waits for more is shown soon, though nothing more comes.
      await vi.waitFor(() => expect(subscriber.offset()).toBe(printed), { interval: 1 });
      shell.exit();
      await broker.close('');
      const whole = Buffer.concat(all);
      expect(subscriber.bytes().equals(whole)).toBe(true);
      expect(watching.bytes().equals(whole)).toBe(true);
      expect(Buffer.from((await recordings.stream(sid, 0, 10_000_000)) ?? []).equals(whole)).toBe(true);
      expect(Math.max(0, ...pieces)).toBeLessThanOrEqual(PIECE_BYTES);
    }),
    { numRuns: 25 },
  );
}, 30_000);

test('a key is echoed in the turn it comes, and a flow goes out in whole pieces', async () => {
  const { shell, subscriber, pieces } = await start();
  // No time passes: what waits for more waits until a piece is full.
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    for (let key = 0; key < 20; key += 1) {
      shell.print('x');
      await setImmediate();
      expect(subscriber.text()).toBe('x'.repeat(key + 1));
    }
    pieces.length = 0;
    for (let packet = 0; packet < 320; packet += 1) {
      shell.print(Buffer.alloc(4096, 'y'));
      await setImmediate();
    }
    expect(pieces.slice(0, 3)).toEqual([4096, PIECE_BYTES, PIECE_BYTES]);
    shell.exit();
    expect(subscriber.bytes().length).toBe(20 + 320 * 4096);
  } finally {
    vi.useRealTimers();
  }
});
