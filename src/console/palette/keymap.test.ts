import { beforeEach, describe, expect, test } from 'vitest';
import type { KeyPress } from '../../../commands/chords.ts';
import type { Facts } from '../../../commands/command.ts';
import { hasDesktop, onList } from '../../../commands/gates.ts';
import { commands } from '../../../commands/index.ts';
import { factsWith } from '../../../commands/tools.testing.ts';
import { type FeatureId, features as table } from '../../features/table.ts';
import { hintsFor } from '../shell/status-text.ts';
import { createKeymap, type Hearing, SEQUENCE_MS } from './keymap.ts';

const terminal = { sid: 's', title: 'root@db-3', serverId: 'n', login: 'root', connected: true, hasSelection: true };
let facts: Facts;
let ran: string[];
/** What waits to be run later, with its delay. */
let waiting: { readonly action: () => void; readonly ms: number }[];

beforeEach(() => {
  facts = factsWith({ terminal, terminalCount: 9 });
  ran = [];
  waiting = [];
});

function keymapOn(mac = false) {
  return createKeymap({
    commands,
    facts: () => facts,
    run: id => ran.push(id),
    mac,
    later: (action, ms) => {
      const entry = { action, ms };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter(other => other !== entry);
      };
    },
  });
}

const page: Hearing = { focus: 'page', owned: 'none' };
const typing: Hearing = { focus: 'typing', owned: 'none' };
const shell: Hearing = { focus: 'terminal', owned: 'none' };
const modal: Hearing = { focus: 'modal', owned: 'none' };

/** A key press from text such as `ctrl+shift+K`; the last part is the browser's name of the key. */
function key(text: string, more: Partial<KeyPress> = {}): KeyPress {
  const parts = text.split('+');
  const name = parts.pop() ?? '';
  const digit = /^[0-9]$/.test(name) ? { code: `Digit${name}` } : {};
  return {
    key: name,
    ctrlKey: parts.includes('ctrl'),
    altKey: parts.includes('alt'),
    shiftKey: parts.includes('shift'),
    metaKey: parts.includes('meta'),
    ...digit,
    ...more,
  };
}

describe('on a page', () => {
  test('a chord runs its command and is kept from everyone else', () => {
    expect(keymapOn().press(key('ctrl+k'), page)).toBe(true);
    expect(ran).toEqual(['palette.open']);
  });

  test('a leader waits for its letter, and shows that it does', () => {
    const keymap = keymapOn();
    expect(keymap.press(key('g'), page)).toBe(true);
    expect(keymap.state.pending).toEqual(['g']);
    expect(keymap.press(key('s'), page)).toBe(true);
    expect(keymap.state.pending).toEqual([]);
    expect(ran).toEqual(['goto.nodes']);
  });

  test('a sequence that leads nowhere ends, and its last key does nothing else', () => {
    const keymap = keymapOn();
    keymap.press(key('g'), page);
    expect(keymap.press(key(':'), page)).toBe(true);
    expect(ran).toEqual([]);
    keymap.press(key(':'), page);
    expect(ran).toEqual(['palette.commands']);
  });

  test('a sequence is forgotten after a while', () => {
    const keymap = keymapOn();
    keymap.press(key('g'), page);
    expect(waiting.map(({ ms }) => ms)).toEqual([SEQUENCE_MS]);
    waiting[0]?.action();
    expect(keymap.state.pending).toEqual([]);
    keymap.press(key('u'), page);
    expect(ran).toEqual([]);
  });

  test('Escape calls a sequence off, and is otherwise left to the page', () => {
    const keymap = keymapOn();
    keymap.press(key('g'), page);
    expect(keymap.press(key('Escape'), page)).toBe(true);
    expect(keymap.state.pending).toEqual([]);
    expect(keymap.press(key('Escape'), page)).toBe(false);
  });

  test('Shift pressed on the way to a key does not end a sequence', () => {
    const keymap = keymapOn();
    keymap.press(key('g'), page);
    expect(keymap.press(key('shift+Shift'), page)).toBe(false);
    expect(keymap.state.pending).toEqual(['g']);
  });

  test('keys of hidden commands are free for others', () => {
    facts = factsWith({ feature: 'account' });
    const keymap = keymapOn();
    expect(keymap.press(key('j'), page)).toBe(false);
    expect(keymap.press(key('k'), page)).toBe(false);
    facts = factsWith({ feature: 'nodes' });
    expect(keymap.press(key('j'), page)).toBe(true);
    expect(ran).toEqual(['list.next']);
  });

  test('a page that a person does not reach has no chord', () => {
    facts = factsWith({ who: null });
    expect(keymapOn().press(key('g'), page)).toBe(false);
  });

  test('holding a key moves on through a list but opens nothing twice', () => {
    const keymap = keymapOn();
    keymap.press(key('j', { repeat: true }), page);
    expect(keymap.press(key('ctrl+j', { repeat: true }), page)).toBe(true);
    expect(ran).toEqual(['list.next']);
  });

  test('a button keeps Enter and Space, a navigation list its arrows, and both leave letters alone', () => {
    const keymap = keymapOn();
    expect(keymap.press(key('Enter'), { focus: 'page', owned: 'activation' })).toBe(false);
    expect(keymap.press(key('ArrowDown'), { focus: 'page', owned: 'activation' })).toBe(true);
    expect(keymap.press(key('ArrowDown'), { focus: 'page', owned: 'navigation' })).toBe(false);
    expect(keymap.press(key('j'), { focus: 'page', owned: 'navigation' })).toBe(true);
    expect(ran).toEqual(['list.next', 'list.next']);
  });

  test('keys for a terminal only are not heard', () => {
    expect(keymapOn().press(key('ctrl+shift+C'), page)).toBe(false);
    expect(keymapOn().press(key('ctrl+='), page)).toBe(false);
  });
});

