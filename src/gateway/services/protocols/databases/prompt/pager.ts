// More lines than the screen has: a page at a time, with the keys of `less`.
import { folded, shown } from './cells.ts';
import type { Key } from './keys.ts';
import type { Screen } from './line-view.ts';

export interface Pager {
  /** What brings the screen up to date. */
  draw(screen: Screen): string;
  /** False: the reader is done. */
  press(key: Key): boolean;
  /** Leaves what was read last on the screen. */
  leave(): string;
}

const ENTER_SCREEN = '\x1b[?1049h\x1b[?25l';
const LEAVE_SCREEN = '\x1b[?25h\x1b[?1049l';
const inverse = (text: string): string => `\x1b[7m${text}\x1b[0m`;

export function createPager(text: readonly string[]): Pager {
  let cols = 0;
  let lines: readonly string[] = [];
  let page = 1;
  let top = 0;
  let entered = false;
  /** Being typed behind `/`; null: nothing is. */
  let typing: string | null = null;
  let sought = '';
  let missed = false;

  const last = (): number => Math.max(0, lines.length - page);
  function go(to: number): void {
    top = Math.min(last(), Math.max(0, to));
  }
  function find(from: number, by: 1 | -1): void {
    missed = false;
    const wanted = sought.toLowerCase();
    for (let at = from; wanted !== '' && at >= 0 && at < lines.length; at += by)
      if (lines[at]?.toLowerCase().includes(wanted)) {
        go(at);
        return;
      }
    missed = wanted !== '';
  }
  const acts: Readonly<Record<string, () => void>> = {
    ' ': () => go(top + page),
    f: () => go(top + page),
    'ctrl+f': () => go(top + page),
    pagedown: () => go(top + page),
    b: () => go(top - page),
    'ctrl+b': () => go(top - page),
    pageup: () => go(top - page),
    d: () => go(top + Math.ceil(page / 2)),
    u: () => go(top - Math.ceil(page / 2)),
    j: () => go(top + 1),
    enter: () => go(top + 1),
    down: () => go(top + 1),
    k: () => go(top - 1),
    up: () => go(top - 1),
    g: () => go(0),
    home: () => go(0),
    G: () => go(last()),
    end: () => go(last()),
    n: () => find(top + 1, 1),
    N: () => find(top - 1, -1),
    '/'() {
      typing = '';
    },
  };
  function type(key: Key, before: string): void {
    if (key.kind === 'text') typing = (before + key.text).slice(0, 200);
    else if (key.name === 'backspace') typing = before === '' ? null : before.slice(0, -1);
    else if (key.name === 'enter') {
      sought = before || sought;
      typing = null;
      find(top, 1);
    } else typing = null;
  }
  function status(): string {
    if (typing !== null) return `/${shown(typing)}`;
    if (missed) return inverse(` "${shown(sought)}" was not found `);
    const to = Math.min(lines.length, top + page);
    return inverse(` lines ${top + 1}–${to} of ${lines.length}   space b / n g G q `);
  }
  return {
    draw(screen) {
      if (screen.cols !== cols) {
        const share = lines.length > 0 ? top / lines.length : 0;
        cols = screen.cols;
        lines = text.flatMap(line => folded(line, cols));
        top = Math.floor(share * lines.length);
      }
      page = Math.max(1, screen.rows - 1);
      go(top);
      const shownLines = lines.slice(top, top + page);
      const drawn = `\x1b[H${shownLines.map(line => `${line}\x1b[K\r\n`).join('')}\x1b[J${status()}`;
      if (entered) return drawn;
      entered = true;
      return ENTER_SCREEN + drawn;
    },
    press(key) {
      if (key.kind === 'key' && key.name === 'ctrl+c') return false;
      if (typing !== null) {
        type(key, typing);
        return true;
      }
      missed = false;
      const all = key.kind === 'text' ? Array.from(key.text) : [key.name];
      for (const [at, pressed] of all.entries()) {
        if (pressed === 'q' || pressed === 'Q' || pressed === 'ctrl+d' || pressed === 'escape') return false;
        acts[pressed]?.();
        if (typing === null) continue;
        // What came along with the slash is what is looked for.
        typing = all.slice(at + 1).join('');
        break;
      }
      return true;
    },
    leave: () =>
      `${LEAVE_SCREEN}${lines
        .slice(top, top + page)
        .map(line => `${line}\r\n`)
        .join('')}`,
  };
}
