// The colours and the font of terminals, as a person chose them in this browser: kept on the page's root, where every screen reads them.
import { colours, isColours } from './colours.ts';
import type { TextStorage } from './ports.ts';

const COLOURS_KEY = 'postern:terminal_colours';
const FONT_KEY = 'postern:terminal_font_family';
/** Names of fonts as people know them: nothing that would end a quoted name. */
const FONT = /^[\p{L}\p{N} ._-]{0,64}$/u;

/** Dresses the page's terminals as they were, and changes that. `page`: absent in tests. */
export function createDress(storage: TextStorage, page: Document | undefined) {
  const root = page?.documentElement;
  function show(name: string, font: string): void {
    if (root === undefined) return;
    root.dataset.terminalColours = name;
    root.dataset.terminalFont = font;
    if (isColours(name)) root.style.setProperty('--terminal-ground', colours[name].background);
    else root.style.removeProperty('--terminal-ground');
  }
  const kept = (key: string): string => storage.getItem(key) ?? '';
  show(kept(COLOURS_KEY), FONT.test(kept(FONT_KEY)) ? kept(FONT_KEY) : '');
  return ({ colours: name = kept(COLOURS_KEY), font = kept(FONT_KEY) }: { colours?: string; font?: string }): void => {
    if (!FONT.test(font)) return;
    show(name, font);
    try {
      storage.setItem(COLOURS_KEY, isColours(name) ? name : '');
      storage.setItem(FONT_KEY, font);
    } catch {
      // The quota is used up: it holds until the page is loaded anew.
    }
  };
}
