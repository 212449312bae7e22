// The console itself: the palette, the help sheet, links.
import { Cancelled } from './answer.ts';
import { type Command, command } from './command.ts';
import { inConsole } from './gates.ts';

export const consoleCommands: readonly Command[] = [
  command({
    id: 'palette.open',
    title: 'Search or run…',
    group: 'console',
    keys: 'mod+k, f1',
    terminalKeys: 'ctrl+shift+k, f1',
    words: ['command palette', 'find'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.openPalette(),
  }),
  command({
    id: 'palette.commands',
    title: 'Run a command…',
    group: 'console',
    keys: ':',
    words: ['palette', 'verbs'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.openPalette('>'),
  }),
  command({
    id: 'help.open',
    title: 'Keyboard help',
    group: 'console',
    keys: '?',
    words: ['shortcuts', 'keys', 'chords', 'cheat sheet'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.openHelp(),
  }),
  command({
    id: 'link.copy',
    title: 'Copy a link to this page',
    group: 'console',
    words: ['url', 'address', 'share'],
    when: inConsole,
    run: async (_given, _facts, tools) => {
      if (tools.link === undefined) throw new Cancelled();
      await tools.copyText(tools.link());
      tools.notify('The link to this page has been copied');
    },
  }),
];
