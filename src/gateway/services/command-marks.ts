// Which commands were run in a terminal, read from its output: as the shell marks them (OSC 133), else from lines that look like a prompt with a
// command behind it. Output only: what was typed is never looked at, and what does not echo is not found.

import { COMMAND_MOST, commandOf } from '../../contract/prompt-line.ts';
import type { CommandMark } from '../../contract/recordings.ts';
import { OBEYED } from '../../contract/visible-text.ts';
import { createScan, type SequenceKind } from './scan.ts';

/** Commands kept of one session, and their characters together: what a player can list, and a hundredth of what its index may hold. */
const MARKS_MOST = 5000;
const CHARACTERS_MOST = 400_000;
/** A line is followed this far, characters: prompt and command. */
const LINE_MOST = 4096;
const ESC = 0x1b;

export interface CommandMarks {
  /** Output of the session, in order. */
  push(bytes: Uint8Array, ms: number): void;
  resize(cols: number): void;
  /** In order. */
  marks(): readonly CommandMark[];
}

/** One line as it stands on screen, however it was edited: readline and its like draw it with carriage returns, moves and erasures. */
function createLine() {
  let text = '';
  let at = 0;
  /** The last character filled its row: the next one begins another, and a carriage return stays in this one. */
  let isFull = false;
  const rowStart = (cols: number): number => (isFull ? at - cols : at - (at % cols));
  const moveTo = (place: number): void => {
    at = Math.max(0, Math.min(LINE_MOST, place));
    isFull = false;
  };
  return {
    text: () => text,
    at: () => at,
    clear() {
      text = '';
      moveTo(0);
    },
    print(run: string, cols: number) {
      const printed = run.slice(0, LINE_MOST - at);
      text = text.padEnd(at).slice(0, at) + printed + text.slice(at + printed.length);
      at += printed.length;
      isFull = at % cols === 0;
    },
    home: (cols: number) => moveTo(rowStart(cols)),
    move: (by: number) => moveTo(at - (isFull ? 1 : 0) + by),
    column: (column: number, cols: number) => moveTo(rowStart(cols) + column),
    eraseOn() {
      text = text.slice(0, at);
    },
    eraseBefore() {
      text = ' '.repeat(Math.min(at, text.length)) + text.slice(at);
    },
    remove(count: number) {
      text = text.slice(0, at) + text.slice(at + count);
    },
    insert(count: number) {
      text = (text.slice(0, at) + ' '.repeat(count) + text.slice(at)).slice(0, LINE_MOST);
    },
  };
}

/** A command as a mark says it: of one line, bounded, and nothing in it moves a terminal. */
export const commandText = (text: string): string =>
  text.trim().slice(0, COMMAND_MOST).replaceAll('\n', ' ⏎ ').replaceAll('\t', ' ').replace(OBEYED, '\ufffd');

