// Keys pressed between asking for a part of the page and seeing it: they are meant for it, and the page must not hear them.
import { flushSync } from 'react-dom';

/** Keys kept for a part that is on its way: more than anyone types in that time. */
const HELD_MOST = 50;
const modifiers: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

/**
 * Keeps every key from the page until something has come, then shows it and presses them again, in order, on whatever has the focus by then.
 * Chords go where they always go, and Escape calls off what was awaited. The answer forgets the keys and shows nothing.
 */
export function holdKeysUntil(coming: Promise<unknown>, show: () => void, onEscape: () => void = () => {}): () => void {
  const held: KeyboardEvent[] = [];
  let isOver = false;
  const end = (): void => {
    isOver = true;
    removeEventListener('keydown', hear, true);
  };
  const hear = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || modifiers.has(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') {
      end();
      onEscape();
    } else if (!event.repeat && held.length < HELD_MOST) held.push(event);
  };
  addEventListener('keydown', hear, true);
  // Whoever shows it says what could not be had.
  void Promise.allSettled([coming]).then(() => {
    if (isOver) return;
    end();
    flushSync(show);
    for (const event of held) pressAgain(event);
  });
  return end;
}

/** A key that is made by a script does nothing by itself: what the browser would do with it is done here. */
function pressAgain({ key, code, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  const again = new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true, composed: true });
  if (!target.dispatchEvent(again)) return;
  if (target instanceof HTMLInputElement) {
    // The only way to type into a field that keeps its undo history and tells whoever draws it.
    if (key.length === 1) document.execCommand('insertText', false, key);
    else if (key === 'Enter') target.form?.requestSubmit();
  } else if ((key === 'Enter' || key === ' ') && target instanceof HTMLElement) target.click();
}
