// The commands of two recordings in one order: what both ran beside each other, what only one ran beside nothing.
import type { CommandMark } from '../../../contract/recordings.ts';
import { diffLines } from '../../ui/diff.ts';

export interface Pair {
  readonly one: CommandMark | null;
  readonly other: CommandMark | null;
}

/** Commands are the same when their words are; blanks between them do not count. What a shell's start ran is left out. */
export function aligned(one: readonly CommandMark[], other: readonly CommandMark[]): readonly Pair[] {
  const textOf = (commands: readonly CommandMark[]): string =>
    commands.map(({ text }) => text.trim().replaceAll(/\s+/g, ' ')).join('\n');
  const given = (commands: readonly CommandMark[]) => commands.filter(({ source }) => source !== 'startup');
  const [ones, others] = [given(one), given(other)];
  let [left, right] = [0, 0];
  const next = (commands: readonly CommandMark[], at: number): CommandMark | null => commands[at] ?? null;
  return diffLines(textOf(ones), textOf(others))
    .map(
      ({ kind }): Pair => ({
        one: kind === 'added' ? null : next(ones, left++),
        other: kind === 'removed' ? null : next(others, right++),
      }),
    )
    .filter(pair => pair.one !== null || pair.other !== null);
}

/** What became of both; null where only one of them says. */
export const endsDiffer = ({ one, other }: Pair): boolean =>
  one !== null && other !== null && one.status !== null && other.status !== null && one.status !== other.status;

/** What is known of a recording's commands, and what is not. */
export function sourceText(commands: readonly CommandMark[]): string {
  const has = (source: CommandMark['source']): boolean => commands.some(one => one.source === source);
  if (commands.length === 0)
    return 'No commands: its shell marks none (OSC 133), none was told by the kernel, and nothing in it looks like a prompt.';
  if (has('kernel')) return 'Commands as the kernel of the server told them.';
  if (has('shell')) return 'Commands as its shell marked them.';
  return 'Commands guessed from prompts: without marks of its shell (OSC 133) nobody says how they ended.';
}
