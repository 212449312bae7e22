import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import type { Connector } from '../../ports/servers.ts';
import { createRecordings } from '../recordings/recordings.ts';
import { brokerOver, createSubscriber, person, server, size } from './sessions.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-live-'));
const recordings = createRecordings({ folder });
afterAll(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});

/** On a busy machine a shell takes its time. */
const WAIT = { timeout: 10_000 };

/** A real shell of this machine in a real pty. */
const connector: Connector = {
  async open(_target, request) {
    const pty = spawn('/bin/sh', ['-i'], {
      ...request.size,
      name: 'xterm-256color',
      encoding: null,
      env: { PATH: process.env.PATH ?? '', PS1: '$ ', TERM: 'xterm-256color' },
    });
    let open = true;
    return {
      write: bytes => open && pty.write(Buffer.from(bytes).toString('utf8')),
      resize: to => open && pty.resize(to.cols, to.rows),
      pause: () => pty.pause(),
      resume: () => pty.resume(),
      onOutput: listener => void pty.onData(text => listener(Buffer.from(text as unknown as Uint8Array), 'stdout')),
      onExit: listener =>
        void pty.onExit(({ exitCode }) => {
          open = false;
          listener({ code: exitCode, signal: null, error: null });
        }),
      onGone: () => undefined,
      roundTrip: async () => 0,
      close: () => open && pty.kill('SIGHUP'),
    };
  },
};

test('a real shell is typed into, left, come back to, resized and ended, and its recording holds what was seen', async () => {
  const log: AuditEntry[] = [];
  const audit = { emit: async (entry: AuditEntry) => void log.push(entry) };
  const broker = brokerOver(connector, { recordings, audit });
  const who = person('alice');
  const { sid } = await broker.open({ who, target: server, login: 'root', size });
  const first = createSubscriber();
  const participant = broker.attach(sid, { who, mode: '', size, subscriber: first });
  await vi.waitFor(() => expect(first.text()).toContain('$ '), WAIT);
  participant.input(Buffer.from('echo one-$((40+2))\r'));
  await vi.waitFor(() => expect(first.text()).toContain('one-42'), WAIT);
  // The connection breaks while the shell goes on printing.
  participant.input(Buffer.from('seq 20000; echo done-$((1+1))\r'));
  participant.drop();
  const second = createSubscriber();
  const again = broker.attach(sid, {
    who,
    mode: '',
    size: { cols: 100, rows: 40 },
    have: first.offset(),
    subscriber: second,
  });
  expect(second.frames[0]?.output).toEqual({ offset: first.offset(), fresh: false });
  await vi.waitFor(() => expect(second.text()).toContain('done-2'), WAIT);
  again.input(Buffer.from('stty size\r'));
  await vi.waitFor(() => expect(second.text()).toContain('40 100'), WAIT);
  again.input(Buffer.from('exit 3\r'));
  await vi.waitFor(() => expect(second.end()).toEqual({ kind: 'exited', text: 'The program ended with 3.' }));
  const end = await vi.waitFor(() => {
    const found = log.find(({ code }) => code === 'T2004I');
    if (!found) throw new Error('not ended yet');
    return found;
  });
  const seen = Buffer.concat([first.bytes(), second.bytes()]);
  expect(seen.toString()).toContain('\r\n19999\r\n20000\r\n');
  const kept = Buffer.from((await recordings.stream(sid, 0, 5_000_000)) ?? []);
  expect(kept.equals(seen)).toBe(true);
  expect(log.find(({ code }) => code === 'T2006I')).toMatchObject({ tx: seen.length });
  expect(end.size).toBe('100:40');
  expect((await recordings.summary(sid))?.resizes).toMatchObject([{ cols: 100, rows: 40 }]);
}, 20_000);
