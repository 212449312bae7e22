// Ranking: exact match, then recent use, then name. Sized for ten thousand candidates per key press.

/** What can be found: a title, further words that find it, and how recently it was used. */
export interface Candidate {
  readonly title: string;
  readonly words?: readonly string[];
  /** 0 = used last, 1 = used before that…; absent = not lately. */
  readonly recency?: number;
}

/** Half-open ranges of matched letters in a title, in order. */
export type Ranges = readonly (readonly [from: number, to: number])[];

export interface Ranked<Item> {
  readonly item: Item;
  /** Letters to draw bold. */
  readonly ranges: Ranges;
  /** How well it matches: lower is better. */
  readonly kind: MatchKind;
  /** The title begins with what was typed. */
  readonly begins: boolean;
}

/** Which of two ranked candidates comes first, also when they are of different indexes. */
export function compareRanked(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return (
    a.kind - b.kind ||
    (a.item.recency ?? RECENT_MOST) - (b.item.recency ?? RECENT_MOST) ||
    Number(b.begins) - Number(a.begins) ||
    byText(lowered(a.item.title), lowered(b.item.title))
  );
}

/** How a candidate can match, best first. */
export const matchKinds = { exact: 0, wordStart: 1, inside: 2, words: 3, scattered: 4 } as const;
export type MatchKind = (typeof matchKinds)[keyof typeof matchKinds];

/** Candidates made ready for ranking: lower-cased once, ordered by name once. */
export interface Index<Item extends Candidate> {
  readonly items: readonly Item[];
  readonly titles: readonly string[];
  readonly words: readonly string[];
  /** Recency and name order of each candidate, packed so that two of them are compared as one number. */
  readonly order: Float64Array;
}

/** Rows drawn at most; beyond some fifty a list is read no further. */
export const RANKED_MOST = 50;
/** Recent things remembered, and so the recency of one that was not used lately. */
const RECENT_MOST = 127;
/** Room for this many candidates in one index. */
const PLACES = 2 ** 24;
/** The parts of a packed key, best first: match kind, recency, whether the title begins so, place by name. All fit a double exactly. */
const RECENCY_STEP = 2 * PLACES;
const KIND_STEP = (RECENT_MOST + 1) * RECENCY_STEP;

/** Lower case that keeps the length of the text, so that ranges found in it fit the title. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text]
    .map(letter => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))
    .join('');
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Makes candidates ready. Do this when they change, not when a key is pressed. */
export function createIndex<Item extends Candidate>(items: readonly Item[]): Index<Item> {
  const titles = items.map(item => lowered(item.title));
  const byName = titles.map((_title, place) => place).sort((a, b) => byText(titles[a] ?? '', titles[b] ?? '') || a - b);
  const order = new Float64Array(items.length);
  for (const [place, item] of byName.entries()) {
    order[item] = Math.min(items[item]?.recency ?? RECENT_MOST, RECENT_MOST) * RECENCY_STEP + place;
  }
  return { items, titles, words: items.map(item => (item.words ?? []).join('\n').toLowerCase()), order };
}

/** The words of what was typed, lower-cased. */
export const wordsOf = (typed: string): readonly string[] =>
  lowered(typed)
    .split(/\s+/)
    .filter(word => word !== '');

/** Whether a letter begins a word: after a space, a sign, or at the very start. */
function startsWord(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  const isLower = before >= 97 && before <= 122;
  const isDigit = before >= 48 && before <= 57;
  return !isLower && !isDigit && before < 128;
}

function wordStart(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (startsWord(text, at)) return at;
  }
  return -1;
}

function scattered(text: string, letters: string): boolean {
  let at = 0;
  for (let index = 0; index < letters.length; index++) {
    at = text.indexOf(letters.charAt(index), at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** How a candidate matches; undefined when it does not. `whole` is what was typed with single spaces. */
function kindOf(title: string, words: string, whole: string, typed: readonly string[]): MatchKind | undefined {
  if (title === whole) return matchKinds.exact;
  let kind: MatchKind = matchKinds.wordStart;
  for (const word of typed) {
    if (title.includes(word)) {
      if (kind < matchKinds.inside && wordStart(title, word) < 0) kind = matchKinds.inside;
    } else if (words.includes(word)) {
      kind = matchKinds.words;
    } else {
      // One letter out of place finds nearly everything, which finds nothing.
      return whole.length > 1 && typed.length === 1 && scattered(title, whole) ? matchKinds.scattered : undefined;
    }
  }
  return kind;
}

/** The best candidates for what was typed, best first, at most `most`. Nothing typed: all of them, recent ones first, then by name. */
export function rank<Item extends Candidate>(
  index: Index<Item>,
  typed: string,
  most: number = RANKED_MOST,
): Ranked<Item>[] {
  const words = wordsOf(typed);
  const whole = words.join(' ');
  const keys: number[] = [];
  const places: number[] = [];
  for (let place = 0; place < index.titles.length; place++) {
    const title = index.titles[place] ?? '';
    const kind = words.length === 0 ? matchKinds.exact : kindOf(title, index.words[place] ?? '', whole, words);
    if (kind === undefined) continue;
    const key = kind * KIND_STEP + (index.order[place] ?? 0) + (title.startsWith(whole) ? 0 : PLACES);
    if (keys.length === most && key >= (keys[most - 1] ?? 0)) continue;
    insert(keys, places, key, place, most);
  }
  return places.flatMap((place, at) => {
    const item = index.items[place];
    const title = index.titles[place];
    if (item === undefined || title === undefined) return [];
    const kind = Math.floor((keys[at] ?? 0) / KIND_STEP) as MatchKind;
    const ranges = words.length === 0 ? [] : rangesOf(title, whole, words, kind);
    return [{ item, kind, begins: title.startsWith(whole), ranges }];
  });
}

/** Keeps the two lists sorted by key and no longer than `most`. */
function insert(keys: number[], places: number[], key: number, place: number, most: number): void {
  let at = keys.length;
  while (at > 0 && (keys[at - 1] ?? 0) > key) at--;
  keys.splice(at, 0, key);
  places.splice(at, 0, place);
  if (keys.length > most) {
    keys.pop();
    places.pop();
  }
}

function rangesOf(title: string, whole: string, words: readonly string[], kind: MatchKind): Ranges {
  if (title.startsWith(whole)) return [[0, whole.length]];
  if (kind === matchKinds.scattered) {
    const letters: [number, number][] = [];
    let at = 0;
    for (const letter of whole) {
      at = title.indexOf(letter, at) + 1;
      letters.push([at - 1, at]);
    }
    return merged(letters);
  }
  const found = words.flatMap((word): [number, number][] => {
    const start = wordStart(title, word);
    const at = start >= 0 ? start : title.indexOf(word);
    return at < 0 ? [] : [[at, at + word.length]];
  });
  return merged(found.sort((a, b) => a[0] - b[0]));
}

function merged(ranges: readonly (readonly [number, number])[]): Ranges {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
