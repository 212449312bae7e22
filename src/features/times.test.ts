import { expect, test } from 'vitest';
import { dateTime, day, durationText, shortDay } from './times.ts';

// Rule 9: times and days as they are written
test('a time is written as YYYY-MM-DD HH:mm:ss, a day as YYYY-MM-DD, and what is no time as it is', () => {
  expect(dateTime('2026-03-04T05:06:07.890Z')).toBe('2026-03-04 05:06:07');
  expect(dateTime(Date.UTC(2026, 11, 31, 23, 59, 59))).toBe('2026-12-31 23:59:59');
  expect(dateTime('2026-03-04T05:06:07+02:00')).toBe('2026-03-04 03:06:07');
  expect(dateTime('never')).toBe('never');
  expect(day(new Date(2026, 0, 9))).toBe('2026-01-09');
});

// Rule 9: a day within a sentence is written as MMM dd, yyyy
test('a short day is MMM dd, yyyy in UTC, and what is no time stays as it is', () => {
  expect([shortDay('2026-01-09T23:59:59Z'), shortDay('2027-12-31T23:30:00-02:00'), shortDay('2026-05-04')]).toEqual([
    'Jan 09, 2026',
    'Jan 01, 2028',
    'May 04, 2026',
  ]);
  expect(shortDay('never')).toBe('never');
});

test('a length of time has its two largest units', () => {
  expect([0, 59_499, 60_000, 61_000, 3_600_000, 3_840_000, 90_000_000].map(durationText)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '1 min 1 s',
    '1 h',
    '1 h 4 min',
    '1 d 1 h',
  ]);
});
