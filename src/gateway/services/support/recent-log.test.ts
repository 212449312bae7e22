import { pino } from 'pino';
import { expect, test } from 'vitest';
import { keepRecent } from './recent-log.ts';

function open() {
  const written: string[] = [];
  const recent = keepRecent({ write: line => void written.push(line) });
  return { written, recent, log: pino({ level: 'info' }, recent) };
}

test('warnings and errors are kept as they were said, all lines go on', () => {
  const { written, recent, log } = open();
  log.info('a start');
  log.warn('a full disk');
  log.error({ err: new Error('no route'), reqId: 'req-1' }, 'a server that is gone');
  log.fatal('an end');
  expect(written).toHaveLength(4);
  expect(recent.lines()).toMatchObject([
    { level: 'warn', message: 'a full disk' },
    { level: 'error', message: 'a server that is gone', error: expect.stringContaining('no route'), request: 'req-1' },
    { level: 'fatal', message: 'an end' },
  ]);
});

test('addresses, headers and whatever else a line holds stay at home', () => {
  const { recent, log } = open();
  log.warn({ req: { url: '/web/invite/of-a-person' }, password: 'of-a-person', note: 'of-a-person' }, 'refused');
  expect(JSON.stringify(recent.lines())).not.toContain('of-a-person');
});

test('the newest lines stay, and a long one is cut', () => {
  const { recent, log } = open();
  for (let at = 0; at < 300; at++) log.warn(`line ${at}`);
  log.warn('x'.repeat(5000));
  const lines = recent.lines();
  expect(lines).toHaveLength(200);
  expect(lines.at(-2)?.message).toBe('line 299');
  expect(lines.at(-1)?.message).toBe(`${'x'.repeat(2000)}…`);
});
