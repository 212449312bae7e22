// What the commands of bots do once they are asked: fetched then.
import { BOT_PREFIX, createBot, deleteBot } from '../src/contract/bots.ts';
import { lockEnd, readLockTime } from '../src/contract/lock-words.ts';
import { createLock } from '../src/contract/locks.ts';
import { createJoinToken } from '../src/contract/new-join-token.ts';
import { answer, confirmed } from './answer.ts';
import type { Command } from './command.ts';
import { namesIn, readRoles } from './users.ts';

export const add: Command['run'] = async (given, facts, tools) => {
  const name = answer(given, 'name').value.trim();
  const roles = readRoles(answer(given, 'roles').value);
  if (typeof roles === 'string') throw new Error(roles);
  const logins = namesIn(given.logins?.value ?? '');
  const traits = logins.length > 0 ? { logins: [...logins] } : {};
  const { token, line } = await tools.call(createBot, { body: { name, roles: [...roles], traits } });
  await handOverLine(tools, name, line, token.expiry ?? '');
  if (facts.feature === 'users' || facts.feature === 'bots') tools.list.reload?.();
};

/** The line that lets one machine join, which is shown this once. */
const handOverLine = (tools: Parameters<Command['run']>[2], name: string, link: string, expiry: string) =>
  tools.handOver({
    title: `Run this on the machine of ${name}`,
    text: `It can be used once, until ${expiry.slice(0, 16).replace('T', ' ')} UTC. Whoever has the line can join as the bot: it is not shown again.`,
    link,
  });

export const line: Command['run'] = async (given, _facts, tools) => {
  const { value: name } = answer(given, 'bot');
  const made = await tools.call(createJoinToken, { body: { roles: ['Bot'], bot_name: name, uses: 1, ttl: '1h' } });
  await handOverLine(tools, name, made.lines[0]?.line ?? made.id, made.expiry);
};

export const remove: Command['run'] = async (given, { surface, feature }, tools) => {
  const { value: name, title } = answer(given, 'bot');
  const question = {
    title: `Remove ${title}?`,
    text: 'Its sessions end now, and nothing joins as this bot any more.',
    action: 'Remove the bot',
  };
  // On a command line it was typed whole.
  if (surface === 'console') await confirmed(tools, question);
  await tools.call(deleteBot, { params: { name } });
  tools.notify(`Bot ${title} has been removed`);
  if (feature === 'users' || feature === 'bots') tools.list.reload?.();
};

export const lock: Command['run'] = async (given, { clusterId, feature }, tools) => {
  const { value: name, title } = answer(given, 'bot');
  const made = await tools.call(createLock, {
    params: { clusterId },
    body: {
      targets: { user: `${BOT_PREFIX}${name}` },
      ttl: readLockTime(given.ttl?.value ?? '') ?? '',
      message: given.message?.value ?? '',
    },
  });
  tools.notify(`Bot ${title} is locked${made.expires === '' ? '' : ` until ${lockEnd(made)}`}`);
  if (feature === 'bots') tools.list.reload?.();
};
