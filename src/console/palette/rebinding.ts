// A person's own keys: which command hears what, changed one at a time, with whoever has those keys already named.
import { type KeyPress, type Stroke, strokeOf } from '../../../commands/chords.ts';
import type { Command } from '../../../commands/command.ts';
import { overTerminalKey } from './bindings.ts';
import type { Keymap } from './keymap.ts';

/** Where the keys are kept: command id, or `id@terminal`, to a chord; '' = none. */
export interface OwnKeysPort {
  read(): Readonly<Record<string, string>>;
  write(own: Readonly<Record<string, string>>): void;
}

/** Keys are chosen for the page and for terminals apart: a shell needs most of them. */
export type Where = 'page' | 'terminal';

export type Rebound =
  | { readonly kind: 'done' }
  /** Cannot be had at all: a sentence says why. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Other commands hear it now; `take` gives it to this one and leaves them without. */
  | { readonly kind: 'taken'; readonly by: readonly Command[] };

interface RebindingPorts {
  readonly keymap: Pick<Keymap, 'rebind' | 'problemsWith' | 'takenBy'>;
  readonly own: OwnKeysPort;
  readonly commandById: (id: string) => Command | undefined;
}

const nameOf = (id: string, where: Where): string => (where === 'page' ? id : overTerminalKey(id));

/** Changes keys for one person. Nothing is kept that would not be heard. */
export function createRebinding({ keymap, own, commandById }: RebindingPorts) {
  const put = (next: Readonly<Record<string, string>>): void => {
    own.write(next);
    keymap.rebind(next);
  };
  /** Those whose keys reach over terminals have one chord for both places. */
  const isBoth = (id: string): boolean => commandById(id)?.overTerminal === true;
  const others = (id: string, chord: string, where: Where): readonly Command[] =>
    [...new Set([...keymap.takenBy(chord, where), ...(isBoth(id) ? keymap.takenBy(chord, 'terminal') : [])])].filter(
      command => command.id !== id,
    );

  return {
    isOwn: (id: string, where: Where): boolean => own.read()[nameOf(id, where)] !== undefined,
    /** Gives a command a chord, '' for none. `take`: also when others have it, which then have none. */
    set(id: string, where: Where, chord: string, take = false): Rebound {
      const before = own.read();
      const by = chord === '' ? [] : others(id, chord, where);
      const next: Record<string, string> = { ...before, [nameOf(id, where)]: chord };
      for (const other of take ? by : []) {
        for (const place of ['page', 'terminal'] as const)
          if (keymap.takenBy(chord, place).includes(other) && (place === where || isBoth(id) || isBoth(other.id)))
            next[nameOf(other.id, place === 'terminal' && isBoth(other.id) ? 'page' : place)] = '';
      }
      const known = keymap.problemsWith(before);
      // Being taken is told by name, and can be mended; whatever else is wrong cannot.
      const why = keymap.problemsWith(next).find(problem => !known.includes(problem) && !/already runs/.test(problem));
      if (why !== undefined) return { kind: 'refused', why };
      if (by.length > 0 && !take) return { kind: 'taken', by };
      put(next);
      return { kind: 'done' };
    },
    /** Back to the keys that the command comes with. */
    reset(id: string, where: Where): void {
      const { [nameOf(id, where)]: _own, ...rest } = own.read();
      put(rest);
    },
    resetAll: (): void => put({}),
    hasOwn: (): boolean => Object.keys(own.read()).length > 0,
  };
}
export type Rebinding = ReturnType<typeof createRebinding>;

/** Strokes of one sequence, at most. */
const STROKES_MOST = 3;

/** Keys as they are pressed for a command. `whole`: nothing more is waited for. */
export interface Recorded {
  readonly kind: 'waiting' | 'whole' | 'cancelled' | 'none';
  readonly strokes: readonly Stroke[];
}

/** Takes one more key: Escape calls it off, Backspace means none, a chord with a modifier is whole, bare keys may go on. */
export function recorded(strokes: readonly Stroke[], event: KeyPress): Recorded {
  const stroke = strokeOf(event);
  if (stroke === undefined || event.repeat === true) return { kind: 'waiting', strokes };
  if (stroke === 'escape') return { kind: 'cancelled', strokes: [] };
  if (stroke === 'backspace' && strokes.length === 0) return { kind: 'none', strokes: [] };
  const next = [...strokes, stroke];
  const isBare = !/(^|\+)(ctrl|alt|meta)\+/.test(stroke) && !/^(shift\+)?f\d+$/.test(stroke);
  return { kind: isBare && next.length < STROKES_MOST ? 'waiting' : 'whole', strokes: next };
}

/** Strokes as they are kept: on pages, what is Control here and Command on a Mac is the same chord on both. */
export const storedChord = (strokes: readonly Stroke[], where: Where, mac: boolean): string =>
  strokes
    .map(stroke => (where === 'page' ? stroke.replace(mac ? /(^|\+)meta\+/ : /^()ctrl\+/, '$1mod+') : stroke))
    .join(' ');
