// What the help sheet says, read from the commands: it cannot go stale.
import type { Command, Facts } from '../../../commands/command.ts';
import { wordsOf } from '../../../commands/rank.ts';
import type { Keymap } from './keymap.ts';

interface HelpRow {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
  /** Chords heard while a terminal has the keys. */
  readonly terminalKeys: readonly string[];
  /** Why it cannot be run now, where that is known. */
  readonly refused: string | undefined;
}
export interface HelpGroup {
  readonly title: string;
  readonly rows: readonly HelpRow[];
}
export interface HelpSheet {
  /** What works here and now. */
  readonly here: readonly HelpGroup[];
  /** What works on other pages, or once there is something to do it with. */
  readonly elsewhere: readonly HelpGroup[];
}

export const groupTitles: Readonly<Record<Command['group'], string>> = {
  console: 'Console',
  go: 'Pages',
  list: 'Lists',
  player: 'Player',
  session: 'Sessions',
  terminal: 'Terminal',
  account: 'Account',
  manage: 'Management',
};

/** Every command that has keys, those that work here first, narrowed to the rows that hold every typed word. */
export function helpSheet(
  commands: readonly Command[],
  facts: Facts,
  keymap: Pick<Keymap, 'allKeysOf'>,
  typed: string,
): HelpSheet {
  const wanted = wordsOf(typed);
  const rows = commands.flatMap(command => {
    const { page, terminal } = keymap.allKeysOf(command.id);
    if (page.length + terminal.length === 0) return [];
    const text = [command.title, ...(command.words ?? []), ...page, ...terminal].join(' ').toLowerCase();
    if (!wanted.every(word => text.includes(word))) return [];
    const isHere = command.when === undefined || command.when(facts);
    const row: HelpRow = {
      id: command.id,
      title: command.title,
      keys: page,
      // One that is the same everywhere is listed once.
      terminalKeys: terminal.filter(keys => !page.includes(keys)),
      refused: isHere ? command.blocked?.(facts) : undefined,
    };
    return [{ group: command.group, row, isHere }];
  });
  const grouped = (isHere: boolean): HelpGroup[] =>
    (Object.keys(groupTitles) as Command['group'][]).flatMap(group => {
      const held = rows.filter(entry => entry.isHere === isHere && entry.group === group).map(entry => entry.row);
      return held.length === 0 ? [] : [{ title: groupTitles[group], rows: held }];
    });
  return { here: grouped(true), elsewhere: grouped(false) };
}

/** Chords that no page can have, and who has them: shown so that nobody looks for them. */
export const cannotBeTaken: readonly (readonly [chord: string, why: string])[] = [
  ['mod+w', 'closes the browser tab'],
  ['mod+t', 'opens a browser tab'],
  ['mod+n', 'opens a browser window'],
];
