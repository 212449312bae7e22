// The desktop on screen: what its bar does, by name.
import { answer } from './answer.ts';
import { type Command, command, type DesktopAct } from './command.ts';
import { hasDesktop } from './gates.ts';

const row = (act: DesktopAct, title: string): Command =>
  command({
    id: `desktop.${act}`,
    title: `${title} the desktop`,
    group: 'session',
    when: hasDesktop,
    run: (_given, _facts, tools) => tools.desktop?.(act),
  });

export const desktop: readonly Command[] = [
  command({
    id: 'desktop.press',
    title: 'Press keys on the desktop…',
    group: 'session',
    words: ['windows', 'super', 'task manager'],
    when: hasDesktop,
    args: [
      {
        name: 'keys',
        title: 'Keys',
        once: true,
        choices: () =>
          ['Ctrl+Alt+Delete', 'Windows', 'Alt+Tab', 'Escape', 'Print Screen'].map(title => ({ value: title, title })),
      },
    ],
    run: (given, _facts, tools) => tools.desktop?.(`press ${answer(given, 'keys').value}`),
  }),
  row('clipboard', 'Share the clipboard with'),
  row('fullScreen', 'Full screen for'),
  row('fit', 'Fit to the room, or no longer,'),
  row('quality', 'Draw finer or coarser'),
  row('warnings', 'Warnings about'),
  row('reconnect', 'Connect again to'),
  row('disconnect', 'Disconnect from'),
];