describe('in a field', () => {
  test.each(['g', 'j', '/', '?', 'x', 'Enter', 'ArrowDown', 'Home', 'alt+a'])('%s is typed', text => {
    expect(keymapOn().press(key(text), typing)).toBe(false);
  });
  test('chords with Control are heard', () => {
    expect(keymapOn().press(key('ctrl+k'), typing)).toBe(true);
  });
});

test('a dialog hears its own keys only', () => {
  const keymap = keymapOn();
  for (const text of ['ctrl+k', 'g', 'j', 'ctrl+j', 'alt+1']) expect(keymap.press(key(text), modal)).toBe(false);
  expect(ran).toEqual([]);
});

describe('a part with keys of its own, such as the player', () => {
  const player: Hearing = { focus: 'page', owned: 'none', strokes: new Set(['l', 'space', '?']) };

  test('hears them before the page', () => {
    const keymap = keymapOn();
    expect(['l', ' ', '?'].map(name => keymap.press(key(name), player))).toEqual([false, false, false]);
    expect(ran).toEqual([]);
  });

  test('leaves every other key to the page', () => {
    const keymap = keymapOn();
    expect(keymap.press(key('o'), player)).toBe(true);
    expect(ran).toEqual(['shell.open']);
  });

  test('does not hear the end of a sequence that has begun', () => {
    const keymap = keymapOn();
    keymap.press(key('g'), player);
    expect(keymap.press(key('l'), player)).toBe(true);
    expect(ran).toEqual(['goto.audit']);
  });
});

test('a terminal without a shell leaves page chords, terminal chords and sequences to the console, and keeps its Enter', () => {
  const dead: Hearing = { focus: 'page', owned: 'activation', isDead: true };
  const keymap = keymapOn();
  for (const pressed of ['ctrl+k', 'ctrl+shift+K', 'g', 'l']) keymap.press(key(pressed), dead);
  expect(ran).toEqual(['palette.open', 'palette.open', 'goto.audit']);
  expect(keymap.press(key('Enter'), dead)).toBe(false);
});

