import { expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import type { RecoveredRecording } from '../../ports/recordings.ts';
import { headOf } from '../recordings/recordings.testing.ts';
import { createRetries } from '../retries.ts';
import { tellRecovered } from './recovered.ts';

const recovered = (sid: string, cut: boolean, settled: string[]): RecoveredRecording => ({
  head: headOf({ sid }),
  seal: { recording_key: 'key', recording_digest: 'digest' },
  cut,
  ended: new Date('2026-03-01T10:05:00Z'),
  participants: ['alice', 'bob'],
  bytes: 10,
  settle: async () => void settled.push(sid),
});

const lastIndexOf = async (sid: string) => (sid === 'one' ? 3 : -1);

test('each session that was cut short gets its end, and is settled only when the log has it', async () => {
  const settled: string[] = [];
  const log: AuditEntry[] = [];
  const retries = createRetries(() => undefined);
  const audit = { emit: async (entry: AuditEntry) => void log.push(entry) };
  await tellRecovered({ audit, retries, lastIndexOf }, [
    recovered('one', true, settled),
    recovered('two', false, settled),
  ]);
  expect(log[0]).toEqual({
    code: 'T2004I',
    ei: 4,
    user: 'alice',
    login: 'root',
    sid: 'one',
    namespace: 'default',
    server_id: 'server-1',
    server_hostname: 'db-3',
    server_addr: '10.0.0.3:22',
    proto: 'ssh',
    size: '80:24',
    interactive: true,
    enhanced_recording: false,
    session_recording: 'node',
    participants: ['alice', 'bob'],
    session_start: '2026-03-01T10:00:00.000Z',
    session_stop: '2026-03-01T10:05:00.000Z',
    recording_key: 'key',
    recording_digest: 'digest',
    recording_cut: true,
    message: 'The gateway stopped before this session ended; its recording was closed at the next start.',
  });
  expect(log[1]).toMatchObject({ sid: 'two', ei: 0, recording_cut: false });
  expect(log[1]).not.toHaveProperty('message');
  expect(settled).toEqual(['one', 'two']);
});

test('a full disk does not keep the gateway from starting: what could not be told is told when there is room', async () => {
  const settled: string[] = [];
  const log: AuditEntry[] = [];
  const problems: string[] = [];
  let isFull = true;
  const audit = {
    emit: async (entry: AuditEntry) => {
      if (isFull) throw new Error('ENOSPC');
      log.push(entry);
    },
  };
  const retries = createRetries(problem => void problems.push(problem));
  await tellRecovered({ audit, retries, lastIndexOf }, [recovered('three', true, settled)]);
  expect([log, settled, problems]).toEqual([
    [],
    [],
    ['session three, which was cut short: its end could not be written yet'],
  ]);
  isFull = false;
  // Whatever waits is tried once more when it closes.
  retries.close();
  await vi.waitFor(() => expect(settled).toEqual(['three']));
  expect(log).toMatchObject([{ sid: 'three', recording_cut: true }]);
});
