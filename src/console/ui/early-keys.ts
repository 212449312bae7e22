// Keys pressed for something that is on its way: the console itself, the palette, a terminal, a list. They wait in one queue and are pressed
// again, in order, when it is there. No imports: the page's first script begins with it, before anything else is loaded.

/** A key press, as far as it is looked at. */
export interface EarlyKey {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
  readonly isComposing: boolean;
  /** The number from before keys had names: terminals read it. */
  readonly keyCode?: number;
}

export interface EarlyKeysPorts {
  /** Presses a key on whatever has the focus by now. */
  readonly press: (key: EarlyKey) => void;
  /** Lets what a key has begun be drawn, then goes on. */
  readonly soon: (go: () => void) => void;
  readonly later: (action: () => void, ms: number) => () => void;
}

interface HoldOptions {
  /** Escape calls off what was awaited; the keys behind it are dropped. Without it Escape waits like any key. */
  readonly onEscape?: () => void;
  /** What has not come by then will not, ms: the keys that waited for it are dropped, for whatever else has the focus was not meant. */
  readonly mostMs?: number;
  /** Keeps keys for itself, in its own form, as a terminal does that is on its way; false for those that are not meant for it. */
  readonly keep?: (key: EarlyKey) => boolean;
}

export interface EarlyKeys {
  /** Something is on its way that keys are meant for: they wait until the answer is called. Several may be awaited at once. */
  hold(options?: HoldOptions): () => void;
  /** Hears a key before anyone else. True: it waits, and nobody else may have it. */
  hear(key: EarlyKey): boolean;
  /** Calls the listener once, as soon as a key waits; at once where some do already. The answer calls it off. */
  onWaiting(listener: () => void): () => void;
  /** Says which chords wait besides those that every console has: a keymap that knows nobody yet hears none of its own. */
  claimBy(claims: (key: EarlyKey) => boolean): void;
}

/** Keys kept at most: more than anyone types while something comes. */
const KEYS_MOST = 1000;
/** A palette whose file comes over a slow line to a slow machine comes within this. */
const COMES_WITHIN_MS = 10_000;

/** Keys that say something by themselves; every other named key, such as Tab, is the browser's at once. */
const named: ReadonlySet<string> = new Set([
  'Enter',
  'Escape',
  'Backspace',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'F1',
]);

/** The palette and the terminals, which are asked for before it is known who is there and what they may. */
const isOfEveryConsole = ({ key, ctrlKey, metaKey }: EarlyKey): boolean => (ctrlKey || metaKey) && /^[kj]$/i.test(key);

/** A queue of keys. Every key that it takes is pressed again once, after all that were taken before it. */
export function createEarlyKeys({ press, soon, later }: EarlyKeysPorts): EarlyKeys {
  let waiting: EarlyKey[] = [];
  const holds = new Set<HoldOptions>();
  const heard = new Set<() => void>();
  let isPumping = false;
  let claims = (_key: EarlyKey): boolean => false;

  const takes = (event: EarlyKey): boolean => {
    if (event.isComposing) return false;
    const says = [...event.key].length === 1 || named.has(event.key);
    // Behind keys that wait, a chord waits too: Ctrl+C must not overtake the line that it ends. With none waiting it is the browser's.
    const isInTurn = (!event.ctrlKey && !event.altKey) || waiting.length > 0;
    return (says && !event.metaKey && isInTurn) || isOfEveryConsole(event) || claims(event);
  };

  const isHeld = (): boolean => [...holds].some(({ keep }) => keep === undefined);
  /** What was asked for last and keeps such keys by itself. */
  const isKept = (key: EarlyKey): boolean =>
    [...holds].findLast(({ keep }) => keep !== undefined)?.keep?.(key) === true;

  /** One key at a time: what one of them opens may hold the rest. */
  function pump(): void {
    if (isPumping || isHeld()) return;
    const next = waiting.shift();
    if (next === undefined) return;
    isPumping = true;
    if (!isKept(next)) press(next);
    soon(() => {
      isPumping = false;
      pump();
    });
  }

  return {
    hold(options = {}) {
      holds.add(options);
      const release = (): void => {
        cancel();
        // In a turn of its own: what has just come may still be taking the focus.
        if (holds.delete(options)) soon(pump);
      };
      const expire = (): void => {
        if (holds.has(options) && options.keep === undefined) waiting = [];
        release();
      };
      const cancel = later(expire, options.mostMs ?? COMES_WITHIN_MS);
      return release;
    },
    hear(key) {
      if (!isHeld() && waiting.length === 0 && !isPumping) return isKept(key);
      if (!takes(key)) return false;
      const calledOff =
        key.key === 'Escape' ? [...holds].findLast(({ onEscape }) => onEscape !== undefined) : undefined;
      if (calledOff !== undefined) {
        waiting = [];
        calledOff.onEscape?.();
      } else if (!key.repeat && waiting.length < KEYS_MOST) waiting.push(key);
      for (const listener of heard) listener();
      heard.clear();
      return true;
    },
    onWaiting(listener) {
      if (waiting.length > 0) listener();
      else heard.add(listener);
      return () => heard.delete(listener);
    },
    claimBy(next) {
      claims = next;
    },
  };
}

/** A key that is made by a script does nothing by itself: what the browser would do with it is done here. */
function pressAgain(page: Window & typeof globalThis, given: EarlyKey): void {
  const { document } = page;
  const target = document.activeElement ?? document.body;
  const { key, code, ctrlKey, altKey, metaKey, shiftKey, keyCode = 0 } = given;
  const init = { key, code, ctrlKey, altKey, metaKey, shiftKey, bubbles: true, cancelable: true, composed: true };
  // AltGr comes as Control and Alt together, with the character that it types.
  const isChord = metaKey || ctrlKey !== altKey;
  if (!target.dispatchEvent(new page.KeyboardEvent('keydown', { ...init, keyCode })) || isChord) return;
  // A terminal reads what types a character from here, and takes it.
  const charCode = [...key].length === 1 ? (key.codePointAt(0) ?? 0) : 0;
  if (charCode > 0 && !target.dispatchEvent(new page.KeyboardEvent('keypress', { ...init, charCode }))) return;
  if (target instanceof page.HTMLInputElement || target instanceof page.HTMLTextAreaElement) {
    // The only way to type into a field that keeps its undo history and tells whoever draws it.
    if ([...key].length === 1) document.execCommand('insertText', false, key);
    else if (key === 'Backspace') document.execCommand('delete');
    else if (key === 'Enter' && target instanceof page.HTMLInputElement) target.form?.requestSubmit();
  } else if ((key === 'Enter' || key === ' ') && target instanceof page.HTMLElement) target.click();
}

/** The queue of a page: hears every key before the page does. */
export function openEarlyKeys(page: Window & typeof globalThis): EarlyKeys {
  const keys = createEarlyKeys({
    press: key => pressAgain(page, key),
    soon: go => void page.setTimeout(go),
    later: (action, ms) => {
      const timer = page.setTimeout(action, ms);
      return () => page.clearTimeout(timer);
    },
  });
  page.addEventListener(
    'keydown',
    event => {
      // What is pressed again has waited already.
      if (!event.isTrusted || !keys.hear(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  return keys;
}
