// Ranking: exact word, then prefix, then recent and frequent use, then name. Sized for ten thousand candidates per key press.

/** What can be found: a title, further words that find it, and how recently it was used. */
export interface Candidate {
  readonly title: string;
  /** Where the name begins by which people know it, characters: of "Go to Servers" behind "Go to ". Absent: the title is the name. */
  readonly nameAt?: number;
  readonly words?: readonly string[];
  /** Comes after the others that match as well: what cannot be undone, and after that what is refused. */
  readonly last?: 'destructive' | 'refused';
  /** 0 = used most, of late and often, 1 = after that…; absent = not lately. */
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
  /** The title or the name begins with what was typed. */
  readonly begins: boolean;
}

/** Which of two ranked candidates comes first, also when they are of different indexes. */
export function compareRanked(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return compareMatches(a, b) || byText(nameOf(a.item), nameOf(b.item));
}

/** The same before names are looked at. */
export function compareMatches(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return (
    a.kind - b.kind ||
    lateness(a.item) - lateness(b.item) ||
    (a.item.recency ?? RECENT_MOST) - (b.item.recency ?? RECENT_MOST) ||
    Number(b.begins) - Number(a.begins)
  );
}

const lateness = ({ last }: Candidate): number => (last === undefined ? 0 : last === 'destructive' ? 1 : 2);

/**
 * How a candidate can match, best first: the title or the name itself, words of the title, beginnings of its words, parts of them or whole further words,
 * parts of further words, letters that begin words.
 */
export const matchKinds = { exact: 0, word: 1, wordStart: 2, inside: 3, words: 4, initials: 5 } as const;
type MatchKind = (typeof matchKinds)[keyof typeof matchKinds];

/** Candidates made ready for ranking: lower-cased once, ordered by name once. */
export interface Index<Item extends Candidate> {
  readonly items: readonly Item[];
  readonly titles: readonly string[];
  readonly words: readonly string[];
  /** Place of each candidate by name. */
  readonly places: Uint32Array;
  /** Whether it comes last, its recency and its place by name, packed so that two candidates are compared as one number. */
  readonly order: Float64Array;
}

/** Rows drawn at most; beyond some fifty a list is read no further. */
export const RANKED_MOST = 50;
/** Recent things remembered, and so the recency of one that was not used lately. */
const RECENT_MOST = 127;
/** Letters that are tried as initials: more than this is a word that was mistyped. */
const INITIALS_MOST = 8;
/** They are looked for in this much of a title, characters. */
const INITIALS_REACH = 64;
/** Room for this many candidates in one index. */
const PLACES = 2 ** 24;
/** The parts of a packed key, best first: match kind, whether it comes last, recency, whether it begins so, place by name. All fit a double exactly. */
const RECENCY_STEP = 2 * PLACES;
const LAST_STEP = (RECENT_MOST + 1) * RECENCY_STEP;
const KIND_STEP = 3 * LAST_STEP;

/** Lower case that keeps the length of the text, so that ranges found in it fit the title. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text]
    .map(letter => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter))
    .join('');
}

/** "Lock…" comes before "Lock a bot…": that a command asks for something is no letter of its name. */
const named = (title: string): string => (title.endsWith('…') ? title.slice(0, -1) : title);
const byText = (left: string, right: string): number => {
  const [a, b] = [named(left), named(right)];
  return a < b ? -1 : a > b ? 1 : 0;
};

const nameOf = ({ title, nameAt = 0 }: Candidate): string => lowered(title).slice(nameAt);

/** Makes candidates ready. Do this when they change, not when a key is pressed. */
export function createIndex<Item extends Candidate>(items: readonly Item[]): Index<Item> {
  const titles = items.map(item => lowered(item.title));
  const places = new Uint32Array(items.length);
  const names = items.map(nameOf);
  const byName = names.map((_name, item) => item).sort((a, b) => byText(names[a] ?? '', names[b] ?? '') || a - b);
  for (const [place, item] of byName.entries()) places[item] = place;
  const words = items.map(item => (item.words ?? []).join('\n').toLowerCase());
  return { items, titles, words, places, order: orderOf(items, places) };
}

/** The same candidates after other things were used: nothing is lower-cased or sorted again. */
export function reordered<Item extends Candidate>(
  index: Index<Item>,
  recencyOf: (item: Item) => number | undefined,
): Index<Item> {
  const items = index.items.map(item => {
    const recency = recencyOf(item);
    if (recency === item.recency) return item;
    const { recency: _before, ...rest } = item;
    return (recency === undefined ? rest : { ...rest, recency }) as Item;
  });
  return { ...index, items, order: orderOf(items, index.places) };
}

function orderOf(items: readonly Candidate[], places: Uint32Array): Float64Array {
  return Float64Array.from(items, (item, at) => {
    const recency = Math.min(item.recency ?? RECENT_MOST, RECENT_MOST);
    return lateness(item) * LAST_STEP + recency * RECENCY_STEP + (places[at] ?? 0);
  });
}

