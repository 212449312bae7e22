import { expect, test } from 'vitest';
import { startTrace, TELEMETRY_KEY } from './trace.ts';

const storage = (setting: string | null) => ({ getItem: (key: string) => (key === TELEMETRY_KEY ? setting : null) });

// Rule 4: telemetry starts only where a local setting enable-telemetry is true
test.each([null, 'false', '', '1', 'TRUE'])('with the local setting %j calls are of no trace', setting => {
  expect(startTrace(storage(setting))()).toBe('');
});

// Rule 4: telemetry starts only where a local setting enable-telemetry is true
test('with the local setting true all calls are spans of one trace', () => {
  const next = startTrace(storage('true'));
  const [one = '', other = ''] = [next(), next()];
  expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(other.slice(0, 36)).toBe(one.slice(0, 36));
  expect(other).not.toBe(one);
});
