// What tests of recordings record.
import { randomUUID } from 'node:crypto';
import type { RecordingHead } from '../../ports/recordings.ts';

/** A shell of alice on db-3; `parts`: what is otherwise. */
export const headOf = (parts: Partial<RecordingHead> = {}): RecordingHead => ({
  sid: randomUUID(),
  user: 'alice',
  login: 'root',
  serverId: 'server-1',
  hostname: 'db-3',
  addr: '10.0.0.3:22',
  clusterName: 'main',
  size: { cols: 80, rows: 24 },
  started: new Date('2026-03-01T10:00:00Z'),
  kind: 'terminal',
  proto: 'ssh',
  ...parts,
});
