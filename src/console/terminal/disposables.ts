// Holds what was opened together, so that it is closed together.

export interface Disposable {
  dispose(): void;
}

/** Keeps things to close; `dispose` closes them once, last opened first. What is added afterwards is closed at once. */
export function createDisposables() {
  let items: Disposable[] | null = [];
  return {
    add<T extends Disposable>(thing: T): T {
      if (items === null) thing.dispose();
      else items.push(thing);
      return thing;
    },
    /** Keeps a function to call at the end. */
    defer(run: () => void): void {
      if (items === null) run();
      else items.push({ dispose: run });
    },
    dispose(): void {
      const closing = items ?? [];
      items = null;
      for (const thing of closing.reverse()) thing.dispose();
    },
  };
}

/** Listens on an element; disposing stops it. */
export function listen<K extends keyof HTMLElementEventMap>(
  target: HTMLElement,
  type: K,
  hear: (event: HTMLElementEventMap[K]) => void,
  options?: AddEventListenerOptions,
): Disposable {
  target.addEventListener(type, hear, options);
  return { dispose: () => target.removeEventListener(type, hear, options) };
}
