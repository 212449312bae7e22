// What the commands of join tokens do once they are asked: fetched then.
import { deleteJoinToken } from '../src/contract/join-tokens.ts';
import { createJoinToken } from '../src/contract/new-join-token.ts';
import { answer, confirmed } from './answer.ts';
import type { Command } from './command.ts';
import { labelsOf } from './servers.ts';

const kinds = { server: 'Node', database: 'Db', application: 'App', leaf: 'Trusted_cluster' } as const;
/** Where the line, or the token, goes. */
const places: Readonly<Record<keyof typeof kinds, string>> = {
  server: 'Paste this into a shell of the server',
  database: 'Paste this into a shell of the machine beside it',
  application: 'Paste this into a shell of the machine beside it',
  leaf: 'Put this token into the trusted cluster of the leaf',
};
const isKind = (text: string): text is keyof typeof kinds => Object.hasOwn(kinds, text);

export const add: Command['run'] = async (given, facts, tools) => {
  const { value: as } = answer(given, 'as');
  if (!isKind(as)) throw new Error('Type server, database, application or leaf');
  const uses = Number(given.uses?.value || 0);
  const made = await tools.call(createJoinToken, {
    body: {
      roles: [kinds[as]],
      labels: labelsOf(given),
      ...(uses > 0 && { uses }),
      ...(given.ttl?.value && { ttl: given.ttl.value }),
    },
  });
  const many = uses === 0 ? 'any number of times' : uses === 1 ? 'once' : `${uses} times`;
  await tools.handOver({
    title: places[as],
    text: `It can be used ${many} until ${made.expiry.slice(0, 16).replace('T', ' ')} UTC. Whoever has the line can join: it is not shown again.`,
    link: made.lines[0]?.line ?? made.id,
  });
  if (facts.feature === 'tokens') tools.list.reload?.();
};

export const remove: Command['run'] = async (given, { surface }, tools) => {
  const { value: name, title } = answer(given, 'token');
  const question = {
    title: `Revoke ${title}?`,
    text: 'Nothing joins with it any more. What has joined with it stays.',
    action: 'Revoke the token',
  };
  // On a command line it was typed whole.
  if (surface === 'console') await confirmed(tools, question);
  await tools.call(deleteJoinToken, { params: { name } });
  tools.notify(`${title} has been revoked`);
};
