// What a program that the gateway starts does first: sheds what belongs to the gateway, and becomes the user. Plain JavaScript, because
// stripping types would take longer than all the rest.
import { closeSync, readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/** Closes every descriptor that would survive into another program. Those of this process itself close by themselves. */
export function closeInherited() {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc/self/fdinfo')) {
    const fd = Number(name);
    if (fd <= 2) continue;
    try {
      const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))[1], 8);
      if ((flags & O_CLOEXEC) === 0) closeSync(fd);
    } catch (error) {
      // The descriptor that listed this folder is gone by now.
      if (error.code !== 'ENOENT' && error.code !== 'EBADF') throw error;
    }
  }
}

/** Takes the account's groups and ids, where this process may, and the usual mask for what it creates. */
export function becomeUser(account) {
  if (process.getuid() === 0) {
    process.initgroups(account.name, account.gid);
    process.setgid(account.gid);
    process.setuid(account.uid);
  }
  process.umask(0o022);
}
