import { describe, expect, test } from 'vitest';
import { alternatives, heardText, type KeyPress, parseChord, strokeOf } from './chords.ts';

/** A key event as a browser makes it: `modifiers` such as `ctrl shift`. */
const press = (key: string, modifiers = '', code = ''): KeyPress => ({
  key,
  code,
  ctrlKey: modifiers.includes('ctrl'),
  altKey: modifiers.includes('alt'),
  shiftKey: modifiers.includes('shift'),
  metaKey: modifiers.includes('meta'),
});

test('mod is Control, and Command on macOS', () => {
  expect(parseChord('mod+k', false)).toEqual(['ctrl+k']);
  expect(parseChord('mod+k', true)).toEqual(['meta+k']);
  expect(parseChord('ctrl+shift+k', true)).toEqual(['ctrl+shift+k']);
});

test('modifiers may be written in any order', () =>
  expect(parseChord('shift+ctrl+k', false)).toEqual(['ctrl+shift+k']));

test('a sequence is read stroke by stroke', () => expect(parseChord('g s', false)).toEqual(['g', 's']));

test('alt with a digit is Control with it on macOS, where Option types', () => {
  expect(parseChord('alt+1', true)).toEqual(['ctrl+1']);
  expect(heardText('alt+1', true)).toBe('ctrl+1');
  expect(heardText('alt+1', false)).toBe('alt+1');
});

test('several chords of one command are separated by a comma', () => {
  expect(alternatives('home, g g')).toEqual(['home', 'g g']);
  expect(alternatives('')).toEqual([]);
  expect(alternatives(undefined)).toEqual([]);
});

describe('a key press is the stroke', () => {
  test.each<[string, KeyPress, string | undefined]>([
    ['a bare letter', press('j'), 'j'],
    ['a letter with Caps Lock on', press('J'), 'j'],
    ['a capital letter', press('G', 'shift'), 'shift+g'],
    ['Control with a letter', press('k', 'ctrl'), 'ctrl+k'],
    ['Control and Shift with a letter', press('K', 'ctrl shift'), 'ctrl+shift+k'],
    ['a sign that takes Shift here', press('?', 'shift', 'Slash'), '?'],
    ['a sign that takes none there', press('?', '', 'Minus'), '?'],
    [
      'brackets with AltGr',
      { ...press('[', 'ctrl alt', 'Digit8'), getModifierState: name => name === 'AltGraph' },
      '[',
    ],
    ['Control with plus', press('+', 'ctrl shift', 'Equal'), 'ctrl+='],
    ['Control with minus', press('-', 'ctrl'), 'ctrl+-'],
    ['Control with underscore, which undoes in a shell', press('_', 'ctrl shift', 'Minus'), 'ctrl+_'],
    ['Alt with a digit', press('1', 'alt', 'Digit1'), 'alt+1'],
    ['Alt with a digit on a French layout', press('&', 'alt', 'Digit1'), 'alt+1'],
    ['Option with a digit on macOS', press('¡', 'alt', 'Digit1'), 'alt+1'],
    ['Control with a letter on a Cyrillic layout', press('л', 'ctrl', 'KeyK'), 'ctrl+k'],
    ['a bare letter on a Greek layout', press('γ', '', 'KeyG'), 'g'],
    ['a letter on Dvorak by what it types', press('k', 'ctrl', 'KeyV'), 'ctrl+k'],
    ['space', press(' '), 'space'],
    ['an arrow with Shift', press('ArrowDown', 'shift'), 'shift+down'],
    ['a function key', press('F1'), 'f1'],
    ['Control alone', press('Control', 'ctrl'), undefined],
    ['a dead key', press('Dead'), undefined],
    ['text that is being composed', { ...press('k'), isComposing: true }, undefined],
    ['an input method at work', press('Process'), undefined],
    ['a media key', press('AudioVolumeUp'), undefined],
  ])('%s', (_name, event, stroke) => expect(strokeOf(event)).toBe(stroke));
});
