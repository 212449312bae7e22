// Locks on the gateway's own machine: the way back for whoever has locked themselves out, too.
import { isLockTime, type Lock, lockTargets, readLockTarget, targetOf } from '../../contract/locks.ts';
import { table } from '../table.ts';
import { UsageError } from '../verb.ts';
import type { MachineVerb } from './machine-verb.ts';

const described = (lock: Lock): readonly string[] => {
  const [kind, name] = targetOf(lock);
  return [lock.name, `${lockTargets[kind]} ${name}`, lock.expires || 'never ends', lock.createdBy, lock.message];
};

export const lockVerbs: readonly MachineVerb[] = [
  {
    verb: 'lock',
    words: ['TARGET', '[TTL]', '[MESSAGE…]'],
    flags: [],
    help: 'Locks a user, or role:NAME, login:NAME, server:ID, at once; for so long, such as 2h, or for good',
    async run({ words: [typed = '', ...rest] }, gateway, { print }) {
      const targets = readLockTarget(typed);
      if (typeof targets === 'string') throw new UsageError(`lock: ${targets}`);
      const ttl = isLockTime(rest[0] ?? '') ? (rest[0] ?? '') : '';
      const message = rest.slice(ttl === '' ? 0 : 1).join(' ');
      const made = await gateway.call<Lock>('POST', '/locks', { targets, ttl, message });
      print(`Locked ${described(made)[1]} (${made.name})${made.expires === '' ? '' : ` until ${made.expires}`}.`);
    },
  },
  {
    verb: 'locks list',
    words: [],
    flags: [],
    help: 'Lists the locks in force',
    async run(_typed, gateway, { print }) {
      const locks = await gateway.call<readonly Lock[]>('GET', '/locks');
      print(locks.length === 0 ? 'Nothing is locked.' : table(locks.map(described)));
    },
  },
  {
    verb: 'locks remove',
    words: ['ID'],
    flags: [],
    help: 'Takes a lock away',
    async run({ words: [id = ''] }, gateway, { print }) {
      await gateway.call('DELETE', `/locks/${encodeURIComponent(id)}`);
      print(`Removed lock ${id}.`);
    },
  },
];
