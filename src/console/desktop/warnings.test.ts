// What is said of a desktop that does not do all that a person may expect.
import { expect, test } from 'vitest';
import { warningsOf } from './warnings.ts';

test('that directories are not shared is always said, by its cause', () => {
  const desktop = { protocol: 'rdp', sharesClipboard: true, sharesDirectories: true } as const;
  expect(warningsOf(desktop)).toEqual([expect.stringContaining('what draws RDP in the browser has no way to')]);
  expect(warningsOf({ ...desktop, protocol: 'vnc' })).toEqual([expect.stringContaining('VNC has no way to')]);
  expect(warningsOf({ ...desktop, sharesDirectories: false })).toEqual([
    expect.stringContaining('(desktop_directory_sharing)'),
  ]);
});

test('that the clipboard is not shared is said where roles do not let it be', () => {
  const desktop = { protocol: 'vnc', sharesClipboard: false, sharesDirectories: true } as const;
  expect(warningsOf(desktop)).toEqual([expect.anything(), expect.stringContaining('(desktop_clipboard)')]);
});
