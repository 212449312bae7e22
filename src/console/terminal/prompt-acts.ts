// What a person does with prompts: goes from one to the next, copies or selects what the last command printed, copies the command.
import type { IDisposable, Terminal } from '@xterm/xterm';
import type { TerminalAct } from '../../../commands/command.ts';
import styles from './pane.module.css';
import type { Prompt, PromptMarks } from './prompt-marks.ts';

/** Draws the mark of a prompt at the margin: how its command ended, by form and colour. */
export function drawPromptMark(element: HTMLElement, { status, source, command, end }: Prompt): void {
  element.classList.add(styles.mark as string);
  element.dataset.status = status === null ? (end === null ? 'open' : 'unknown') : status === 0 ? 'done' : 'failed';
  const how = status === null ? '' : ` ended with ${status}`;
  element.title = `${command || 'Prompt'}${how}${source === 'prompt' ? ' (guessed from the prompt)' : ''}`;
}

type PromptAct = Extract<TerminalAct, 'previousPrompt' | 'nextPrompt' | 'copyOutput' | 'selectOutput' | 'copyCommand'>;

/** The acts of one terminal. */
export function createPromptActs(given: {
  readonly xterm: Terminal;
  readonly marks: PromptMarks;
  readonly copyText: (text: string) => Promise<void>;
  readonly notify: (text: string) => void;
}): Readonly<Record<PromptAct, () => void>> {
  const { xterm, marks, copyText, notify } = given;
  /** The prompt that was gone to last, and the line that shows it. */
  let shown: { readonly prompt: Prompt; readonly line: IDisposable | undefined } | null = null;
  xterm.onData(() => {
    shown?.line?.dispose();
    shown = null;
  });

  function goBy(by: 1 | -1): void {
    const prompts = marks.prompts();
    const from = shown?.prompt.at.line ?? xterm.buffer.active.baseY + xterm.buffer.active.cursorY;
    const to = by < 0 ? prompts.findLast(({ at }) => at.line < from) : prompts.find(({ at }) => at.line > from);
    if (to === undefined) {
      if (prompts.length === 0) none();
      else if (by > 0) xterm.scrollToBottom();
      return;
    }
    shown?.line?.dispose();
    const line = xterm.registerDecoration({ marker: to.at, x: 0, width: xterm.cols, layer: 'bottom' });
    line?.onRender(element => element.classList.add(styles.atPrompt as string));
    shown = { prompt: to, line };
    xterm.scrollToLine(Math.max(0, to.at.line - 1));
  }
  const none = (): void =>
    notify('No prompt was seen in this terminal. The manual says under “Prompts and commands” how a shell marks them');
  /** The one that was gone to, else the last whose command has run. */
  const chosen = (): Prompt | undefined => (shown?.prompt.output ? shown.prompt : marks.last());
  const guessed = ({ source }: Prompt): string => (source === 'prompt' ? ', as guessed from the prompt' : '');

  function copy(what: string, text: string, prompt: Prompt): void {
    if (text === '') {
      notify(`There is no ${what.toLowerCase()} to copy`);
      return;
    }
    copyText(text).then(
      () =>
        notify(
          `${what}${what === 'Output' && prompt.command !== '' ? ` of ${prompt.command}` : ''} copied${guessed(prompt)}`,
        ),
      () => notify('The browser refused to copy'),
    );
  }
  const onChosen = (act: (prompt: Prompt) => void) => (): void => {
    const prompt = chosen();
    if (prompt === undefined) none();
    else act(prompt);
  };
  return {
    previousPrompt: () => goBy(-1),
    nextPrompt: () => goBy(1),
    copyOutput: onChosen(prompt => copy('Output', marks.outputOf(prompt), prompt)),
    copyCommand: onChosen(prompt => copy('Command', prompt.command, prompt)),
    selectOutput: onChosen(prompt => {
      const [from, to] = marks.linesOf(prompt);
      if (from < 0 || to <= from) return notify('There is no output to select');
      xterm.selectLines(from, to - 1);
      xterm.scrollToLine(Math.max(0, from - 1));
    }),
  };
}
