// Files of servers: the page with two panes, and what it does with the rows of the pane that has the keys.
import { readPromptAddress } from '../src/contract/prompt-address.ts';
import { answer } from './answer.ts';
import { type Command, command, type Facts, type FileAct } from './command.ts';
import { hasTerminal, inConsole, needs } from './gates.ts';
import { loginArgument, openable, serverArgument } from './sessions.ts';

const onFiles = (facts: Facts): boolean => inConsole(facts) && facts.feature === 'files';

const row = (act: FileAct, title: string, keys: string, words: readonly string[]): Command =>
  command({
    id: `files.${act}`,
    title,
    group: 'list',
    keys,
    words,
    when: onFiles,
    run: (_given, _facts, tools) => tools.list.act?.(act),
  });

export const files: readonly Command[] = [
  command({
    id: 'files.open',
    title: 'Browse the files of a server…',
    manual: 'browseFiles',
    group: 'session',
    words: ['sftp', 'scp', 'folders', 'copy', 'upload', 'download', 'edit'],
    when: inConsole,
    blocked: needs('nodes', 'list', 'servers'),
    args: [openable(serverArgument), loginArgument],
    onThing: { label: 'Files', closedLabel: 'No login', title: name => `Browse the files of ${name}` },
    phrase: {
      example: 'files root@db-3',
      usage: {
        name: 'files',
        args: [
          { name: 'login', text: '[LOGIN@]' },
          { name: 'server', text: 'SERVER' },
        ],
      },
      read: typed => {
        const [, login, server] = /^files\s+(?:([^\s@]+)@)?([^\s@]*)\s*$/.exec(typed) ?? [];
        return server === undefined ? undefined : { server, ...(login !== undefined && { login }) };
      },
      write: ({ login, server = '' }) => `files ${login === undefined ? '' : `${login}@`}${server}`,
    },
    run: (given, { clusterId }, tools) =>
      tools.go('files', { clusterId }, { server: answer(given, 'server').value, login: answer(given, 'login').value }),
  }),
  command({
    id: 'files.ofTerminal',
    title: 'Browse the files of this server',
    group: 'terminal',
    words: ['sftp', 'scp', 'folders', 'copy', 'edit'],
    when: hasTerminal,
    blocked: ({ terminal }) =>
      readPromptAddress(terminal?.serverId ?? '') === null ? undefined : 'A database has no files to browse',
    run: (_given, { clusterId, terminal }, tools) =>
      tools.go('files', { clusterId }, { server: terminal?.serverId ?? '', login: terminal?.login ?? '' }),
  }),
  row('view', 'View the file', 'f3', ['read', 'show']),
  row('edit', 'Edit the file', 'f4', ['change', 'text', 'write']),
  row('copyOver', 'Copy to the other pane', 'f5', ['upload', 'download', 'transfer']),
  row('move', 'Move or rename', 'f6', ['name']),
  row('makeFolder', 'Make a folder', 'f7', ['new', 'mkdir', 'directory']),
  row('remove', 'Delete files', 'f8', ['remove', 'rm']),
  row('parent', 'Go to the folder above', 'backspace, h', ['up', 'parent', 'back']),
];
