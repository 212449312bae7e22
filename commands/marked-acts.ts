// What is done to marked servers once it is asked: fetched then.
import { deleteNode } from '../src/contract/nodes.ts';
import { answer, confirmed } from './answer.ts';
import type { Command, Thing } from './command.ts';
import { markedServers } from './marked.ts';

/** Names that a question lists before it counts the rest. */
const NAMED_MOST = 15;

/** Names one below the other; what is too many to read is counted. */
export function named(things: readonly Thing[]): string {
  const shown = things.slice(0, NAMED_MOST).map(thing => thing.title);
  return [...shown, ...(things.length > NAMED_MOST ? [`and ${things.length - NAMED_MOST} more`] : [])].join('\n');
}

export const openAll: Command['run'] = async (given, facts, tools) => {
  const servers = markedServers(facts);
  const login = answer(given, 'login').value;
  await confirmed(tools, {
    title: `Open ${servers.length} shells as ${login}?`,
    text: named(servers),
    action: `Open ${servers.length} shells`,
  });
  for (const { id, title } of servers) void tools.terminal.open({ serverId: id, hostname: title, login });
};

export const removeAll: Command['run'] = async (_given, facts, tools) => {
  const servers = markedServers(facts);
  await confirmed(tools, {
    title: `Remove ${servers.length} servers?`,
    text: `${named(servers)}\n\nThey leave the list and their pinned host keys are forgotten. The servers themselves are not touched.`,
    action: `Remove ${servers.length} servers`,
  });
  const failed: string[] = [];
  for (const { id, title } of servers) {
    try {
      await tools.call(deleteNode, { params: { clusterId: facts.clusterId, nodeId: id } });
    } catch (error) {
      failed.push(`${title}: ${error instanceof Error ? error.message : 'failed'}`);
    }
  }
  const removed = servers.length - failed.length;
  tools.notify(
    failed.length === 0
      ? `${removed} servers have been removed`
      : `${removed} of ${servers.length} removed. ${failed.slice(0, 3).join('; ')}`,
  );
};