/** The words of what was typed, lower-cased. */
export const wordsOf = (typed: string): readonly string[] =>
  lowered(typed)
    .split(/\s+/)
    .filter(word => word !== '');

/** Ends the title of a command that asks for something. */
const ELLIPSIS = 0x2026;
const isWordLetter = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 128 && code !== ELLIPSIS);
};

/** Whether a letter begins a word: after a space, a sign, or at the very start. */
const startsWord = (text: string, at: number): boolean => at === 0 || !isWordLetter(text, at - 1);

function wordStart(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (startsWord(text, at)) return at;
  }
  return -1;
}

/** Whether a word stands in a text as a word of its own. */
function isWordOf(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const after = at + word.length;
    if (startsWord(text, at) && (after === text.length || !isWordLetter(text, after))) return true;
  }
  return false;
}

/** Dead ends of the search below, so that no title, however built, makes it look twice: [letters taken][place]. */
const deadEnds = new Uint8Array((INITIALS_MOST + 1) * INITIALS_REACH);

/**
 * Places in a text where letters stand that were typed without their words: each follows the one before it or begins a word,
 * as in `gts` for "Go to Servers" or `db3` for "db-3". Undefined when they stand nowhere so.
 */
function initials(title: string, letters: string): readonly number[] | undefined {
  if (letters.length > INITIALS_MOST) return undefined;
  const text = title.slice(0, INITIALS_REACH - 1);
  deadEnds.fill(0);
  const look = (from: number, taken: number): number[] | undefined => {
    if (taken === letters.length) return [];
    const place = taken * INITIALS_REACH + from;
    if (deadEnds[place] === 1) return undefined;
    for (
      let at = text.indexOf(letters.charAt(taken), from);
      at >= 0;
      at = text.indexOf(letters.charAt(taken), at + 1)
    ) {
      const follows = taken > 0 && at === from;
      const rest = follows || startsWord(text, at) ? look(at + 1, taken + 1) : undefined;
      if (rest !== undefined) return [at, ...rest];
    }
    deadEnds[place] = 1;
    return undefined;
  };
  return look(0, 0);
}

/** How one typed word matches: in the title, else in the further words. */
function kindOfWord(title: string, words: string, word: string): MatchKind | undefined {
  if (title.includes(word)) {
    if (isWordOf(title, word)) return matchKinds.word;
    return wordStart(title, word) < 0 ? matchKinds.inside : matchKinds.wordStart;
  }
  if (!words.includes(word)) return undefined;
  return isWordOf(words, word) ? matchKinds.inside : matchKinds.words;
}

/** Where what was typed begins the title or the name; -1: it begins neither. */
const beginsAt = (title: string, nameAt: number, whole: string): number =>
  title.startsWith(whole) ? 0 : nameAt > 0 && title.startsWith(whole, nameAt) ? nameAt : -1;

/**
 * How a candidate matches; undefined when it does not. `begin`: where what was typed begins it; `whole` is that with single spaces.
 */
function kindOf(
  title: string,
  words: string,
  begin: number,
  whole: string,
  typed: readonly string[],
): MatchKind | undefined {
  const end = begin + whole.length;
  if (begin >= 0 && (title.length === end || title.charCodeAt(end) === ELLIPSIS)) return matchKinds.exact;
  let kind: MatchKind = matchKinds.word;
  for (const word of typed) {
    const of = kindOfWord(title, words, word);
    if (of === undefined)
      return typed.length === 1 && initials(title, whole) !== undefined ? matchKinds.initials : undefined;
    if (of > kind) kind = of;
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
    const begin = beginsAt(title, index.items[place]?.nameAt ?? 0, whole);
    const kind = words.length === 0 ? matchKinds.exact : kindOf(title, index.words[place] ?? '', begin, whole, words);
    if (kind === undefined) continue;
    const key = kind * KIND_STEP + (index.order[place] ?? 0) + (begin >= 0 ? 0 : PLACES);
    if (keys.length === most && key >= (keys[most - 1] ?? 0)) continue;
    insert(keys, places, key, place, most);
  }
  return places.flatMap((place, at) => {
    const item = index.items[place];
    const title = index.titles[place];
    if (item === undefined || title === undefined) return [];
    const kind = Math.floor((keys[at] ?? 0) / KIND_STEP) as MatchKind;
    const begin = beginsAt(title, item.nameAt ?? 0, whole);
    const ranges = words.length === 0 ? [] : rangesOf(title, begin, whole, words, kind);
    return [{ item, kind, begins: begin >= 0, ranges }];
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

function rangesOf(title: string, begin: number, whole: string, words: readonly string[], kind: MatchKind): Ranges {
  if (begin >= 0) return [[begin, begin + whole.length]];
  if (kind === matchKinds.initials) return merged((initials(title, whole) ?? []).map(at => [at, at + 1]));
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
