import { expect, test } from 'vitest';
import { clipboardKey, type PressedKey, softKeyText, withModifiers } from './keys.ts';

const press = (text: string): PressedKey => {
  const parts = text.split('+');
  const key = parts.pop() ?? '';
  return {
    key,
    code: '',
    ctrlKey: parts.includes('ctrl'),
    shiftKey: parts.includes('shift'),
    altKey: parts.includes('alt'),
    metaKey: parts.includes('meta'),
  };
};

test.each([
  ['ctrl+shift+C', false, false, 'copy'],
  ['ctrl+shift+V', false, false, 'paste'],
  ['shift+Insert', false, false, 'paste'],
  ['ctrl+Insert', false, false, 'copy'],
  ['ctrl+c', true, false, 'copy'],
  ['ctrl+c', false, false, null],
  ['ctrl+c', true, true, null],
  ['meta+c', true, true, 'copy'],
  ['meta+c', false, true, null],
  ['meta+v', false, true, 'paste'],
  ['ctrl+v', false, false, null],
  ['ctrl+v', false, true, null],
] as const)('%s, with a selection: %s, on a Mac: %s, means %s', (key, selected, mac, means) => {
  expect(clipboardKey(press(key), selected, mac)).toBe(means);
});

test('no other chord is taken from the shell', () => {
  const keys = [
    ...'abdefghijklmnopqrstuwxyz0123456789',
    'Enter',
    'Tab',
    'Escape',
    'Backspace',
    'Delete',
    'Home',
    'ArrowUp',
    'F1',
    'F12',
  ];
  const sets = ['', 'ctrl+', 'shift+', 'alt+', 'meta+', 'ctrl+shift+', 'ctrl+alt+', 'alt+shift+', 'ctrl+alt+shift+'];
  for (const key of keys)
    for (const set of sets)
      for (const mac of [true, false]) expect(clipboardKey(press(set + key), true, mac)).toBeNull();
});

test('arrows of the phone row follow the cursor-key mode', () => {
  expect([
    softKeyText('up', false),
    softKeyText('up', true),
    softKeyText('escape', true),
    softKeyText('tab', false),
  ]).toEqual(['\x1b[A', '\x1bOA', '\x1b', '\t']);
});

test.each([
  ['c', true, false, '\x03'],
  ['C', true, false, '\x03'],
  ['[', true, false, '\x1b'],
  [' ', true, false, '\x00'],
  ['?', true, false, '\x7f'],
  ['1', true, false, '1'],
  ['b', false, true, '\x1bb'],
  ['c', true, true, '\x1b\x03'],
  ['ab', true, false, 'ab'],
])('%j with ctrl %s and alt %s held is sent as %j', (text, ctrl, alt, sent) =>
  expect(withModifiers(text, { ctrl, alt })).toBe(sent),
);
