// What the commands of agents do once they are asked: fetched then.
import {
  AGENTS_PATH,
  type AgentKind,
  agentKinds,
  createAgent,
  deleteAgent,
  renewAgent,
  stopAgent,
} from '../src/contract/agents.ts';
import { dateTime } from '../src/features/times.ts';
import { answer, confirmed } from './answer.ts';
import type { Command, Given, Tools } from './command.ts';
import { labelsOf } from './servers.ts';

const listOf = (given: Given, name: string): string[] =>
  (given[name]?.value ?? '')
    .split(/[\s,]+/)
    .map(word => word.trim())
    .filter(word => word !== '');
const isKind = (word: string): word is AgentKind => (agentKinds as readonly string[]).includes(word);

/** Throws Error with a sentence. */
function kindsOf(given: Given): readonly AgentKind[] | undefined {
  const words = listOf(given, 'kinds');
  const wrong = words.find(word => !isKind(word));
  if (wrong !== undefined) throw new Error(`kinds: "${wrong}" is none of ${agentKinds.join(', ')}`);
  return words.length > 0 ? words.filter(isKind) : undefined;
}
const lifeOf = (given: Given) => ({
  ...(given.for?.value && { for: given.for.value }),
  ...(given.calls?.value && { calls: Number(given.calls.value) }),
});

/** The token, this once. */
const hand = (tools: Tools, name: string, url: string, token: string): Promise<void> =>
  tools.handOver({
    title: `The token of agent ${name}`,
    text: `Whoever has it works in your place. It is not shown again. MCP over HTTP: ${url}, with the token as bearer. Over standard streams: postern mcp --url ${url.slice(0, -AGENTS_PATH.length)}, with the token in POSTERN_AGENT_TOKEN.`,
    link: token,
  });

export const add: Command['run'] = async (given, { clusterId }, tools) => {
  const roles = listOf(given, 'roles');
  const kinds = kindsOf(given);
  const { agent, token, url } = await tools.call(createAgent, {
    params: { clusterId },
    body: {
      name: answer(given, 'name').value,
      ...(roles.length > 0 && { roles }),
      ...(kinds && { kinds: [...kinds] }),
      labels: Object.fromEntries(labelsOf(given).map(({ name, value }) => [name, value])),
      logins: listOf(given, 'logins'),
      asks: given.asks?.value === 'yes',
      ...lifeOf(given),
    },
  });
  tools.notify(`Agent ${agent.name} may make ${agent.calls} calls until ${dateTime(agent.until)} UTC`);
  tools.list.reload?.();
  await hand(tools, agent.name, url, token ?? '');
};

export const renew: Command['run'] = async (given, { clusterId }, tools) => {
  const { value: id } = answer(given, 'agent');
  const { agent, token, url } = await tools.call(renewAgent, {
    params: { clusterId, id },
    body: { ...lifeOf(given), newToken: given.newToken?.value === 'yes' },
  });
  tools.notify(`Agent ${agent.name} may make ${agent.calls} calls until ${dateTime(agent.until)} UTC`);
  tools.list.reload?.();
  if (token !== undefined) await hand(tools, agent.name, url, token);
};

export const stop: Command['run'] = async (given, { clusterId }, tools) => {
  const { value: id, title } = answer(given, 'agent');
  await tools.call(stopAgent, { params: { clusterId, id } });
  tools.notify(`Agent ${title} has been stopped, and what it ran has ended`);
  tools.list.reload?.();
};

export const remove: Command['run'] = async (given, { clusterId, surface }, tools) => {
  const { value: id, title } = answer(given, 'agent');
  const question = {
    title: `Delete agent ${title}?`,
    text: 'What it runs ends at once, and its token is nothing any more.',
    action: 'Yes, delete',
  };
  // On a command line it was typed whole.
  if (surface === 'console') await confirmed(tools, question);
  await tools.call(deleteAgent, { params: { clusterId, id } });
  tools.notify(`Agent ${title} has been deleted`);
  tools.list.reload?.();
};
