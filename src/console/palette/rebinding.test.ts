import { beforeEach, expect, test } from 'vitest';
import type { KeyPress } from '../../../commands/chords.ts';
import { commandById, commands } from '../../../commands/index.ts';
import { factsWith } from '../../../commands/tools.testing.ts';
import { createKeymap, type Keymap } from './keymap.ts';
import { createRebinding, type Rebinding, recorded, storedChord } from './rebinding.ts';

let own: Readonly<Record<string, string>>;
let keymap: Keymap;
let rebinding: Rebinding;
beforeEach(() => {
  own = {};
  keymap = createKeymap({ commands, facts: () => factsWith(), run: () => {}, mac: false, later: () => () => {} });
  rebinding = createRebinding({ keymap, own: { read: () => own, write: next => (own = next) }, commandById });
});
const keysOf = (id: string): readonly string[] => keymap.allKeysOf(id).page;

test('a free chord is put in place and kept', () => {
  expect(rebinding.set('theme.dark', 'page', 'mod+shift+l')).toEqual({ kind: 'done' });
  expect([own, keysOf('theme.dark'), rebinding.hasOwn()]).toEqual([
    { 'theme.dark': 'mod+shift+l' },
    ['mod+shift+l'],
    true,
  ]);
});

test.each([
  ['mod+j', 'terminal.pane'],
  ['g s', 'goto.nodes'],
  ['g', 'goto.nodes'],
])('the chord %s is taken, and who has it is named', (chord, holder) => {
  const outcome = rebinding.set('theme.dark', 'page', chord);
  expect(outcome.kind === 'taken' && outcome.by.map(({ id }) => id)).toContain(holder);
  expect(own).toEqual({});
});

test('taking a chord leaves its holder without keys, and with them again after a reset of all', () => {
  expect(rebinding.set('theme.dark', 'page', 'mod+j', true)).toEqual({ kind: 'done' });
  expect([keysOf('theme.dark'), keysOf('terminal.pane')]).toEqual([['mod+j'], []]);
  rebinding.resetAll();
  expect([keysOf('theme.dark'), keysOf('terminal.pane'), own]).toEqual([[], ['mod+j'], {}]);
});

test('taking a chord that somebody chose for another command moves it', () => {
  rebinding.set('theme.dark', 'page', 'mod+shift+l');
  expect(rebinding.set('theme.light', 'page', 'mod+shift+l').kind).toBe('taken');
  expect(rebinding.set('theme.light', 'page', 'mod+shift+l', true)).toEqual({ kind: 'done' });
  expect([keysOf('theme.light'), keysOf('theme.dark')]).toEqual([['mod+shift+l'], []]);
});

test.each([
  ['page', 'mod+w', 'is kept by the browser for itself'],
  ['terminal', 'ctrl+c', 'is needed by the shell in a terminal'],
  ['terminal', 'x', 'is needed by the shell in a terminal'],
] as const)('%s: %s cannot be had, with the reason', (where, chord, why) => {
  const outcome = rebinding.set('help.open', where, chord, true);
  expect(outcome).toEqual({ kind: 'refused', why: expect.stringContaining(why) });
  expect(own).toEqual({});
});

test('one that reaches over terminals is taken in both places', () => {
  const outcome = rebinding.set('terminal.next', 'page', 'ctrl+shift+k');
  expect(outcome.kind === 'taken' && outcome.by.map(({ id }) => id)).toEqual(['palette.open']);
});

test('no keys at all is a choice; a reset gives back what the command came with', () => {
  rebinding.set('help.open', 'page', '');
  expect([keysOf('help.open'), rebinding.isOwn('help.open', 'page')]).toEqual([[], true]);
  rebinding.reset('help.open', 'page');
  expect([keysOf('help.open'), rebinding.isOwn('help.open', 'page')]).toEqual([['?'], false]);
});

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...more,
});

test('keys are recorded: bare ones may go on, chords are whole, Escape calls it off, Backspace is none', () => {
  expect(recorded([], press('g'))).toEqual({ kind: 'waiting', strokes: ['g'] });
  expect(recorded(['g'], press('x'))).toEqual({ kind: 'waiting', strokes: ['g', 'x'] });
  expect(recorded(['g', 'x'], press('y'))).toEqual({ kind: 'whole', strokes: ['g', 'x', 'y'] });
  expect(recorded([], press('k', { ctrlKey: true }))).toEqual({ kind: 'whole', strokes: ['ctrl+k'] });
  expect(recorded([], press('F2'))).toEqual({ kind: 'whole', strokes: ['f2'] });
  expect(recorded([], press('Shift', { shiftKey: true }))).toEqual({ kind: 'waiting', strokes: [] });
  expect(recorded(['g'], press('Escape'))).toEqual({ kind: 'cancelled', strokes: [] });
  expect(recorded([], press('Backspace'))).toEqual({ kind: 'none', strokes: [] });
});

test('a chord of a page is kept so that it fits both kinds of keyboard; one for a terminal is kept as pressed', () => {
  expect(storedChord(['ctrl+k'], 'page', false)).toBe('mod+k');
  expect(storedChord(['shift+meta+k'], 'page', true)).toBe('shift+mod+k');
  expect(storedChord(['ctrl+shift+k'], 'terminal', false)).toBe('ctrl+shift+k');
});
