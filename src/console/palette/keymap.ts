// Who hears a key, and what it does: focus, sequences and a person's own keys. Knows key events, not the page.
import { proxy } from 'valtio/vanilla';
import { type KeyPress, parseChord, type Stroke, strokeOf } from '../../../commands/chords.ts';
import type { Command, Facts, Focus } from '../../../commands/command.ts';
import { type Binding, type Bindings, bind, clash } from './bindings.ts';

/** A sequence waits this long for its next key, milliseconds: long enough to read the sidebar's key caps. */
export const SEQUENCE_MS = 2500;

/**
 * What has the keys now. `modal`: a dialog, which hears its own keys only. `owned`: keys that the focused part uses itself:
 * a button's Enter and Space, or what moves about in a menu or a navigation list.
 */
export interface Hearing {
  readonly focus: Focus | 'modal';
  readonly owned: 'none' | 'activation' | 'navigation';
  /** Further strokes that the focused part hears first, as the player does; a sequence that has begun goes before them. */
  readonly strokes?: ReadonlySet<Stroke>;
  /** A terminal without a shell: the page hears, and the chords over a terminal still do what the hands expect. */
  readonly isDead?: true;
}

export interface KeymapPorts {
  readonly commands: readonly Command[];
  readonly facts: () => Facts;
  readonly run: (id: string) => void;
  readonly mac: boolean;
  /** Runs a function later; the answer calls it off. */
  readonly later: (action: () => void, ms: number) => () => void;
  /** Takes every key while something that asked for them is on its way to the screen. */
  readonly hold?: (event: KeyPress) => boolean;
}

const activation: ReadonlySet<Stroke> = new Set(['enter', 'space']);
const navigation: ReadonlySet<Stroke> = new Set([
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'pageup',
  'pagedown',
  'tab',
  'shift+tab',
  'escape',
  ...activation,
]);

/** Whether a stroke types nothing into a field: bare keys do, and so does Alt with a letter on some layouts. */
const typesNothing = (stroke: Stroke): boolean =>
  /(^|\+)(ctrl|meta)\+/.test(stroke) || /^alt\+(shift\+)?([0-9]|page)|^(shift\+)?f\d+$/.test(stroke);

