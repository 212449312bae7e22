import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEarlyKeys, type EarlyKey } from './early-keys.ts';

const keyOf = (key: string, more: Partial<EarlyKey> = {}): EarlyKey => ({
  key,
  code: '',
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  ...more,
});

/** A page that writes down what is pressed, whether it waited or not. `onPress` is what pressing a key does. */
function page(onPress: (key: string) => void = () => {}) {
  const pressed: string[] = [];
  let due: (() => void)[] = [];
  let timers: { readonly action: () => void; readonly ms: number }[] = [];
  const act = (key: EarlyKey): void => {
    pressed.push(key.key);
    onPress(key.key);
  };
  const keys = createEarlyKeys({
    press: act,
    soon: go => due.push(go),
    later: (action, ms) => {
      const timer = { action, ms };
      timers.push(timer);
      return () => {
        timers = timers.filter(other => other !== timer);
      };
    },
  });
  return {
    keys,
    pressed,
    /** A person presses a key. */
    type: (key: string, more?: Partial<EarlyKey>) => {
      const event = keyOf(key, more);
      const waits = keys.hear(event);
      if (!waits) act(event);
      return waits;
    },
    /** One turn of the browser. */
    turn: () => {
      const [first, ...others] = due;
      due = others;
      first?.();
    },
    settle: () => {
      while (due.length > 0) {
        const [first, ...others] = due;
        due = others;
        first?.();
      }
    },
    outwait: () => {
      for (const { action } of timers.splice(0)) action();
    },
  };
}

test('every key is pressed once and in order, whatever comes and goes while it is typed', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'Enter', 'ArrowDown', '/', 'ü') },
          { weight: 2, arbitrary: fc.constantFrom('turn', 'hold', 'release') },
        ),
        { maxLength: 60 },
      ),
      // Which of the keys ask, when they are pressed, for something that is on its way.
      fc.array(fc.boolean(), { maxLength: 60 }),
      (steps, asks) => {
        const releases: (() => void)[] = [];
        let count = 0;
        const rig = page(() => {
          if (asks[count++]) releases.push(rig.keys.hold());
        });
        const typed: string[] = [];
        for (const step of steps) {
          if (step === 'turn') rig.turn();
          else if (step === 'hold') releases.push(rig.keys.hold());
          else if (step === 'release') releases.shift()?.();
          else {
            typed.push(step);
            // Ctrl+C keeps its turn as every key does.
            rig.type(step, { ctrlKey: step === 'c' });
          }
          expect(rig.pressed).toEqual(typed.slice(0, rig.pressed.length));
        }
        while (rig.pressed.length < typed.length || releases.length > 0) {
          for (const release of releases.splice(0)) release();
          rig.settle();
        }
        expect(rig.pressed).toEqual(typed);
      },
    ),
    { numRuns: 500 },
  );
});

test('while nothing is on its way keys are pressed at once', () => {
  const rig = page();
  expect([rig.type('a'), rig.pressed]).toEqual([false, ['a']]);
});

test('what one waiting key opens holds those behind it', () => {
  let release = (): void => {};
  const rig = page(key => {
    if (key === 'k') release = rig.keys.hold();
  });
  const first = rig.keys.hold();
  for (const key of ['k', 'x', 'y']) rig.type(key);
  first();
  rig.settle();
  expect(rig.pressed).toEqual(['k']);
  release();
  rig.settle();
  expect(rig.pressed).toEqual(['k', 'x', 'y']);
});

test("chords of the console wait, the browser's own do not, nor does what is being composed", () => {
  const rig = page();
  rig.keys.hold();
  for (const [key, more] of [
    ['r', { ctrlKey: true }],
    ['Tab', {}],
    ['F5', {}],
    ['Shift', {}],
    ['a', { isComposing: true }],
  ] as const)
    expect(rig.type(key, more)).toBe(false);
  expect(rig.type('k', { ctrlKey: true })).toBe(true);
  rig.keys.claimBy(({ key }) => key === 'r');
  expect(rig.type('r', { ctrlKey: true })).toBe(true);
});

test('a keymap that knows nobody yet leaves the chords of every console waiting', () => {
  const rig = page();
  rig.keys.hold();
  rig.keys.claimBy(() => false);
  for (const key of ['k', 'K', 'j', 'J']) expect(rig.type(key, { ctrlKey: true })).toBe(true);
});

test('Escape calls off what is awaited and drops what was typed for it', () => {
  const rig = page();
  let calledOff = false;
  const release = rig.keys.hold({
    onEscape: () => {
      calledOff = true;
      release();
    },
  });
  rig.type('x');
  rig.type('Escape');
  rig.settle();
  expect([calledOff, rig.pressed]).toEqual([true, []]);
  expect(rig.type('y')).toBe(false);
});

test('keys for what does not come reach nobody else, and those behind them go on', () => {
  const rig = page();
  rig.keys.hold();
  rig.type('x');
  rig.outwait();
  rig.settle();
  rig.type('y');
  expect(rig.pressed).toEqual(['y']);
});

test('a key held down waits once', () => {
  const rig = page();
  const release = rig.keys.hold();
  rig.type('j');
  rig.type('j', { repeat: true });
  release();
  rig.settle();
  expect(rig.pressed).toEqual(['j']);
});
