// Keys pressed between asking for a terminal and its having the focus: they are the shell's and reach it in order, never the page.
import type { EarlyKey, EarlyKeys } from '../ui/early-keys.ts';
import { softKeyText, withModifiers } from './keys.ts';

/** Characters kept: more than anyone types while a terminal is on its way. */
const KEPT_CHARACTERS = 1000;
/** A terminal that has not come by then will not: the keys are the page's again, milliseconds. */
const WAIT_MS = 5000;

/** A key press, as far as it is looked at. */
type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'> & {
  readonly isComposing?: boolean;
};

const named: Readonly<Record<string, string>> = {
  Enter: '\r',
  Backspace: '\x7f',
  Tab: softKeyText('tab', false),
  Escape: softKeyText('escape', false),
  ArrowUp: softKeyText('up', false),
  ArrowDown: softKeyText('down', false),
  ArrowLeft: softKeyText('left', false),
  ArrowRight: softKeyText('right', false),
};

/** What a shell reads for a key; '' for keys that send nothing by themselves, undefined for those that are not a shell's. */
export function textOfKey({ key, ctrlKey, altKey, metaKey, isComposing = false }: Pressed): string | undefined {
  if (metaKey || isComposing) return undefined;
  const text = named[key] ?? ([...key].length === 1 ? key : '');
  // AltGr comes as Control and Alt together, with the character it types.
  return ctrlKey && altKey ? text : withModifiers(text, { ctrl: ctrlKey, alt: altKey && text !== '' });
}

export interface TypeaheadPorts {
  /** The page's queue of keys that wait for what is on its way. */
  readonly hold: EarlyKeys['hold'];
  /** Where a click is heard that gives the keys to something else; null where there is no page. */
  readonly clicks: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | null;
  /** True for a key that the console keeps for itself, or that a dialog or the terminal itself is about to hear. */
  readonly isElsewhere: (key: EarlyKey) => boolean;
  readonly later: (action: () => void, ms: number) => () => void;
  /** Nobody waits for the terminal any more: it did not come in time, or the person clicked elsewhere. */
  readonly gaveUp: () => void;
}

/** What the page's queue keeps for a terminal that is on its way, as the text that its shell will read. */
export function createTypeahead({ hold, clicks, isElsewhere, later, gaveUp }: TypeaheadPorts) {
  let text = '';
  let stop: (() => void) | null = null;

  function keep(pressed: EarlyKey): boolean {
    if (isElsewhere(pressed)) return false;
    const typed = textOfKey(pressed);
    if (typed !== undefined && text.length < KEPT_CHARACTERS) text += typed;
    return typed !== undefined;
  }

  return {
    /** A terminal was asked for: from now on keys are kept for it. */
    begin(): void {
      if (stop !== null) return;
      const giveUp = (): void => {
        stop?.();
        gaveUp();
      };
      const cancel = later(giveUp, WAIT_MS);
      const release = hold({ keep, mostMs: WAIT_MS });
      // Whoever clicks elsewhere wants to type there.
      clicks?.addEventListener('pointerdown', giveUp, { capture: true });
      stop = () => {
        cancel();
        release();
        clicks?.removeEventListener('pointerdown', giveUp, { capture: true });
        stop = null;
        text = '';
      };
    },
    /** The terminal has the focus: what was typed meanwhile. */
    take(): string {
      const typed = text;
      stop?.();
      return typed;
    },
  };
}
