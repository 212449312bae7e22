// Tabs and what shares their room: splitting, moving about, and the order of the bar. Keys are the shell's wherever there is nothing to split.
import { capital, type Side } from '../src/features/thing.ts';
import { answer, textChoice } from './answer.ts';
import { type Arrangement, type Command, command, type Facts } from './command.ts';
import { hasTab } from './gates.ts';

/** Longest name of a tab, characters. */
const NAME_CHARACTERS = 64;

const isSplit = (facts: Facts): boolean =>
  hasTab(facts) && (facts.terminalTabs.find(tab => tab.isFront)?.count ?? 0) > 1;
const others = ({ terminalTabs }: Facts) => terminalTabs.filter(({ isFront }) => !isFront);

const row = (
  verb: string,
  title: string,
  keys: string | undefined,
  words: readonly string[],
  how: Arrangement,
  when: (facts: Facts) => boolean = isSplit,
): Command =>
  command({
    id: `terminal.${verb}`,
    title,
    group: 'terminal',
    ...(keys !== undefined && { terminalKeys: keys }),
    words,
    when,
    run: (_given, _facts, tools) => tools.terminal.arrange(how),
  });

const sides = ['left', 'right', 'up', 'down'] as const satisfies readonly Side[];
const whereTo: Readonly<Record<Side, string>> = {
  left: 'to the left',
  right: 'to the right',
  up: 'above',
  down: 'below',
};

export const splits: readonly Command[] = [
  row(
    'splitRight',
    'Split the terminal to the right',
    'ctrl+shift+d',
    ['vertical', 'pane', 'beside'],
    { kind: 'split', direction: 'right' },
    hasTab,
  ),
  row(
    'splitDown',
    'Split the terminal downwards',
    'ctrl+shift+s',
    ['horizontal', 'pane', 'below'],
    { kind: 'split', direction: 'down' },
    hasTab,
  ),
  ...sides.map(side =>
    row(
      `focus${capital(side)}`,
      `Go to the terminal ${whereTo[side]}`,
      `ctrl+alt+${side}`,
      ['split', 'pane', 'focus'],
      {
        kind: 'focus',
        to: side,
      },
    ),
  ),
  ...sides.map(side =>
    row(
      `resize${capital(side)}`,
      `Move the border of the split ${side}`,
      `ctrl+alt+shift+${side}`,
      ['resize', 'pane', 'bigger', 'smaller'],
      { kind: 'resize', to: side },
    ),
  ),
  row('zoom', 'Zoom the split, or no longer', 'ctrl+shift+z', ['maximise', 'pane', 'tab', 'whole'], { kind: 'zoom' }),
  row('swap', 'Swap the split with the next one', undefined, ['exchange', 'move', 'pane'], { kind: 'swap' }),
  row('toTab', 'Move the split into a tab of its own', undefined, ['break', 'detach', 'pane'], { kind: 'toTab' }),
  row(
    'window',
    'Move the terminal to a window of its own, or back',
    undefined,
    ['pop out', 'detach', 'popup', 'second screen'],
    { kind: 'window' },
    hasTab,
  ),
  command({
    id: 'terminal.toSplit',
    title: 'Move this terminal beside another tab…',
    group: 'terminal',
    words: ['join', 'split', 'pane', 'into'],
    when: hasTab,
    blocked: facts => (others(facts).length > 0 ? undefined : 'There is no other tab'),
    args: [
      {
        name: 'tab',
        title: 'Tab',
        once: true,
        choices: (_typed, _given, facts) => others(facts).map(({ key, title }) => ({ value: key, title })),
      },
      {
        name: 'direction',
        title: 'Where',
        once: true,
        choices: () => [
          { value: 'right', title: 'To the right of it' },
          { value: 'down', title: 'Below it' },
        ],
      },
    ],
    run: (given, _facts, tools) =>
      tools.terminal.arrange({
        kind: 'toSplit',
        tab: answer(given, 'tab').value,
        direction: answer(given, 'direction').value === 'down' ? 'down' : 'right',
      }),
  }),
  row(
    'tabLeft',
    'Move the tab to the left',
    'alt+shift+pageup',
    ['reorder', 'order', 'bar'],
    { kind: 'moveTab', by: -1 },
    hasTab,
  ),
  row(
    'tabRight',
    'Move the tab to the right',
    'alt+shift+pagedown',
    ['reorder', 'order', 'bar'],
    { kind: 'moveTab', by: 1 },
    hasTab,
  ),
  command({
    id: 'terminal.rename',
    title: 'Rename the tab…',
    group: 'terminal',
    words: ['title', 'name', 'label'],
    when: hasTab,
    args: [
      {
        name: 'name',
        title: 'Name; nothing: as its terminal',
        optional: true,
        free: typed =>
          typed.length > NAME_CHARACTERS ? `A name has at most ${NAME_CHARACTERS} characters` : undefined,
        choices: (_typed, _given, facts) =>
          facts.terminalTabs.filter(tab => tab.isFront).map(({ title }) => textChoice(title)),
      },
    ],
    run: (given, _facts, tools) => tools.terminal.arrange({ kind: 'rename', name: given.name?.value.trim() ?? '' }),
  }),
];
