// Lets xterm style itself under a content policy without 'unsafe-inline': the page's nonce goes onto the <style> elements it makes.

/** A style attribute set by setAttribute counts as inline style and is refused; the same text set through CSSOM is not. */
function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

function createUnder(page: Document, nonce: string, tag: string): HTMLElement {
  const element = Document.prototype.createElement.call(page, tag) as HTMLElement;
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  else if (element instanceof HTMLSpanElement) element.setAttribute = setAttribute;
  return element;
}

/** The page as xterm's `documentOverride` takes it: everything it creates there obeys the policy. */
export function documentUnder(page: Document, nonce: string): Document {
  const bound = new Map<PropertyKey, unknown>([['createElement', (tag: string) => createUnder(page, nonce, tag)]]);
  return new Proxy(page, {
    get(target, key) {
      const known = bound.get(key);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const method: unknown = value.bind(target);
      bound.set(key, method);
      return method;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}

/**
 * Runs `open` while the page itself creates <style> elements with the nonce: xterm 6.0.0 makes the one for its scroll bar from
 * `window.document` whatever its documentOverride says (CoreBrowserService gets `window.document` always).
 */
export function whileOpening(page: Document, nonce: string, open: () => void): void {
  page.createElement = ((tag: string) => createUnder(page, nonce, tag)) as Document['createElement'];
  try {
    open();
  } finally {
    Reflect.deleteProperty(page, 'createElement'); // the prototype's own shows again
  }
}

/** The private parts of xterm 6.0.0 that lead to the maker of its rows; the version is pinned, and a journey watches for violations. */
interface RowMaker {
  readonly _core?: {
    readonly _renderService?: {
      readonly _renderer?: { readonly value?: { readonly _rowFactory?: { _document: Document } } };
    };
  };
}

/**
 * Gives the DOM renderer's rows the same page: they set style attributes, and xterm hands them the global `document` whatever
 * documentOverride says. Must be called whenever xterm has made a DOM renderer: after opening, and after WebGL was taken away.
 */
export function obeyInRows(xterm: object, under: Document): void {
  const rows = (xterm as RowMaker)._core?._renderService?._renderer?.value?._rowFactory;
  if (rows) rows._document = under;
}