describe('in a terminal', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const keys = [
    ...letters,
    ...'0123456789',
    ...Array.from({ length: 12 }, (_one, index) => `F${index + 1}`),
    ..."-=[];'\\,./`",
    'Enter',
    'Escape',
    'Tab',
    'Backspace',
    ' ',
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'Home',
    'End',
    'PageUp',
    'PageDown',
    'Delete',
    'Insert',
  ];
  const sets = ['', 'ctrl', 'alt', 'shift', 'meta', 'ctrl+shift', 'ctrl+alt', 'alt+shift', 'ctrl+alt+shift'];
  const every = sets.flatMap(set =>
    keys.map(name =>
      set === '' ? name : `${set}+${set.includes('shift') && letters.includes(name) ? name.toUpperCase() : name}`,
    ),
  );
  const allowed = [
    'F1',
    'ctrl+shift+B',
    'ctrl+shift+C',
    'ctrl+shift+Enter',
    'ctrl+shift+F',
    'ctrl+shift+ ',
    'ctrl+shift+G',
    'ctrl+shift+ArrowUp',
    'ctrl+shift+ArrowDown',
    'ctrl+shift+D',
    'ctrl+shift+E',
    'ctrl+shift+S',
    'alt+shift+PageUp',
    'alt+shift+PageDown',
    'ctrl+shift+H',
    'ctrl+shift+J',
    'ctrl+shift+K',
    'ctrl+shift+L',
    'ctrl+shift+O',
    'ctrl+shift+V',
    'ctrl+shift+X',
    'ctrl+shift+Y',
    'ctrl+-',
    'ctrl+=',
    'ctrl+0',
    'alt+PageUp',
    'alt+PageDown',
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(index => `alt+${index}`),
    // The same characters with Shift: a keyboard that needs it for them must still reach them.
    'ctrl+shift+-',
    'ctrl+shift+=',
  ];

  test('exactly the short list is claimed, of every key with every set of modifiers', () => {
    const keymap = keymapOn();
    expect(every.filter(text => keymap.claims(key(text))).sort()).toEqual([...allowed].sort());
  });

  test('asking runs nothing', () => {
    const keymap = keymapOn();
    for (const text of every) keymap.claims(key(text));
    expect(ran).toEqual([]);
  });

  test('what is claimed is what is taken', () => {
    const keymap = keymapOn();
    for (const text of every) expect(keymap.press(key(text), shell), text).toBe(keymap.claims(key(text)));
  });

  test('on macOS Command never reaches a shell, so its chords are heard, and Control with a digit shows a tab', () => {
    const keymap = keymapOn(true);
    expect(keymap.claims(key('meta+k'))).toBe(true);
    expect(keymap.claims(key('meta+j'))).toBe(true);
    expect(keymap.claims(key('ctrl+k'))).toBe(false);
    expect(keymap.claims(key('ctrl+1'))).toBe(true);
    expect(keymap.claims(key('alt+1'))).toBe(false);
  });

  test('a leader pressed before the terminal got the keys does not eat the next one', () => {
    const keymap = keymapOn();
    keymap.press(key('g'), page);
    expect(keymap.press(key('s'), shell)).toBe(false);
    expect(keymap.state.pending).toEqual([]);
    expect(ran).toEqual([]);
  });

  test('after the leader key the page hears one chord, and the shell none of it', () => {
    const keymap = keymapOn();
    const pressed = (...texts: readonly string[]): readonly boolean[] =>
      texts.map(text => keymap.claims(key(text)) && keymap.press(key(text), shell));
    expect(keymap.press(key('ctrl+shift+ '), shell)).toBe(true);
    expect(ran).toEqual(['terminal.leader']);
    keymap.lead();
    expect(pressed('g', 'a')).toEqual([true, true]);
    expect(ran.at(-1)).toBe('goto.apps');
    expect([keymap.state.leading, keymap.claims(key('g'))]).toEqual([false, false]);
  });

  test.each([
    ['Escape', ['Escape']],
    ['a key that means nothing', ['Z']],
    ['a sequence that leads nowhere', ['g', ',']],
  ])('%s gives the keys back to the shell, which hears none of it', (_what, texts) => {
    const keymap = keymapOn();
    keymap.lead();
    expect(texts.map(text => keymap.press(key(text), shell))).toEqual(texts.map(() => true));
    expect([keymap.state.leading, ran, keymap.press(key('l'), shell)]).toEqual([false, [], false]);
  });

  test('waiting gives the keys back to the shell', () => {
    const keymap = keymapOn();
    keymap.lead();
    const [wait] = waiting;
    wait?.action();
    expect([keymap.state.leading, wait?.ms]).toEqual([false, SEQUENCE_MS]);
  });

  test('a tab that is not there leaves its key to the shell', () => {
    facts = factsWith({ terminal, terminalCount: 2 });
    expect(keymapOn().claims(key('alt+2'))).toBe(true);
    expect(keymapOn().claims(key('alt+3'))).toBe(false);
  });
});

