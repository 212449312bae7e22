// What the commands of servers do once they are asked: fetched then.
import { hostNameOf } from '../src/contract/address.ts';
import { compareHostKey, createNode, probeHostKey, trustHostKey } from '../src/contract/host-keys.ts';
import { deleteNode } from '../src/contract/nodes.ts';
import { answer, confirmed } from './answer.ts';
import type { Argument, Command } from './command.ts';
import { labelsOf } from './servers.ts';
import { tryUntilUsable } from './trial.ts';

/** The host key that an address shows, to be confirmed. */
export const hostKeys: Argument['choices'] = async (_typed, given, facts, tools) => {
  const { addr, hostKey } = await tools.call(probeHostKey, {
    params: { clusterId: facts.clusterId },
    body: { addr: answer(given, 'address').value.trim() },
  });
  return [
    {
      value: hostKey.publicKey,
      title: hostKey.fingerprint,
      detail: `Trust the ${hostKey.type} key of ${addr}; compare it with ssh-keygen -lf on the host`,
    },
  ];
};

export const add: Command['run'] = async (given, facts, tools) => {
  const addr = answer(given, 'address').value.trim();
  const labels = labelsOf(given);
  const node = await tools.call(createNode, {
    params: { clusterId: facts.clusterId },
    body: {
      subKind: 'openssh',
      hostname: hostNameOf(addr),
      addr,
      labels,
      hostKey: answer(given, 'hostKey').value,
    },
  });
  tools.notify(`${node.hostname} has been added`);
  if (facts.surface === 'console') tools.go('nodes', { clusterId: facts.clusterId });
};

export const trial: Command['run'] = async (given, facts, tools) => {
  const { title: name, value: id } = answer(given, 'server');
  await tryUntilUsable(
    'node',
    { name, id, login: given.login?.value ?? '' },
    { good: 'rights, way, host key and log-in are in order', manual: 'addServer' },
    facts,
    tools,
  );
};

export const trust: Command['run'] = async (given, { clusterId }, tools) => {
  const server = answer(given, 'server');
  const params = { clusterId, nodeId: server.value };
  const { hostname, addr, pinned, shown } = await tools.call(compareHostKey, { params });
  if (pinned.some(({ publicKey }) => publicKey === shown.publicKey))
    return tools.notify(`${hostname} shows the host key that is trusted already`);
  const before = pinned.map(({ type, fingerprint }) => `${type}  ${fingerprint}`).join('\n') || 'none';
  await confirmed(tools, {
    title: `Trust the new host key of ${hostname}?`,
    text: `Trusted until now:\n${before}\n\nShown by ${addr} now:\n${shown.type}  ${shown.fingerprint}\n\nCompare it with ssh-keygen -lf on the host itself: if nobody reinstalled it, somebody else may be answering in its place.`,
    action: 'Trust the new key',
    manual: 'trustHostKey',
  });
  await tools.call(trustHostKey, {
    params,
    body: { hostKey: shown.publicKey, replaces: pinned.map(({ fingerprint }) => fingerprint) },
  });
  tools.notify(`The new host key of ${hostname} is trusted`);
};

export const remove: Command['run'] = async (given, facts, tools) => {
  const server = answer(given, 'server');
  await confirmed(tools, {
    title: `Remove ${server.title}?`,
    text: 'It leaves the list and its pinned host key is forgotten. The server itself is not touched.',
    action: 'Remove the server',
  });
  await tools.call(deleteNode, { params: { clusterId: facts.clusterId, nodeId: server.value } });
  tools.notify(`${server.title} has been removed`);
};
