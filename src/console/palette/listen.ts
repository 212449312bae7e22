// The page's keyboard, handed to the keymap. hotkeys-js does the listening once the page stands, and the browser's own events before.
import type { Hearing, Keymap } from './keymap.ts';

const typedIn =
  'input:not([type=checkbox],[type=radio],[type=range],[type=button],[type=submit],[type=reset]),textarea,select,[contenteditable=""],[contenteditable=true],[role=textbox],[role=combobox]';
const widget =
  '[role=menu],[role=menubar],[role=listbox],[role=tree],[role=radiogroup],[role=tablist],[role=slider],[role=spinbutton],[type=range],[type=radio],[data-keys=own]';
const movesItself = 'nav,[role=toolbar]';
const activated =
  'button,a[href],summary,[role=button],[role=link],[role=switch],[role=checkbox],[type=checkbox],[type=button],[type=submit]';
/** The arrows open what its button opens (W3C, menu button pattern). */
const opensMenu = '[aria-haspopup=menu],[aria-haspopup=dialog]';
const menuStrokes: ReadonlySet<string> = new Set(['up', 'down']);

/** What has the keys, by where the event came from. */
export function hearingOf(target: EventTarget | null): Hearing {
  if (!(target instanceof Element))
    return { focus: document.querySelector(':modal') === null ? 'page' : 'modal', owned: 'none' };
  const part = target.closest<HTMLElement>('[data-own-keys]');
  // A desktop takes keys as a shell does.
  const isTerminal = target.closest('.xterm,[data-desktop=shown]') !== null;
  if (isTerminal && part === null && target.closest('[data-keys=own]') === null)
    return target.closest('[data-hears=nothing]') === null
      ? { focus: 'terminal', owned: 'none' }
      : // No shell hears: the page does, and the terminal itself only what it offers, which is Enter.
        { focus: 'page', owned: 'activation', isDead: true };
  if (document.querySelector(':modal') !== null) return { focus: 'modal', owned: 'none' };
  // The field inside a recording's screen takes no text.
  const takesText = target.closest(typedIn) !== null && !(isTerminal && part !== null);
  // A player's sliders move by the player's own keys.
  if (takesText || (part === null && target.closest(widget) !== null)) return { focus: 'typing', owned: 'none' };
  if (target.closest(movesItself) !== null) return { focus: 'page', owned: 'navigation' };
  const owned = target.closest(activated) === null ? 'none' : 'activation';
  if (target.closest(opensMenu) !== null) return { focus: 'page', owned, strokes: menuStrokes };
  return part === null
    ? { focus: 'page', owned }
    : { focus: 'page', owned, strokes: new Set(part.dataset.ownKeys?.split(' ')) };
}

/**
 * Listens until the answer is called. Keys are heard before any part of the page hears them, and from the beginning: `onPainted` says when
 * there is time to bring hotkeys-js, and until it is here the browser's own events do.
 */
export function openKeyboard(keymap: Keymap, onPainted: (run: () => void) => () => void): () => void {
  /** True when the keymap has used the key: then nobody else may. */
  const take = (event: KeyboardEvent): boolean =>
    event.type === 'keydown' && keymap.press(event, hearingOf(event.composedPath()[0] ?? event.target));
  const hear = (event: KeyboardEvent): void => {
    if (!take(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', hear, { capture: true });
  let stop = (): void => document.removeEventListener('keydown', hear, { capture: true });
  let isOpen = true;
  const cancel = onPainted(() => {
    void import('./hotkeys.ts').then(
      ({ hearAll }) => {
        if (!isOpen) return;
        stop();
        stop = hearAll(take);
      },
      // Without it the browser's own events go on doing.
      () => undefined,
    );
  });
  const reset = (): void => keymap.reset();
  window.addEventListener('blur', reset);
  return () => {
    isOpen = false;
    cancel();
    stop();
    window.removeEventListener('blur', reset);
  };
}