describe("a person's own keys", () => {
  test('replace the default, and are shown', () => {
    const keymap = keymapOn();
    expect(keymap.rebind({ 'goto.nodes': 'g q' })).toEqual([]);
    keymap.press(key('g'), page);
    keymap.press(key('q'), page);
    expect(ran).toEqual(['goto.nodes']);
    expect(keymap.keysOf('goto.nodes')).toBe('g q');
  });

  test('an empty chord takes the key away', () => {
    const keymap = keymapOn();
    keymap.rebind({ 'list.mark': '' });
    expect(keymap.press(key('x'), page)).toBe(false);
    expect(keymap.keysOf('list.mark')).toBeUndefined();
  });

  test.each<[string, string, string]>([
    ['goto.nodes', 'mod+w', 'is kept by the browser for itself'],
    ['goto.nodes', 'nonsense+', 'is not a chord'],
    ['palette.open@terminal', 'ctrl+c', 'is needed by the shell in a terminal'],
  ])('%s on "%s" is refused with the reason, and the default stays', (id, chord, why) => {
    const keymap = keymapOn();
    const [problem] = keymap.rebind({ [id]: chord });
    expect(problem).toContain(why);
    expect(keymap.claims(key('F1'))).toBe(true);
    expect(keymap.keysOf('goto.nodes')).toBe('g s');
  });

  test('two choices for one chord: the first keeps it, the other is said', () => {
    const problems = keymapOn().rebind({ 'goto.audit': 'g z', 'goto.nodes': 'g z' });
    expect(problems).toEqual(['"g z" for "Go to Audit Log" already runs "Go to Servers"']);
  });

  test("a choice takes the key from another command's default", () => {
    const keymap = keymapOn();
    expect(keymap.rebind({ 'goto.nodes': 'x' })).toEqual([]);
    keymap.press(key('x'), page);
    expect(ran).toEqual(['goto.nodes']);
    expect(keymap.keysOf('list.mark')).toBeUndefined();
  });

  test('keys over a terminal are chosen apart', () => {
    const keymap = keymapOn();
    expect(keymap.rebind({ 'palette.open@terminal': 'ctrl+shift+p' })).toEqual([]);
    expect(keymap.claims(key('ctrl+shift+P'))).toBe(true);
    expect(keymap.claims(key('ctrl+shift+K'))).toBe(false);
    expect(keymap.claims(key('F1'))).toBe(false);
    expect(keymap.keysOf('palette.open', 'terminal')).toBe('ctrl+shift+p');
    expect(keymap.keysOf('palette.open')).toBe('mod+k');
  });
});

test('every hint of the status line names a key that runs its command, on every page and whoever has the keys', () => {
  const features = Object.keys(table) as FeatureId[];
  for (const feature of features)
    for (const focus of ['page', 'typing', 'terminal'] as const)
      for (const hasTerminals of [false, true]) {
        facts = factsWith({ feature, focus, ...(hasTerminals ? { terminal, terminalCount: 1 } : {}) });
        if (focus === 'terminal' && !hasTerminals) continue;
        const keymap = keymapOn();
        for (const [id] of hintsFor(focus, feature, {
          hasTerminals,
          hasList: onList(facts),
          onDesktop: hasDesktop(facts),
        })) {
          const chord = keymap.keysOf(id, focus);
          // In a field, a letter is text: such a hint is not drawn.
          if (chord === undefined) continue;
          ran = [];
          keymap.press(
            key(
              chord
                .replace('mod', 'ctrl')
                .replace('space', ' ')
                .replace(/shift\+([a-z])$/, (_all, letter) => `shift+${letter.toUpperCase()}`),
            ),
            { focus, owned: 'none' },
          );
          expect([feature, focus, chord, ran]).toEqual([feature, focus, chord, [id]]);
        }
      }
});
