// Opens shells, runs commands and reaches files on the gateway's own machine: as the gateway's OS user, or any OS user when the gateway is root.
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FilesConnector } from '../../../ports/files.ts';
import { ConnectError } from '../../../ports/reach.ts';
import type { Connector } from '../../../ports/servers.ts';
import { openSftp } from '../sftp/client.ts';
import { type Account, accountsFor } from './account.ts';
import { openCommand } from './command.ts';
import { openPty } from './pty.ts';
import { createShell } from './shell.ts';

const entrance = fileURLToPath(new URL('./enter.mjs', import.meta.url));
const filesProgram = fileURLToPath(new URL('./serve-files.ts', import.meta.url));
const quiet = '--disable-warning=ExperimentalWarning';

/** As Debian's login.defs has them. */
const ROOT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const USER_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games';
const FALLBACK_SHELL = '/bin/sh';

/**
 * Makes bash mark its prompts and commands (OSC 133), as the manual says for one's own file: at each prompt, for the files that bash reads
 * at its start set one of their own. What marks them already is left alone, and programs do not inherit it. fish 4 marks by itself, and
 * zsh takes nothing of the kind from its environment.
 */
const MARKED = String.raw`export -n PROMPT_COMMAND
[ -v PS0 ] || PS0=
case $PS1 in *'133;A'*) ;; *) PS1='\[\e]133;D;$?\a\e]133;A\a\]'$PS1'\[\e]133;B\a\]' ;; esac
case $PS0 in *'133;C'*) ;; *) PS0='\e]133;C\a'$PS0 ;; esac`;

/** Everything the shell's environment holds at its start; nothing of the gateway's own is passed on. */
function environmentOf(account: Account, hasTerminal: boolean): Record<string, string> {
  return {
    HOME: account.home,
    USER: account.name,
    LOGNAME: account.name,
    SHELL: account.shell,
    PATH: account.uid === 0 ? ROOT_PATH : USER_PATH,
    ...(hasTerminal && { TERM: 'xterm-256color' }),
    ...(hasTerminal && basename(account.shell) === 'bash' && { PROMPT_COMMAND: MARKED }),
    LANG: language(),
  };
}

/** The machine's language where it is UTF-8, else the one that every system has. */
function language(): string {
  const own = process.env.LC_ALL || process.env.LC_CTYPE || process.env.LANG || '';
  return /^[A-Za-z0-9_@.-]{1,64}$/.test(own) && /utf-?8/i.test(own) ? own : 'C.UTF-8';
}

/** Connector for servers of subKind `local`. Certificates and host keys play no part: there is no network in between. */
export function createLocalConnector(): Connector & FilesConnector {
  const find = accountsFor(process.getuid?.() ?? -1);
  return {
    async open(target, request) {
      const found = await find(request.login);
      const account: Account = { ...found, home: found.home || '/', shell: found.shell || FALLBACK_SHELL };
      const { command, wish } = request;
      const hasTerminal = wish ? wish.term !== null : command === undefined;
      const own = environmentOf(account, hasTerminal);
      const env = { ...own, ...(wish?.term && { TERM: wish.term }), ...wish?.env };
      wish?.display?.answered(
        `${target.hostname} is the gateway's own machine: its programs show no windows elsewhere.`,
      );
      const errand = JSON.stringify({ account, env, command: command || undefined, hasTerminal });
      const args = wish?.subsystem ? [quiet, filesProgram, JSON.stringify({ account })] : [quiet, entrance, errand];
      try {
        if (!hasTerminal) return await openCommand(process.execPath, args, { PATH: ROOT_PATH }, wish !== undefined);
        return createShell(openPty(process.execPath, args, { PATH: ROOT_PATH, TERM: 'xterm-256color' }, request.size));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new ConnectError(
          'failed',
          `${target.hostname} could not start ${basename(account.shell)} for ${account.name}: ${why}.`,
        );
      }
    },
    async files(target, { login }) {
      const account = await find(login);
      const child = spawn(process.execPath, [quiet, filesProgram, JSON.stringify({ account })], {
        cwd: '/',
        env: { PATH: ROOT_PATH },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      child.once('error', error => child.stdout.destroy(error));
      // It ends by itself when its input does; one that hangs in a file system that does not answer is not waited for.
      child.stdout.once('close', () => child.kill('SIGKILL'));
      return openSftp({ input: child.stdout, output: child.stdin }, { hostname: target.hostname, login });
    },
  };
}
