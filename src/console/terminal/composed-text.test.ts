import { afterEach, expect, test, vi } from 'vitest';
import { keepComposedText } from './composed-text.ts';

afterEach(() => void vi.useRealTimers());

/** The field of a terminal: what it holds is read a turn after an input method has settled, and goes with the focus, as xterm does it. */
function openField() {
  vi.useFakeTimers();
  const field = Object.assign(new EventTarget(), { value: '' });
  const around = new EventTarget();
  const typed: string[] = [];
  let from = 0;
  field.addEventListener('compositionstart', () => {
    from = field.value.length;
  });
  field.addEventListener('compositionend', () => {
    const settled = from;
    setTimeout(() => {
      const text = field.value.slice(settled);
      if (text !== '') typed.push(text);
    });
  });
  const kept = keepComposedText({ field, around, type: text => void typed.push(text) });
  const key = (name: string, more: object = {}): void => {
    around.dispatchEvent(Object.assign(new Event('keydown'), { key: name, isComposing: false, keyCode: 0, ...more }));
    if (!('isComposing' in more || 'keyCode' in more)) typed.push(name);
  };
  return {
    field,
    typed,
    kept,
    key,
    begin: () => field.dispatchEvent(new Event('compositionstart')),
    compose: (text: string) => {
      field.value += text;
    },
    settle: () => field.dispatchEvent(new Event('compositionend')),
    blur() {
      around.dispatchEvent(new Event('blur'));
      field.value = '';
    },
    turn: () => vi.advanceTimersByTime(0),
  };
}

test('what was composed is typed once, and what is typed behind it comes behind it', () => {
  const { begin, compose, settle, turn, key, typed } = openField();
  begin();
  compose('日本');
  settle();
  turn();
  key('x');
  expect(typed).toEqual(['日本', 'x']);
});

test('the focus that goes before the terminal has read what was composed takes nothing with it', () => {
  const { begin, compose, settle, blur, turn, typed } = openField();
  begin();
  compose('日本');
  settle();
  blur();
  turn();
  expect(typed).toEqual(['日本']);
});

test('the focus that goes in the middle of a composition leaves what was composed so far, once', () => {
  const { begin, compose, settle, blur, turn, typed } = openField();
  begin();
  compose('日本');
  blur();
  settle();
  turn();
  expect(typed).toEqual(['日本']);
});

test('a key that comes before the terminal has read what was composed is typed behind it, and neither of them twice', () => {
  const { begin, compose, settle, key, turn, typed } = openField();
  begin();
  compose('日本');
  settle();
  key('Enter');
  turn();
  expect(typed).toEqual(['日本', 'Enter']);
});

test('keys of the input method, and those that say nothing by themselves, leave the text to be read in its time', () => {
  const { begin, compose, settle, key, turn, typed } = openField();
  begin();
  compose('日');
  key('Process', { isComposing: true });
  settle();
  key('Process', { keyCode: 229 });
  key('Shift', { keyCode: 16 });
  expect(typed).toEqual([]);
  turn();
  expect(typed).toEqual(['日']);
});

test('a composition that begins before the one in front of it was read loses neither', () => {
  const { field, begin, compose, settle, blur, turn, typed } = openField();
  field.value = 'from before';
  begin();
  compose('日');
  settle();
  begin();
  compose('本');
  blur();
  turn();
  expect(typed.join('')).toBe('日本');
});

test('a terminal that was closed keeps nothing any more', () => {
  const { kept, begin, compose, settle, blur, typed } = openField();
  kept.dispose();
  begin();
  compose('日');
  settle();
  blur();
  expect(typed).toEqual([]);
});
