import { expect, test } from 'vitest';
import { moved, timesOf } from './brush.ts';

test('keys move the cursor within the timeline, and draw a stretch with Shift', () => {
  const press = (keys: readonly string[]) =>
    keys.reduce((brush, key) => moved(brush, key.replace('shift+', ''), key.startsWith('shift+'), 60) ?? brush, {
      from: 59,
      at: 59,
    });
  expect(press(['ArrowRight'])).toEqual({ from: 59, at: 59 });
  expect(press(['PageUp', 'ArrowLeft'])).toEqual({ from: 48, at: 48 });
  expect(press(['Home', 'shift+ArrowRight', 'shift+ArrowRight'])).toEqual({ from: 0, at: 2 });
  expect(press(['Home', 'shift+End', 'ArrowLeft'])).toEqual({ from: 58, at: 58 });
  expect(moved({ from: 0, at: 0 }, 'j', false, 60)).toBeNull();
});

test('a stretch is from the first moment of its first slice to the end of its last, drawn either way', () => {
  const range = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' };
  const hours = { from: '2026-03-01T06:00:00.000Z', to: '2026-03-01T09:00:00.000Z' };
  expect(timesOf(range, { from: 6, at: 8 }, 24)).toEqual(hours);
  expect(timesOf(range, { from: 8, at: 6 }, 24)).toEqual(hours);
});
