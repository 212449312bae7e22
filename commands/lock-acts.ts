// What the commands of locks change at the gateway: fetched when one of them is run.
import { lockEnd, lockedThing, readLockTargets, readLockTime } from '../src/contract/lock-words.ts';
import { createLock, deleteLock } from '../src/contract/locks.ts';
import { answer, confirmed } from './answer.ts';
import type { Command } from './command.ts';
import { sureToLock } from './lock-oneself.ts';

export const create: Command['run'] = async (given, facts, tools) => {
  const typed = answer(given, 'target');
  const targets = readLockTargets(typed.value);
  if (typeof targets === 'string') throw new Error(targets);
  // What was picked has a title beside its id; what was typed is its own.
  const title = targets.length === 1 && typed.title !== typed.value ? typed.title : '';
  const chosen = targets.map(one => ({ targets: one, what: lockedThing({ targets: one, title }) }));
  const ttl = readLockTime(given.ttl?.value ?? '') ?? '';
  for (const { what, ...one } of await sureToLock(tools, facts.who, chosen)) {
    const made = await tools.call(createLock, {
      params: { clusterId: facts.clusterId },
      body: { ...one, ttl, message: given.message?.value ?? '' },
    });
    const until = made.expires === '' ? '' : ` until ${lockEnd(made)}`;
    tools.notify(`Locked ${what}${until}${made.note === undefined ? '' : `: ${made.note}`}`);
  }
};

export const remove: Command['run'] = async (given, { clusterId, surface }, tools) => {
  const { value: name, title } = answer(given, 'lock');
  const question = {
    title: `Take the lock on ${title} away?`,
    text: 'Whoever it held back can sign in and open sessions again at once.',
    action: 'Yes, remove',
  };
  // On a command line it was typed whole.
  if (surface === 'console') await confirmed(tools, question);
  await tools.call(deleteLock, { params: { clusterId, name } });
  tools.notify(`The lock on ${title} has been taken away`);
};
