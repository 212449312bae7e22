// A disk of recordings that fills up, for real: a small one in memory, where mounting is permitted.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import { createRecordings } from '../recordings/recordings.ts';
import { brokerOver, connectorOf, createShell, createSubscriber, person, server, size } from './sessions.testing.ts';

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'postern-full-'));
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    process.stdout.write('skipped: this account may not mount a small disk to fill up\n');
    return false;
  }
}
const PAGE_BYTES = 4096;
/** Writes until there is no room for another byte. */
function fill(file: string): void {
  for (let bytes = 64 * 1024; bytes >= 1; ) {
    try {
      appendFileSync(file, Buffer.alloc(bytes));
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  }
}
const isMounted = mount();
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', folder]);
  rmSync(folder, { recursive: true });
});

test.runIf(isMounted)(
  'a session that a full disk ended gets its end and its recording once there is room, without a restart',
  async () => {
    const ballast = join(folder, 'ballast');
    const recordings = createRecordings({ folder, report: () => undefined });
    const log: AuditEntry[] = [];
    const problems: string[] = [];
    const audit = { emit: async (entry: AuditEntry) => void log.push(entry) };
    const shell = createShell();
    const broker = brokerOver(connectorOf(shell), { recordings, audit, report: problem => problems.push(problem) });
    const who = person('alice');
    const { sid } = await broker.open({ who, target: server, login: 'root', size });
    const subscriber = createSubscriber();
    broker.attach(sid, { who, mode: '', size, subscriber });
    // The recording ends just before a page does: what is left of its last page holds no seal, and the disk has no other.
    const written = (): number => statSync(join(folder, `${sid}.rec`)).size;
    const room = (): number => -written() & (PAGE_BYTES - 1);
    for (let printed = 0; printed < 200 && room() >= 64; printed++) {
      const before = written();
      shell.print(randomBytes(Math.max(1, room() - 128)));
      await vi.waitFor(() => expect(written()).toBeGreaterThan(before), { interval: 5 });
    }
    expect(room()).toBeLessThan(64);
    fill(ballast);
    shell.print(randomBytes(PAGE_BYTES));
    await vi.waitFor(() => expect(subscriber.end()).not.toBeNull());
    expect(subscriber.end()).toMatchObject({ kind: 'unrecorded' });
    expect(log.filter(({ code }) => code === 'T2004I')).toEqual([]);
    await vi.waitFor(() => expect(problems).toContain(`session ${sid}: its end could not be written yet`));
    rmSync(ballast);
    const end = await vi.waitFor(
      () => log.find(({ code }) => code === 'T2004I') ?? Promise.reject(new Error('not ended yet')),
      30_000,
    );
    expect(end).toMatchObject({ sid, recording_digest: expect.any(String) });
    expect(await recordings.summary(sid)).toMatchObject({ sid, state: 'sealed', integrity: { ok: true } });
    await broker.close('the test is over');
    await recordings.close();
  },
);
