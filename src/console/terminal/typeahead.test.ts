import { expect, test } from 'vitest';
import { createEarlyKeys, type EarlyKey } from '../ui/early-keys.ts';
import { createTypeahead, textOfKey } from './typeahead.ts';

const plain = { ctrlKey: false, altKey: false, metaKey: false, isComposing: false };

test.each([
  [{ key: 'a' }, 'a'],
  [{ key: 'Enter' }, '\r'],
  [{ key: 'Backspace' }, '\x7f'],
  [{ key: 'ArrowUp' }, '\x1b[A'],
  [{ key: 'c', ctrlKey: true }, '\x03'],
  [{ key: 'b', altKey: true }, '\x1bb'],
  [{ key: '€', ctrlKey: true, altKey: true }, '€'],
  [{ key: 'Shift' }, ''],
  [{ key: 'F5' }, ''],
  [{ key: 'v', metaKey: true }, undefined],
  [{ key: 'a', isComposing: true }, undefined],
])('%j is %j for a shell', (pressed, text) => {
  expect(textOfKey({ ...plain, ...pressed })).toBe(text);
});

const keyOf = (key: string): EarlyKey => ({ ...plain, key, code: '', shiftKey: false, repeat: false });

function waiting(isElsewhere: (key: EarlyKey) => boolean = () => false) {
  const target = new EventTarget();
  const page: string[] = [];
  let end: (() => void) | undefined;
  const keys = createEarlyKeys({ press: ({ key }) => page.push(key), soon: go => go(), later: () => () => {} });
  const typeahead = createTypeahead({
    hold: keys.hold,
    clicks: target,
    isElsewhere,
    later: action => {
      end = action;
      return () => {
        end = undefined;
      };
    },
    gaveUp: () => void page.push('gave up'),
  });
  /** The page hears what nobody took before it. */
  const press = (...names: string[]): void => {
    for (const name of names) if (!keys.hear(keyOf(name))) page.push(name);
  };
  return { typeahead, keys, page, press, target, end: () => end?.() };
}

test('keys that waited for something else first come to the terminal before those that are pressed later', () => {
  const { typeahead, keys, page, press } = waiting();
  const release = keys.hold();
  press('l');
  typeahead.begin();
  press('s');
  release();
  press('Enter');
  expect([typeahead.take(), page]).toEqual(['ls\r', []]);
});

test('keys pressed on the way are the terminal’s, in order, and no page hears them', () => {
  const { typeahead, page, press } = waiting();
  press('j');
  typeahead.begin();
  press('l', 's', 'Enter');
  expect([typeahead.take(), page]).toEqual(['ls\r', ['j']]);
  press('k');
  expect([typeahead.take(), page]).toEqual(['', ['j', 'k']]);
});

test('asking for a second terminal meanwhile loses nothing', () => {
  const { typeahead, press } = waiting();
  typeahead.begin();
  press('a');
  typeahead.begin();
  press('b');
  expect(typeahead.take()).toBe('ab');
});

test('a chord of the console stays the console’s', () => {
  const { typeahead, page, press } = waiting(({ key }) => key === 'F1');
  typeahead.begin();
  press('F1');
  expect([typeahead.take(), page]).toEqual(['', ['F1']]);
});

test('a terminal that never comes, or a click elsewhere, gives the keys back to the page', () => {
  for (const give of ['time', 'click']) {
    const { typeahead, page, press, target, end } = waiting();
    typeahead.begin();
    press('a');
    if (give === 'time') end();
    else target.dispatchEvent(new Event('pointerdown'));
    press('b');
    expect([typeahead.take(), page]).toEqual(['', ['gave up', 'b']]);
  }
});
