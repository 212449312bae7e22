// Where prompts, commands and their output stand in a terminal: as the shell marks them (OSC 133), else where Enter was pressed behind what looks like a prompt.
import type { IBuffer, IDisposable, IMarker, Terminal } from '@xterm/xterm';
import { COMMAND_MOST, commandOf } from '../../contract/prompt-line.ts';
import { bufferText } from './buffer-text.ts';
import { createDisposables, type Disposable } from './disposables.ts';

/** Prompts remembered: half of a scrollback of them. The oldest goes first. */
const PROMPTS_MOST = 500;

/** A prompt, and what was typed at it. Lines are counted from the beginning of the scrollback; -1: scrolled away. */
export interface Prompt {
  readonly at: IMarker;
  /** `shell`: it marks its prompts. `prompt`: guessed. */
  readonly source: 'shell' | 'prompt';
  /** Where typing begins: line and column. */
  input: { readonly at: IMarker; readonly col: number } | null;
  /** Where output begins. */
  output: IMarker | null;
  /** Where it ends: the line behind it. */
  end: IMarker | null;
  command: string;
  /** Exit status; null while it runs, or where nobody says. */
  status: number | null;
  shown: IDisposable | undefined;
}

/** The part of xterm that is used; `registerDecoration` is missing where nothing is drawn. */
export type Marked = Pick<Terminal, 'parser' | 'registerMarker' | 'buffer'> &
  Partial<Pick<Terminal, 'registerDecoration'>>;

/** Text of whole lines, from the first to the one before `to`. */
function linesText(buffer: IBuffer, from: number, to: number): string {
  return bufferText({ length: Math.max(0, to - from), getLine: index => buffer.getLine(from + index) });
}

/** Follows the prompts of a terminal. `draw`: gives a mark at the margin its look. */
export function createPromptMarks(
  xterm: Marked,
  draw: (element: HTMLElement, prompt: Prompt) => void = () => {},
): Disposable & {
  /** Enter was typed: the line is a guess where the shell marks nothing. */
  entered(): void;
  /** Those that are still in the scrollback, oldest first. */
  prompts(): readonly Prompt[];
  /** The last one whose command has run, or runs. */
  last(): Prompt | undefined;
  /** Output of a command so far. */
  outputOf(prompt: Prompt): string;
  /** First line of a command's output, and the line behind it. */
  linesOf(prompt: Prompt): readonly [from: number, to: number];
  /** Forgets them: the screen was cleared. */
  clear(): void;
} {
  const disposables = createDisposables();
  let prompts: Prompt[] = [];
  let isMarked = false;

  const { buffer } = xterm;
  const isNormal = (): boolean => buffer.active.type === 'normal';
  const cursorLine = (): number => buffer.active.baseY + buffer.active.cursorY;
  const forget = (prompt: Prompt): void => {
    prompt.shown?.dispose();
    for (const marker of [prompt.at, prompt.input?.at, prompt.output, prompt.end]) marker?.dispose();
  };
  function add(source: Prompt['source'], offset = 0): Prompt | undefined {
    const at = xterm.registerMarker(offset);
    if (at === undefined || at.line < 0) return undefined;
    const prompt: Prompt = {
      at,
      source,
      input: null,
      output: null,
      end: null,
      command: '',
      status: null,
      shown: undefined,
    };
    prompts.push(prompt);
    if (prompts.length > PROMPTS_MOST) forget(prompts.shift() as Prompt);
    show(prompt);
    return prompt;
  }
  /** Draws the mark anew: its look is read once, when it is first drawn. */
  function show(prompt: Prompt): void {
    prompt.shown?.dispose();
    const shown = xterm.registerDecoration?.({ marker: prompt.at, anchor: 'left', x: 0, width: 1 });
    shown?.onRender(element => draw(element, prompt));
    prompt.shown = shown;
  }
  /** The line of the cursor, with those that it goes on from. */
  function typedLine(): { readonly from: number; readonly text: string } {
    let from = cursorLine();
    while (from > 0 && buffer.active.getLine(from)?.isWrapped) from -= 1;
    return { from, text: linesText(buffer.active, from, cursorLine() + 1) };
  }
  function commandAt({ input }: Prompt): string {
    if (input === null || input.at.line < 0) return '';
    const first = buffer.active.getLine(input.at.line);
    const text = linesText(buffer.active, input.at.line, Math.max(cursorLine(), input.at.line + 1));
    // What stands before it on its line is the prompt.
    return text
      .slice(first?.translateToString(false, 0, input.col).length ?? 0)
      .trim()
      .slice(0, COMMAND_MOST);
  }
  /** The newest prompt that the shell has marked and whose command has not ended. */
  const open = (): Prompt | undefined => {
    const newest = prompts.at(-1);
    return newest?.source === 'shell' && newest.end === null ? newest : undefined;
  };
  const end = (prompt: Prompt, status: number | null): void => {
    prompt.end = xterm.registerMarker(0) ?? null;
    prompt.status = status;
    show(prompt);
  };

  /** What the shell says: A a prompt begins, B typing begins, C output begins, D it has ended with a status. */
  const heard: Readonly<Record<string, (words: readonly string[]) => void>> = {
    A() {
      const before = open();
      // Shells draw a prompt again when the window changes.
      if (before && before.output === null) {
        prompts.pop();
        forget(before);
      } else if (before) end(before, null);
      add('shell');
    },
    B() {
      const at = xterm.registerMarker(0);
      const prompt = open();
      if (at !== undefined && prompt && prompt.output === null) prompt.input = { at, col: buffer.active.cursorX };
    },
    C() {
      const prompt = open();
      if (!prompt || prompt.output !== null) return;
      prompt.command = commandAt(prompt);
      prompt.output = xterm.registerMarker(0) ?? null;
    },
    D([status = '']) {
      const prompt = open();
      if (prompt && prompt.output !== null) end(prompt, /^\d{1,3}$/.test(status) ? Number(status) : null);
    },
  };
  disposables.add(
    xterm.parser.registerOscHandler(133, text => {
      const [kind = '', ...words] = text.split(';');
      // Programs that fill the screen have nothing to mark.
      if (heard[kind] !== undefined && isNormal()) {
        if (!isMarked) clear();
        isMarked = true;
        heard[kind](words);
      }
      return true;
    }),
  );
  function clear(): void {
    for (const prompt of prompts) forget(prompt);
    prompts = [];
  }
  disposables.defer(clear);

  function linesOf(prompt: Prompt): readonly [number, number] {
    const next = prompts[prompts.indexOf(prompt) + 1];
    const behind = prompt.end?.line ?? next?.at.line ?? cursorLine() + (prompt.source === 'shell' ? 1 : 0);
    return [prompt.output?.line ?? -1, behind];
  }
  const kept = (): readonly Prompt[] => prompts.filter(({ at }) => at.line >= 0);
  return {
    entered() {
      if (isMarked || !isNormal()) return;
      const { from, text } = typedLine();
      const command = commandOf(text);
      if (command === null || command === '') return;
      const prompt = add('prompt', from - cursorLine());
      if (!prompt) return;
      prompt.command = command;
      prompt.output = xterm.registerMarker(1) ?? null;
    },
    prompts: kept,
    last: () => kept().findLast(({ output }) => output !== null),
    linesOf,
    outputOf(prompt) {
      const [from, to] = linesOf(prompt);
      return from < 0 ? '' : linesText(buffer.active, from, to);
    },
    clear() {
      clear();
      isMarked = false;
    },
    dispose: disposables.dispose,
  };
}
export type PromptMarks = ReturnType<typeof createPromptMarks>;