/** Reads a session's output. `cols`: how wide its terminal is. */
export function createCommandMarks(cols: number): CommandMarks {
  const line = createLine();
  const found: CommandMark[] = [];
  let characters = 0;
  let width = Math.max(1, cols);
  let ms = 0;
  let isMarked = false;
  /** A program has the whole screen: nothing there is a prompt. */
  let isFullScreen = false;
  /** Between B and C: where typing began on its line, and the lines before it. */
  let typing: { col: number; before: string } | null = null;
  let running: { readonly index: number } | null = null;

  function add(text: string, source: CommandMark['source']): void {
    const command = commandText(text);
    running = null;
    if (command === '' || found.length >= MARKS_MOST || characters + command.length > CHARACTERS_MOST) return;
    characters += command.length;
    running = { index: found.push({ ms, text: command, source, status: null, endMs: null }) - 1 };
  }
  function lineEnd(): void {
    if (typing) {
      if (typing.before.length < COMMAND_MOST) typing.before += `${line.text().slice(typing.col)}\n`;
      typing.col = 0;
    } else if (!isMarked && !isFullScreen) {
      const command = commandOf(line.text());
      if (command) add(command, 'prompt');
    }
    line.clear();
  }
  function text(run: string): void {
    for (const [piece] of run.matchAll(/[^\x00-\x1f\x7f]+|[\r\n\b]/g)) {
      if (piece === '\n') lineEnd();
      else if (piece === '\r') line.home(width);
      else if (piece === '\b') line.move(-1);
      else line.print(piece, width);
    }
  }
  function shellMark(body: string): void {
    const [kind, status = ''] = body.slice('133;'.length).split(';');
    if (!isMarked) {
      // What was guessed before the shell began to mark stays; from here on it says itself.
      isMarked = true;
      running = null;
    }
    if (kind === 'A') typing = null;
    else if (kind === 'B') typing = { col: line.at(), before: '' };
    else if (kind === 'C' && typing) {
      add(typing.before + line.text().slice(typing.col), 'shell');
      typing = null;
    } else if (kind === 'D') {
      const mark = running && found[running.index];
      if (running && mark)
        found[running.index] = { ...mark, status: /^\d{1,3}$/.test(status) ? Number(status) : null, endMs: ms };
      running = null;
    }
  }
  function control(body: string): void {
    const letter = body.at(-1) ?? '';
    const parameters = body.slice(0, -1);
    if (/^\?(?:47|1047|1049)$/.test(parameters) && (letter === 'h' || letter === 'l')) isFullScreen = letter === 'h';
    if (!/^\d*$/.test(parameters)) return;
    const count = Math.min(LINE_MOST, Math.max(1, Number(parameters)));
    if (letter === 'C') line.move(count);
    else if (letter === 'D') line.move(-count);
    else if (letter === 'A') line.move(-count * width);
    else if (letter === 'G') line.column(count - 1, width);
    else if (letter === 'P') line.remove(count);
    else if (letter === '@') line.insert(count);
    else if (letter === 'K' || letter === 'J') {
      if (parameters === '2' || parameters === '3') line.clear();
      else if (parameters === '1') line.eraseBefore();
      else line.eraseOn();
    }
  }

  const decoder = new TextDecoder();
  let chunk: Uint8Array = new Uint8Array();
  /** Places in the output: where the chunk begins, and where its text that was not read yet does. */
  let base = 0;
  let unread = 0;
  /** The chunk before ended inside a sequence. */
  let isInside = false;
  const readTo = (place: number): void => {
    if (place > unread) text(decoder.decode(chunk.subarray(unread - base, place - base), { stream: true }));
    unread = Math.max(unread, place);
  };
  const scan = createScan((kind: SequenceKind, body, start, end) => {
    if (isInside) isInside = false;
    else readTo(start);
    unread = end;
    if (kind === 'csi') control(body);
    else if (kind === 'osc' && body.startsWith('133;')) shellMark(body);
  });
  return {
    push(bytes, now) {
      ms = now;
      chunk = bytes;
      unread = base;
      scan.push(bytes, base);
      const end = base + bytes.length;
      const last = bytes.lastIndexOf(ESC);
      if (scan.atRest()) {
        isInside = false;
        readTo(end);
      } else if (!isInside) {
        // Either a sequence is open, which began with the last ESC, or a character is half read, which the decoder keeps.
        isInside = last >= unread - base;
        readTo(isInside ? base + last : end);
      }
      base = end;
      chunk = new Uint8Array();
    },
    resize(to) {
      width = Math.max(1, to);
    },
    marks: () => found,
  };
}

/** Output that is looked through for the last command of a running session, bytes: a screen or two. */
const RECENT_BYTES = 8 * 1024;

/** The last command of a running session, looked for when somebody asks, so that output itself costs nothing. */
export function createLastCommand(
  output: { readonly total: number; recent(mostBytes: number): Uint8Array },
  cols: () => number,
): { text(): string } {
  let seen = 0;
  let text = '';
  return {
    text() {
      if (output.total === seen) return text;
      seen = output.total;
      const recent = output.recent(RECENT_BYTES);
      // Where output was cut, its first line is none.
      const from = recent.length < seen ? recent.indexOf(0x0a) + 1 : 0;
      const marks = createCommandMarks(cols());
      marks.push(recent.subarray(from), 0);
      text = marks.marks().at(-1)?.text ?? text;
      return text;
    },
  };
}
