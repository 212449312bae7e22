// What the commands of locks change at the gateway: fetched when one of them is run.
import { lockEnd, lockedThing, readLockTargets, readLockTime } from '../src/contract/lock-words.ts';
import { createLock, deleteLock, type Lock } from '../src/contract/locks.ts';
import { listTrustedDevices } from '../src/contract/trusted-devices.ts';
import { answer, confirmed } from './answer.ts';
import type { Command, Tools } from './command.ts';
import { sureToLock } from './lock-oneself.ts';

export const create: Command['run'] = async (given, facts, tools) => {
  const typed = answer(given, 'target');
  const read = readLockTargets(typed.value);
  if (typeof read === 'string') throw new Error(read);
  const targets = await byId(read, tools);
  // What was picked has a title beside its id; what was typed is its own.
  const isNamed = typed.title !== typed.value || targets !== read;
  const title = targets.length === 1 && isNamed ? typed.title.replace(/^device:/, '') : '';
  const chosen = targets.map(one => ({ targets: one, what: lockedThing({ targets: one, title }) }));
  const ttl = readLockTime(given.ttl?.value ?? '') ?? '';
  for (const { what, ...one } of await sureToLock(tools, facts.who, chosen)) {
    const made = await tools.call(createLock, {
      params: { clusterId: facts.clusterId },
      body: { ...one, ttl, message: given.message?.value ?? '' },
    });
    const until = made.expires === '' ? '' : ` until ${lockEnd(made)}`;
    tools.notify(`Locked ${what}${until}`);
  }
};

/** Devices are known by their asset tags, and locked by their ids. */
async function byId(targets: readonly Lock['targets'][], tools: Tools): Promise<readonly Lock['targets'][]> {
  const isTag = ({ device }: Lock['targets']): boolean => device !== undefined && !/^[0-9a-f-]{36}$/.test(device);
  if (!targets.some(isTag)) return targets;
  const known = await tools.call(listTrustedDevices);
  return targets.map(target => {
    if (!isTag(target)) return target;
    const found = known.find(({ asset_tag }) => asset_tag === target.device);
    if (!found) throw new Error(`There is no trusted device with the asset tag "${target.device}"`);
    return { device: found.id };
  });
}

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
