import { expect, test } from 'vitest';
import { COMMAND_MOST, commandOf } from './prompt-line.ts';

test.each([
  ['root@db-3:~# ls -la', 'ls -la'],
  ['root@db-3:/srv/a b# echo "# $x"', 'echo "# $x"'],
  ['[ann@web srv]$ make', 'make'],
  ['ann@mac ~ % git log', 'git log'],
  ['bash-5.2$ id', 'id'],
  ['sh-5.1# id', 'id'],
  ['$ ls', 'ls'],
  ['# reboot', 'reboot'],
  ['❯ cargo build', 'cargo build'],
  ['(venv) ann@web:~$ python', 'python'],
  ['root@db-3:~# ', ''],
  ['root@db-3:~#', ''],
  ['ann@web ~> fish', 'fish'],
])('%j runs %j', (line, command) => expect(commandOf(line)).toBe(command));

test.each([
  '',
  'total 100% of it',
  'Filesystem      Size  Used Avail Use% Mounted on',
  '#!/bin/sh',
  '$HOME is /root',
  'drwxr-xr-x 2 root root 4096 Nov 1 10:00 a',
  'mail to ann@example.com about it',
  'Password: ',
  `${'x'.repeat(200)}$ ls`,
])('%j is output', line => expect(commandOf(line)).toBeNull());

test('a command is cut where no person would read on', () =>
  expect(commandOf(`$ ${'x'.repeat(5000)}`)).toHaveLength(COMMAND_MOST));