/** The keymap of one console. */
export function createKeymap(ports: KeymapPorts) {
  /** Strokes of a sequence pressed so far; the sidebar and the status line show them. */
  const state = proxy<{ pending: string[]; version: number; leading: boolean }>({
    pending: [],
    version: 0,
    /** The leader key was pressed over a terminal: the page hears what follows, and the shell does not. */
    leading: false,
  });
  let { commands } = ports;
  let own: Readonly<Record<string, string>> = {};
  let bindings: Bindings = bind(commands, own, ports.mac);
  let chords = textsOf(bindings);
  let cancelWait: () => void = () => {};

  function settle(pending: readonly Stroke[]): void {
    cancelWait();
    cancelWait = pending.length === 0 ? () => {} : ports.later(() => settle([]), SEQUENCE_MS);
    if (pending.length > 0 || state.pending.length > 0) state.pending = [...pending];
    if (pending.length === 0) state.leading = false;
  }

  /** Commands that hear this sequence now: those that are hidden hear nothing, so their keys are free. */
  function heard(among: readonly Binding[], strokes: readonly Stroke[]): readonly Binding[] {
    const fitting = among.filter(({ chord }) => strokes.every((stroke, index) => chord[index] === stroke));
    if (fitting.length === 0) return fitting;
    const facts = ports.facts();
    return fitting.filter(({ command }) => command.when === undefined || command.when(facts));
  }

  function belongsToPart(stroke: Stroke, { focus, owned, strokes }: Hearing): boolean {
    if (strokes?.has(stroke) === true) return true;
    if (focus === 'typing' && !typesNothing(stroke)) return true;
    return (owned === 'activation' && activation.has(stroke)) || (owned === 'navigation' && navigation.has(stroke));
  }

  /**
   * Whether the keymap takes a key that is pressed in a terminal; everything else goes to the shell. Asks only, runs nothing:
   * a terminal drops the keys for which this is true.
   */
  function claims(event: KeyPress): boolean {
    const stroke = strokeOf(event);
    return stroke !== undefined && (state.leading || heard(bindings.terminal, [stroke]).length > 0);
  }

  /** Takes a key press. True when the keymap has used it: then nobody else may. */
  function press(event: KeyPress, there: Hearing): boolean {
    const stroke = strokeOf(event);
    if (stroke === undefined) return false;
    if (ports.hold?.(event) === true) return true;
    const isLed = state.leading && there.focus === 'terminal';
    const hearing: Hearing = isLed ? { focus: 'page', owned: 'none' } : there;
    if (hearing.focus === 'modal') {
      settle([]);
      return false;
    }
    const before = hearing.focus === 'page' ? [...state.pending] : [];
    if ((before.length > 0 || isLed) && stroke === 'escape') {
      settle([]);
      return true;
    }
    if (before.length === 0 && belongsToPart(stroke, hearing)) return false;
    const strokes = [...before, stroke];
    const among =
      hearing.focus === 'terminal'
        ? bindings.terminal
        : hearing.isDead
          ? [...bindings.page, ...bindings.terminal]
          : bindings.page;
    const fitting = heard(among, strokes);
    const whole = fitting.find(({ chord }) => chord.length === strokes.length);
    if (whole !== undefined) {
      settle([]);
      // Holding a key down moves on through a list and nothing else.
      if (event.repeat !== true || whole.command.group === 'list') ports.run(whole.command.id);
      return true;
    }
    // A sequence is not begun from a field that is typed in, and one that leads nowhere ends without side effects.
    const leads = fitting.length > 0 && hearing.focus === 'page';
    settle(leads ? strokes : []);
    return leads || before.length > 0 || isLed;
  }

  /** Puts a person's own keys in place (preferences.console.keys). Answers what was wrong with them, one sentence each. */
  function rebind(next: Readonly<Record<string, string>>): readonly string[] {
    own = next;
    bindings = bind(commands, own, ports.mac);
    chords = textsOf(bindings);
    settle([]);
    state.version++;
    return bindings.problems;
  }

  /** Hears these commands from now on. Answers what is wrong with a person's own keys for them, one sentence each. */
  function learn(rows: readonly Command[]): readonly string[] {
    commands = rows;
    return rebind(own);
  }

  return {
    state,
    claims,
    /** Whether a key, pressed on a page now, would run something. */
    knows: (event: KeyPress): boolean => {
      const stroke = strokeOf(event);
      return stroke !== undefined && heard(bindings.page, [stroke]).length > 0;
    },
    press,
    rebind,
    learn,
    /** What would be wrong with a person's own keys, one sentence each, without putting them in place. */
    problemsWith: (next: Readonly<Record<string, string>>): readonly string[] =>
      bind(commands, next, ports.mac).problems,
    /** Commands that hear a chord, or one that begins with it or is its beginning. */
    takenBy(text: string, where: 'page' | 'terminal'): readonly Command[] {
      const chord = parseChord(text, ports.mac);
      if (chord === undefined) return [];
      return [...new Set(bindings[where].filter(other => clash(other.chord, chord)).map(({ command }) => command))];
    },
    /** The next key, or sequence, is the page's, also over a terminal; Escape, one that means nothing, or waiting ends it. */
    lead(): void {
      settle([]);
      state.leading = true;
      cancelWait = ports.later(() => settle([]), SEQUENCE_MS);
    },
    /** Forgets a sequence that was begun, as when the focus moves elsewhere. */
    reset: () => settle([]),
    /** The chord of a command as it is shown, such as `mod+k`; over a terminal it may be another one, and in a field none that types. */
    keysOf(id: string, focus: Focus = 'page'): string | undefined {
      if (focus === 'terminal') return chords.terminal.get(id);
      if (focus === 'page') return chords.page.get(id) ?? chords.terminal.get(id);
      return bindings.page.find(({ command, chord: [stroke] }) => command.id === id && stroke && typesNothing(stroke))
        ?.text;
    },
    /** Every chord of a command, for the help sheet. */
    allKeysOf: (id: string): { readonly page: readonly string[]; readonly terminal: readonly string[] } => ({
      page: bindings.page.filter(({ command }) => command.id === id).map(({ text }) => text),
      terminal: bindings.terminal.filter(({ command }) => command.id === id).map(({ text }) => text),
    }),
  };
}
export type Keymap = ReturnType<typeof createKeymap>;

function textsOf({ page, terminal }: Bindings) {
  const first = (among: readonly Binding[]): ReadonlyMap<string, string> =>
    new Map([...among].reverse().map(({ command, text }) => [command.id, text]));
  return { page: first(page), terminal: first(terminal) };
}
