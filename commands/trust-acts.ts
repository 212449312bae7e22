// What the commands of trusted clusters do once they are asked: fetched then.
import { deleteRemoteCluster, deleteTrustedCluster } from '../src/contract/trusted-clusters.ts';
import { answer, confirmed } from './answer.ts';
import type { Command } from './command.ts';

export const leave: Command['run'] = async (given, _facts, tools) => {
  const { value: name } = answer(given, 'root');
  await confirmed(tools, {
    title: `Leave the root cluster ${name}?`,
    text: 'Nobody comes from there any more, and what they have open here ends.',
    action: 'Yes, remove',
  });
  await tools.call(deleteTrustedCluster, { params: { name } });
  tools.notify(`This cluster has left ${name}`);
};

export const forget: Command['run'] = async (given, { config }, tools) => {
  const { value: name } = answer(given, 'cluster');
  if (name === config.proxyCluster) throw new Error(`${name} is this cluster itself`);
  await confirmed(tools, {
    title: `Take the leaf cluster ${name} out?`,
    text: 'Its tunnel is cut, and nobody goes there from here any more. It needs a new token to join again.',
    action: 'Yes, remove',
  });
  await tools.call(deleteRemoteCluster, { params: { name } });
  tools.notify(`The leaf cluster ${name} has been taken out`);
};
