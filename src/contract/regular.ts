// Runs regular expressions that people write in roles and filters. Time is linear in the text: a Pike machine walks all
// alternatives at once, where the engine's own RegExp would try them one after the other and could be made to run for ever.
import { type Assertion, isWord, PatternError, type Piece, readRegular, type Test } from './regular-syntax.ts';

/** Longest expression, characters, and largest program it may compile to, steps: they bound the work per character of text. */
const REGULAR_MOST_CHARACTERS = 1024;
const PROGRAM_MOST_STEPS = 4000;

type Step =
  | { readonly op: 'one'; readonly test: Test }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'assert'; readonly what: Assertion }
  | { readonly op: 'match' };

function compile(piece: Piece): readonly Step[] {
  const steps: Step[] = [];
  const push = <S extends Step>(step: S): S => {
    if (steps.length >= PROGRAM_MOST_STEPS) throw new PatternError('regular expression: it repeats too much');
    steps.push(step);
    return step;
  };
  const emit = (part: Piece): void => {
    switch (part.kind) {
      case 'one':
        push({ op: 'one', test: part.test });
        return;
      case 'assert':
        push({ op: 'assert', what: part.what });
        return;
      case 'group':
        push({ op: 'save', slot: part.index * 2 });
        emit(part.of);
        push({ op: 'save', slot: part.index * 2 + 1 });
        return;
      case 'sequence':
        part.of.forEach(emit);
        return;
      case 'either': {
        const ends: { to: number }[] = [];
        for (const [index, option] of part.of.entries()) {
          if (index === part.of.length - 1) {
            emit(option);
            break;
          }
          const split = push({ op: 'split', first: steps.length + 1, second: 0 });
          emit(option);
          ends.push(push({ op: 'jump', to: 0 }));
          split.second = steps.length;
        }
        for (const end of ends) end.to = steps.length;
        return;
      }
      case 'repeat': {
        for (let count = 0; count < part.least; count++) emit(part.of);
        const branch = () => {
          const split = push({ op: 'split', first: 0, second: 0 });
          const here = steps.length;
          return (after: number) => {
            split.first = part.greedy ? here : after;
            split.second = part.greedy ? after : here;
          };
        };
        if (part.most === Number.POSITIVE_INFINITY) {
          const start = steps.length;
          const close = branch();
          emit(part.of);
          push({ op: 'jump', to: start });
          close(steps.length);
          return;
        }
        const closes: ((after: number) => void)[] = [];
        for (let count = part.least; count < part.most; count++) {
          closes.push(branch());
          emit(part.of);
        }
        for (const close of closes) close(steps.length);
      }
    }
  };
  emit(piece);
  push({ op: 'match' });
  return steps;
}

interface Program {
  readonly steps: readonly Step[];
  readonly slots: number;
  readonly names: ReadonlyMap<string, number>;
}
/** Positions of each group, [start, end), in code points; -1 where a group took no part. */
type Match = readonly number[];

function holds(what: Assertion, text: readonly number[], at: number): boolean {
  switch (what) {
    case 'start':
      return at === 0;
    case 'end':
      return at === text.length;
    case 'line-start':
      return at === 0 || text[at - 1] === 10;
    case 'line-end':
      return at === text.length || text[at] === 10;
    default: {
      const edge = isWord(text[at - 1] ?? 0) !== isWord(text[at] ?? 0);
      return what === 'word' ? edge : !edge;
    }
  }
}

/** The leftmost match at or after `from`, or null. Time: steps × text. */
function find(program: Program, text: readonly number[], from: number): Match | null {
  interface Thread {
    readonly at: number;
    readonly saved: Match;
  }
  let current: Thread[] = [];
  let found: Match | null = null;
  const { steps } = program;
  const seen = new Int32Array(steps.length).fill(-1);
  const add = (into: Thread[], start: number, startSaved: Match, position: number, mark: number): void => {
    // An explicit stack in priority order: a long pattern must not exhaust the call stack.
    const waiting: Thread[] = [{ at: start, saved: startSaved }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (seen[next.at] === mark) continue;
      seen[next.at] = mark;
      const step = steps[next.at];
      const saved = next.saved;
      if (step?.op === 'jump') waiting.push({ at: step.to, saved });
      else if (step?.op === 'split') waiting.push({ at: step.second, saved }, { at: step.first, saved });
      else if (step?.op === 'save') waiting.push({ at: next.at + 1, saved: saved.with(step.slot, position) });
      else if (step?.op === 'assert') {
        if (holds(step.what, text, position)) waiting.push({ at: next.at + 1, saved });
      } else into.push(next);
    }
  };
  const none: Match = new Array<number>(program.slots).fill(-1);
  for (let position = from; position <= text.length; position++) {
    // Threads that arrived first have priority; a new start comes last, and only while nothing matched.
    if (!found) add(current, 0, none.with(0, position), position, position);
    const following: Thread[] = [];
    const code = text[position];
    for (const thread of current) {
      const step = steps[thread.at];
      if (step?.op === 'match') {
        found = thread.saved.with(1, position);
        break;
      }
      if (step?.op === 'one' && code !== undefined && step.test(code))
        add(following, thread.at + 1, thread.saved, position + 1, position + 1);
    }
    current = following;
    if (found && current.length === 0) break;
  }
  return found;
}

const codes = (text: string): readonly number[] => Array.from(text, character => character.codePointAt(0) ?? 0);

/** Programs already compiled. Bounded: when it is full it starts anew. */
const compiled = new Map<string, Program>();
const COMPILED_MOST_PROGRAMS = 500;

function programOf(source: string): Program {
  const known = compiled.get(source);
  if (known) return known;
  if (source.length > REGULAR_MOST_CHARACTERS)
    throw new PatternError(`regular expression: longer than ${REGULAR_MOST_CHARACTERS} characters`);
  const { tree, groups, names } = readRegular(source);
  const program = { steps: compile(tree), slots: (groups + 1) * 2, names };
  if (compiled.size >= COMPILED_MOST_PROGRAMS) compiled.clear();
  compiled.set(source, program);
  return program;
}

/** Whether the regular expression is found anywhere in the text. Throws PatternError. */
export function matchesRegular(source: string, text: string): boolean {
  return find(programOf(source), codes(text), 0) !== null;
}

/** Replaces every match; `$1`, `${name}` and `$$` as in Go. Null when nothing matched. Throws PatternError. */
export function replaceRegular(source: string, text: string, replacement: string): string | null {
  const program = programOf(source);
  const characters = [...text];
  const all = codes(text);
  const out: string[] = [];
  let at = 0;
  let matched = false;
  while (at <= all.length) {
    const match = find(program, all, at);
    if (!match) break;
    matched = true;
    const [start = 0, end = 0] = match;
    const group = (index: number): string => {
      const [first = -1, last = -1] = match.slice(index * 2, index * 2 + 2);
      return first < 0 || last < 0 ? '' : characters.slice(first, last).join('');
    };
    out.push(characters.slice(at, start).join(''));
    out.push(
      replacement.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
        const name = braced ?? bare;
        if (name === undefined) return whole === '$$' ? '$' : whole;
        return group(/^\d+$/.test(name) ? Number(name) : (program.names.get(name) ?? program.slots));
      }),
    );
    // An empty match moves on by one character, or it would be found for ever.
    if (end === start) out.push(characters[end] ?? '');
    at = end === start ? end + 1 : end;
  }
  return matched ? out.join('') + characters.slice(at).join('') : null;
}

/** Refuses an expression that could not be run. Throws PatternError. */
export function checkRegular(source: string): void {
  programOf(source);
}
