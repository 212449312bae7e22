// Text that an input method has settled on, kept from being lost. xterm reads it out of its field a turn later: by then a field that has
// lost the focus is empty, and a key that comes first has it read no further than it last looked.
import { createDisposables, type Disposable } from './disposables.ts';

export interface ComposedTextParts {
  /** The field that xterm hears keys in, once xterm listens to it. */
  readonly field: EventTarget & { value: string };
  /** What the field is in: it hears keys, and the loss of the focus, before xterm does. */
  readonly around: EventTarget;
  /** Types a text into the terminal. */
  readonly type: (text: string) => void;
}

/** Hands what was composed to the terminal before something comes between. */
export function keepComposedText({ field, around, type }: ComposedTextParts): Disposable {
  const disposables = createDisposables();
  let isComposing = false;
  /** Settled on, and not read yet. */
  let isWaiting = false;
  let from = 0;

  function handOver(): void {
    const text = field.value.slice(from);
    isComposing = false;
    isWaiting = false;
    // xterm, which reads it in a moment, finds nothing.
    field.value = '';
    if (text !== '') type(text);
  }
  function on(target: EventTarget, name: string, hear: (event: Event) => void): void {
    target.addEventListener(name, hear, { capture: true });
    disposables.defer(() => target.removeEventListener(name, hear, { capture: true }));
  }
  on(field, 'compositionstart', () => {
    if (!isWaiting) from = field.value.length;
    isComposing = true;
  });
  on(field, 'compositionend', () => {
    isComposing = false;
    isWaiting = true;
    // xterm has planned its reading already: this comes right behind it.
    setTimeout(() => {
      isWaiting = false;
    });
  });
  on(around, 'keydown', event => {
    const { isComposing: isMethods, keyCode, key } = event as KeyboardEvent;
    // A key of the input method's own, or one that says nothing by itself.
    if (isMethods || keyCode === 229 || /^(Shift|Control|Alt|AltGraph|Meta|CapsLock)$/.test(key)) return;
    if (isWaiting && !isComposing) handOver();
  });
  on(around, 'blur', () => {
    if (isWaiting || isComposing) handOver();
  });
  return disposables;
}
