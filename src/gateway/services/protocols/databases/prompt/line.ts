// The statement that is being typed, and what each key does to it: the keys of Emacs, as shells have them. Pure: what it looks like is
// line-view.ts's.
import { charactersOf } from './cells.ts';
import type { Key } from './keys.ts';

/** Longest statement that can be typed or pasted, characters. */
const LINE_MOST_CHARACTERS = 64 * 1024;

/** What a key asked for beside a change of the text. */
type Asked =
  | 'nothing'
  /** There is nothing that it could do. */
  | 'bell'
  | 'submit'
  /** Ctrl-C: the text is given up. */
  | 'interrupt'
  /** Ctrl-D at an empty line. */
  | 'leave'
  | 'clearScreen';

export interface Line {
  readonly text: string;
  /** Where the cursor stands, in UTF-16 units. */
  readonly at: number;
  /** What is looked for in what was typed before; null: nothing. */
  readonly search: string | null;
  press(key: Key): Asked;
}

/** `isWhole`: Enter runs such a text, any other goes on in a new line. `history`: the oldest first. */
export function createLine(history: readonly string[], isWhole: (text: string) => boolean): Line {
  let text = '';
  let at = 0;
  let killed = '';
  /** Of what was typed before, which is shown; its length: what is typed now. */
  let shownAt = history.length;
  let draft = '';
  let search: string | null = null;

  function set(next: string, cursor = next.length): Asked {
    text = next;
    at = cursor;
    return 'nothing';
  }
  function insert(added: string): Asked {
    if (text.length + added.length > LINE_MOST_CHARACTERS) return 'bell';
    return set(text.slice(0, at) + added + text.slice(at), at + added.length);
  }
  function remove(from: number, to: number, keeps = false): Asked {
    if (from === to) return 'bell';
    if (keeps) killed = text.slice(from, to);
    return set(text.slice(0, from) + text.slice(to), from);
  }
  const lineStart = (): number => text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = (): number => {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  };
  const before = (): number => charactersOf(text.slice(lineStart(), at)).at(-1)?.at ?? -1;
  const left = (): number => (at === 0 ? 0 : before() < 0 ? at - 1 : lineStart() + before());
  const right = (): number => at + (charactersOf(text.slice(at, at + 64))[0]?.text.length ?? 0);
  const wordLeft = (): number => text.slice(0, at).replace(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u, '').length;
  const wordLeftOf = (): number =>
    text
      .slice(0, at)
      .trimEnd()
      .replace(/[\p{L}\p{N}_]+$|[^\p{L}\p{N}_]+$/u, '').length;
  const wordRight = (): number => at + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(at))?.[0].length ?? 0);

  function recall(to: number): Asked {
    if (to < 0 || to > history.length || to === shownAt) return 'bell';
    if (shownAt === history.length) draft = text;
    shownAt = to;
    return set(to === history.length ? draft : (history[to] ?? ''));
  }
  /** Up and down go through the lines of the text first. */
  function vertical(by: -1 | 1): Asked {
    const start = lineStart();
    const column = at - start;
    if (by < 0) {
      if (start === 0) return recall(shownAt - 1);
      const above = text.lastIndexOf('\n', start - 2) + 1;
      at = Math.min(above + column, start - 1);
      return 'nothing';
    }
    const end = lineEnd();
    if (end === text.length) return recall(shownAt + 1);
    const below = text.indexOf('\n', end + 1);
    at = Math.min(end + 1 + column, below < 0 ? text.length : below);
    return 'nothing';
  }
  /** The next older one that holds what is looked for. */
  function find(from: number): Asked {
    for (let to = from; to >= 0; to--) {
      const found = history[to]?.toLowerCase().indexOf((search ?? '').toLowerCase()) ?? -1;
      if (found < 0) continue;
      if (shownAt === history.length) draft = text;
      shownAt = to;
      return set(history[to] ?? '', found);
    }
    return 'bell';
  }
  /** Keys while something is looked for; null: they end that, and do what they always do. */
  function searching(key: Key, sought: string): Asked | null {
    if (key.kind === 'text') {
      if (sought.length + key.text.length > 200) return 'bell';
      search = sought + key.text;
      return find(Math.min(shownAt, history.length - 1));
    }
    switch (key.name) {
      case 'ctrl+r':
        return find(shownAt - 1);
      case 'backspace':
        search = sought.slice(0, charactersOf(sought).at(-1)?.at ?? 0);
        return 'nothing';
      case 'ctrl+g':
      case 'escape':
        search = null;
        shownAt = history.length;
        return set(draft);
      default:
        search = null;
        return null;
    }
  }

  const acts: Readonly<Record<string, () => Asked>> = {
    enter() {
      if (isWhole(text)) return 'submit';
      at = text.length;
      return insert('\n');
    },
    'ctrl+c': () => 'interrupt',
    'ctrl+d': () => (text === '' ? 'leave' : remove(at, right())),
    'ctrl+l': () => 'clearScreen',
    backspace: () => remove(left(), at),
    delete: () => remove(at, right()),
    left: () => set(text, left()),
    'ctrl+b': () => set(text, left()),
    right: () => set(text, right()),
    'ctrl+f': () => set(text, right()),
    home: () => set(text, lineStart()),
    'ctrl+a': () => set(text, lineStart()),
    end: () => set(text, lineEnd()),
    'ctrl+e': () => set(text, lineEnd()),
    'alt+b': () => set(text, wordLeft()),
    'alt+f': () => set(text, wordRight()),
    'ctrl+w': () => remove(text.slice(0, at).replace(/\S*\s*$/, '').length, at, true),
    'alt+backspace': () => remove(wordLeftOf(), at, true),
    'alt+d': () => remove(at, wordRight(), true),
    'ctrl+k': () => remove(at, Math.max(lineEnd(), Math.min(at + 1, text.length)), true),
    'ctrl+u': () => remove(lineStart(), at, true),
    'ctrl+y': () => (killed === '' ? 'bell' : insert(killed)),
    'ctrl+t'() {
      const from = left();
      const to = right();
      if (from === at || to === at) return 'bell';
      return set(text.slice(0, from) + text.slice(at, to) + text.slice(from, at) + text.slice(to), to);
    },
    up: () => vertical(-1),
    'ctrl+p': () => vertical(-1),
    down: () => vertical(1),
    'ctrl+n': () => vertical(1),
    'ctrl+r'() {
      search = '';
      return 'nothing';
    },
    tab: () => insert('  '),
  };
  return {
    get text() {
      return text;
    },
    get at() {
      return at;
    },
    get search() {
      return search;
    },
    press(key) {
      const found = search === null ? null : searching(key, search);
      if (found !== null) return found;
      return key.kind === 'text' ? insert(key.text) : (acts[key.name]?.() ?? 'bell');
    },
  };
}
