// What a real gateway measures and says of itself, over HTTP.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRig } from './app.testing.ts';
import { endProcesses, gatewayOn, urlIn } from './main.testing.ts';
import { createMetrics } from './services/metrics/metrics.ts';
import { createReadiness } from './services/readiness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-metrics-'));
});
afterEach(async () => {
  endProcesses();
  await rm(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise(done => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
/** Samples by name and labels. */
const samplesOf = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

test('metrics are on an address of their own, and count what a gateway does', async () => {
  const port = await freePort();
  const gateway = gatewayOn(folder, '--metrics-listen', `127.0.0.1:${port}`);
  await gateway.until('/web/invite/');
  const web = urlIn(gateway);
  const read = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    return samplesOf(await answer.text());
  };
  const before = await read();
  expect(before.get('postern_sessions{protocol="ssh"}')).toBe(0);
  expect(before.get('postern_store_waiting{queue="writer"}')).toBe(0);
  expect(before.get('postern_recordings_waiting')).toBe(0);
  expect(before.get('postern_store_seconds_count{operation="write"}')).toBeGreaterThan(0);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_cpu_seconds_total'])
    expect(before.has(name)).toBe(true);

  expect((await fetch(`${web}/v1/webapi/users`)).status).toBe(403);
  expect((await fetch(`${web}/v1/webapi/nothing`)).status).toBe(404);
  const after = await read();
  expect(after.get('postern_refusals_total{reason="signed_out"}')).toBe(1);
  expect(after.get('postern_refusals_total{reason="not_found"}')).toBe(1);

  // The console's address has none, the metrics' address nothing else.
  expect((await fetch(`${web}/metrics`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/web`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);

  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
});

test('bytes of sessions are counted by protocol and direction, and sessions while they run', async () => {
  const metrics = createMetrics();
  let print: (bytes: Uint8Array) => void = () => undefined;
  const typed: Uint8Array[] = [];
  const shell = {
    write: (bytes: Uint8Array) => void typed.push(bytes),
    onOutput: (listener: typeof print) => {
      print = listener;
    },
  };
  const counted = metrics.counted({ ssh: { open: async () => shell as never } }).ssh;
  const opened = await counted.open({} as never, {} as never);
  const seen: Uint8Array[] = [];
  opened.onOutput(bytes => void seen.push(bytes));
  opened.write(Buffer.from('ls\n'));
  print(Buffer.from('a file\r\n'));
  expect([Buffer.concat(typed).toString(), Buffer.concat(seen).toString()]).toEqual(['ls\n', 'a file\r\n']);
  metrics.watch({
    sessions: () => ['ssh', 'ssh', 'desktop'],
    storeWaiting: () => ({ pool: 3 }),
    recordingsWaiting: () => 2,
    recordingsUnsent: () => 4,
  });
  const samples = samplesOf(await metrics.text());
  expect(samples.get('postern_session_bytes_total{protocol="ssh",direction="to_host"}')).toBe(3);
  expect(samples.get('postern_session_bytes_total{protocol="ssh",direction="from_host"}')).toBe(8);
  expect(samples.get('postern_sessions{protocol="ssh"}')).toBe(2);
  expect(samples.get('postern_sessions{protocol="desktop"}')).toBe(1);
  expect(samples.get('postern_sessions{protocol="db"}')).toBe(0);
  expect(samples.get('postern_store_waiting{queue="pool"}')).toBe(3);
  expect(samples.get('postern_recordings_waiting')).toBe(2);
});

test('a gateway says which of its parts is not ready', async () => {
  const rig = await openRig();
  try {
    const ready = await rig.app.inject({ url: '/readyz' });
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { status: 'ok', parts: { store: 'ok', recordings: 'ok', signing_keys: 'ok' } },
    ]);
  } finally {
    await rig.dispose();
  }
  const reported: string[] = [];
  const fails = () => {
    throw new Error('secret plumbing');
  };
  // Nobody may write below a file, root neither.
  const file = join(folder, 'file');
  await writeFile(file, '');
  await chmod(file, 0o600);
  const broken = await openRig({
    services: {
      ready: createReadiness({
        readStore: fails,
        recordingsFolder: join(file, 'recordings'),
        sign: fails,
        report: problem => void reported.push(problem),
      }),
    },
  });
  try {
    const answer = await broken.app.inject({ url: '/readyz' });
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      {
        status: 'not ready',
        parts: {
          store: 'the store does not answer',
          recordings: 'recordings cannot be written',
          signing_keys: 'certificates cannot be signed',
        },
      },
    ]);
    expect(reported).toHaveLength(3);
    expect((await broken.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  } finally {
    await broken.dispose();
  }
});
