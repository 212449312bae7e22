// Files of servers: the page with two panes, and what it does with the rows of the pane that has the keys.
import { namesServer } from '../src/contract/prompt-address.ts';
import { answer } from './answer.ts';
import { type Command, command, type Facts, type FileAct } from './command.ts';
import { hasTerminal, inConsole, needs } from './gates.ts';
import { act } from './list.ts';
import { loginArgument, openable, readSsh, serverArgument, writeSsh } from './sessions.ts';

const onFiles = (facts: Facts): boolean => inConsole(facts) && facts.feature === 'files';

const row = (what: FileAct, title: string, keys: string): Command => act(what, title, keys, [], onFiles);

export const files: readonly Command[] = [
  command({
    id: 'files.open',
    title: 'Browse the files of a server…',
    manual: 'browseFiles',
    group: 'session',
    words: ['sftp', 'folders', 'copy', 'edit'],
    when: inConsole,
    blocked: needs('nodes', 'list', 'servers'),
    args: [openable(serverArgument), loginArgument],
    onThing: { label: 'Files', title: name => `Browse the files of ${name}` },
    phrase: {
      example: 'files root@db-3',
      usage: {
        name: 'files',
        args: [
          { name: 'login', text: '[LOGIN@]' },
          { name: 'server', text: 'SERVER' },
        ],
      },
      read: typed => (/^files\s/.test(typed) ? readSsh(typed.replace('files', 'ssh')) : undefined),
      write: given => writeSsh(given).replace('ssh', 'files'),
    },
    run: (given, { clusterId }, tools) =>
      tools.go('files', { clusterId }, { server: answer(given, 'server').value, login: answer(given, 'login').value }),
  }),
  command({
    id: 'files.ofTerminal',
    title: 'Browse the files of this server',
    group: 'terminal',
    words: ['sftp'],
    when: hasTerminal,
    blocked: ({ terminal }) =>
      namesServer(terminal?.serverId ?? '') ? undefined : 'Only servers have files to browse',
    run: (_given, { clusterId, terminal }, tools) =>
      tools.go('files', { clusterId }, { server: terminal?.serverId ?? '', login: terminal?.login ?? '' }),
  }),
  row('view', 'View the file', 'f3'),
  row('edit', 'Edit the file', 'f4'),
  row('copyOver', 'Copy to the other pane', 'f5'),
  row('move', 'Move or rename', 'f6'),
  row('makeFolder', 'Make a folder', 'f7'),
  row('remove', 'Delete files', 'f8'),
  row('parent', 'Go to the folder above', 'backspace, h'),
];
