// Locks on the gateway's own machine: the way back for whoever has locked themselves out, too.
import {
  LOCK_TIME_HINT,
  lockEnd,
  lockedThing,
  readLockName,
  readLockTargets,
  readLockTime,
} from '../../contract/lock-words.ts';
import type { Lock } from '../../contract/locks.ts';
import { table } from '../table.ts';
import { Refused, UsageError } from '../verb.ts';
import type { MachineVerb } from './machine-verb.ts';

const described = (lock: Lock): readonly string[] => [
  lock.name,
  lockedThing(lock),
  lockEnd(lock) || 'never ends',
  lock.createdBy,
  lock.message,
];

export const lockVerbs: readonly MachineVerb[] = [
  {
    verb: 'lock',
    words: ['TARGET[,TARGET]', '[TIME]', '[MESSAGE…]'],
    flags: [
      { name: '--expires', argument: 'TIME', help: 'For how long, such as 2h, or when it ends, instead of the word' },
    ],
    help: 'Locks users, or role:NAME, login:NAME, server:ID, at once; for so long, such as 2h, or for good',
    async run(typed, gateway, { print }) {
      const [target = '', ...rest] = typed.words;
      const targets = readLockTargets(target);
      if (typeof targets === 'string') throw new UsageError(`lock: ${targets}`);
      const flag = typed.one('--expires');
      const ttl = readLockTime(flag ?? rest[0] ?? '');
      if (flag !== undefined && ttl === undefined)
        throw new UsageError(`--expires: "${flag}": ${LOCK_TIME_HINT} expected`);
      const message = rest.slice(flag === undefined && ttl !== undefined ? 1 : 0).join(' ');
      for (const one of targets) {
        const made = await gateway.call<Lock>('POST', '/locks', { targets: one, ttl: ttl ?? '', message });
        print(`Locked ${lockedThing(made)} (${made.name})${made.expires === '' ? '' : ` until ${lockEnd(made)}`}.`);
      }
    },
  },
  {
    verb: 'locks list',
    words: [],
    flags: [],
    help: 'Lists the locks in force, with their ends',
    async run(_typed, gateway, { print }) {
      const locks = await gateway.call<readonly Lock[]>('GET', '/locks');
      print(locks.length === 0 ? 'Nothing is locked.' : table(locks.map(described)));
    },
  },
  {
    verb: 'unlock',
    words: ['LOCK'],
    flags: [],
    help: 'Takes a lock away: its id, or alice, role:NAME where there is one on it',
    async run({ words: [typed = ''] }, gateway, { print }) {
      const locks = await gateway.call<readonly Lock[]>('GET', '/locks');
      const meant = locks.filter(lock => [lock.name, lockedThing(lock)].includes(readLockName(typed)));
      if (meant.length > 1)
        throw new UsageError(`unlock: "${typed}" may be any of these\n${table(meant.map(described))}`);
      const [only] = meant;
      if (only === undefined) throw new Refused(`unlock: there is no lock "${typed}"`);
      await gateway.call('DELETE', `/locks/${encodeURIComponent(only.name)}`);
      print(`The lock on ${lockedThing(only)} has been taken away.`);
    },
  },
];
