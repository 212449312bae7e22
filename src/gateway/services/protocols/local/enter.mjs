// Runs at the other end of a new pty, or of a command's pipes, for the blink between the fork and the shell: sheds what belongs to the gateway, becomes
// the user, and turns into their login shell. Plain JavaScript, because stripping types would take longer than all the rest.
//
// node-pty leaves the gateway's other pty masters open in every child, so that one user's shell could read and type into
// another's: they are closed here, before there is anyone who could use them.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, fchmodSync, fchownSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { becomeUser, closeInherited } from './become.mjs';

const TTY_MODE = 0o620;

const { account, env, command, hasTerminal } = JSON.parse(process.argv[2]);

function refuse(text) {
  process.stderr.write(`${text}\r\n`);
  process.exit(1);
}

closeInherited();
if (process.getuid() === 0) {
  // As sshd does: programs such as screen and gpg open their terminal by its name.
  if (hasTerminal) {
    fchownSync(0, account.uid, readTtyGroup() ?? account.gid);
    fchmodSync(0, TTY_MODE);
  }
}
becomeUser(account);
try {
  process.chdir(account.home);
} catch {
  process.stderr.write(`Could not enter the home folder ${account.home}, starting in /\r\n`);
  process.chdir('/');
}
try {
  accessSync(account.shell, constants.X_OK);
} catch {
  refuse(`The login shell ${account.shell} cannot be started.`);
}
// node-pty sets this only when it decodes text itself. Without it, erasing a character in a cooked line erases one byte of it.
if (hasTerminal) spawnSync('stty', ['iutf8'], { stdio: ['inherit', 'ignore', 'ignore'] });
// Node ignores these two, and what is ignored stays ignored in the shell; what is caught goes back to its default.
for (const signal of ['SIGPIPE', 'SIGXFSZ']) process.on(signal, () => {});
const name = basename(account.shell);
process.execve(account.shell, command === undefined ? [`-${name}`] : [name, '-c', command], env);

function readTtyGroup() {
  const gid = Number(/^tty:[^:]*:(\d+)/m.exec(readFileSync('/etc/group', 'utf8'))?.[1]);
  return Number.isInteger(gid) ? gid : undefined;
}
