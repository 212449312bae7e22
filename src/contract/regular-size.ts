// Says how large the program of a regular expression will be, before it is compiled: counted repetitions of long groups would
// otherwise be written out a million times.

/** What compiling a regular expression leads to. */
export interface RegularSize {
  /** Upper bound of the program, steps. */
  readonly steps: number;
  /** Fewest characters that a match takes; 0 when it may be empty. */
  readonly shortest: number;
  /** Deepest nesting of groups. */
  readonly levels: number;
}

/** One alternative, or one piece that a repetition may follow. */
type Piece = { steps: number; shortest: number };

/** A set such as `[^]a-z[:alpha:]]`, an escape, or one character. Sets are one step, however many characters they name. */
const atom =
  /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[\s\S])|\[\^?\]?(?:\[:\^?[a-z]+:\]|\\[\s\S]|[^\]\\])*\]|[\s\S]/uy;
const count = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
const groupStart = /\(\?[^():]*?[:)>]|\(/y;
/** Assertions take no character. */
const widthless = new Set(['^', '$', '\\b', '\\B', '\\A', '\\z']);

/** Measures an expression; one that cannot be read is measured as far as it goes, and refused when it is compiled. */
export function measureRegular(source: string): RegularSize {
  /** Groups that are open: the alternatives before, and the present one. */
  const open: { ended: Piece[]; pieces: Piece[] }[] = [{ ended: [], pieces: [] }];
  let levels = 0;
  const whole = (group: { ended: Piece[]; pieces: Piece[] }): Piece => {
    const options = [...group.ended, sum(group.pieces)];
    return {
      // A split and a jump per alternative, and the two ends of a capture.
      steps: options.reduce((all, { steps }) => all + steps + 2, 2),
      shortest: Math.min(...options.map(({ shortest }) => shortest)),
    };
  };
  const close = (): void => {
    const group = open.length > 1 ? open.pop() : undefined;
    if (group) open.at(-1)?.pieces.push(whole(group));
  };
  for (let at = 0; at < source.length; ) {
    const now = open.at(-1);
    const start = read(groupStart, source, at);
    if (start) {
      at += start[0].length;
      // Flags for the rest of the group, such as (?i), open nothing.
      if (!start[0].endsWith(')')) levels = Math.max(levels, open.push({ ended: [], pieces: [] }) - 1);
      continue;
    }
    if (source[at] === '|' && now) {
      now.ended.push(sum(now.pieces));
      now.pieces = [];
      at++;
      continue;
    }
    if (source[at] === ')') {
      close();
      at++;
    } else {
      const one = read(atom, source, at)?.[0] ?? source.charAt(at);
      now?.pieces.push({ steps: 1, shortest: widthless.has(one) ? 0 : 1 });
      at += one.length;
    }
    const times = read(count, source, at);
    const last = open.at(-1)?.pieces.at(-1);
    if (!times || !last) continue;
    at += times[0].length;
    const least = times[1] === undefined ? (times[0].startsWith('+') ? 1 : 0) : Number(times[1]);
    const most = times[3] === undefined || times[3] === '' ? least : Number(times[3]);
    // A split and a jump beside what is repeated.
    last.steps = (last.steps + 2) * Math.max(most, least, 1) + 2;
    last.shortest *= least;
  }
  while (open.length > 1) close();
  const [only] = open;
  return { ...(only ? whole(only) : { steps: 0, shortest: 0 }), levels };
}

function sum(pieces: readonly Piece[]): Piece {
  const all = { steps: 0, shortest: 0 };
  for (const { steps, shortest } of pieces) {
    all.steps += steps;
    all.shortest += shortest;
  }
  return all;
}

function read(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
