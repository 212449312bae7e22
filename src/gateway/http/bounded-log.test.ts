import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openRig } from '../app.testing.ts';
import { createRequestLogs } from './bounded-log.ts';

const rule = { burst: 3, perMinute: 1 };

test('a client writes no more lines than the rule allows, and the next line says how many were left out', () => {
  const lines: { msg: string; leftOut?: number }[] = [];
  const log = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let now = 0;
  const logOf = createRequestLogs(rule, () => new Date(now), true);
  const from = (address: string) =>
    logOf(log, { headers: { 'x-forwarded-for': `forged, ${address}` }, socket: {} } as unknown as IncomingMessage);
  for (let made = 0; made < 10; made += 1) from('192.0.2.1').error({ made }, 'failed');
  from('192.0.2.1').debug('nobody asked for it');
  from('192.0.2.2').warn('another');
  now += 60_000;
  from('192.0.2.1').info('later');
  expect(lines.map(({ msg, leftOut }) => [msg, leftOut])).toEqual([
    ['failed', undefined],
    ['failed', undefined],
    ['failed', undefined],
    ['another', 7],
    ['later', undefined],
  ]);
});

test('a connection that was reset while it asked is refused like any other, and leaves no stack trace', async () => {
  const rig = await openRig({ config: { rateLimit: rule } });
  // What Node says of the peer of a socket that was reset before anybody asked.
  rig.app.server.prependListener('request', ({ socket }) =>
    Object.defineProperty(socket, 'remoteAddress', { value: undefined, configurable: true }),
  );
  const address = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  const statuses: number[] = [];
  for (let made = 0; made < 5; made += 1)
    statuses.push((await fetch(`${address}/v1/webapi/users/password/token/x`)).status);
  await rig.dispose();
  expect(statuses).toEqual([403, 403, 403, 429, 429]);
  expect(rig.log.map(line => JSON.parse(line) as { level: number }).filter(({ level }) => level > 30)).toEqual([]);
});
