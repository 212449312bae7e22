// What the commands of desktops do once they are asked: fetched then.
import { createDesktop, deleteDesktop, updateDesktop } from '../src/contract/desktop-changes.ts';
import { answer, confirmed } from './answer.ts';
import type { Command, Facts, Tools } from './command.ts';
import { labelsOf } from './servers.ts';
import { tryUntilUsable } from './trial.ts';

const tryDesktop = (name: string, facts: Pick<Facts, 'clusterId'>, tools: Tools): Promise<void> =>
  tryUntilUsable(
    'windows_desktop',
    { name },
    { good: 'rights, login, way and answer are in order', manual: 'addDesktop' },
    facts,
    tools,
  );

export const add: Command['run'] = async (given, facts, tools) => {
  const name = answer(given, 'name').value.trim();
  await tools.call(createDesktop, {
    params: { clusterId: facts.clusterId },
    body: {
      name,
      addr: answer(given, 'address').value.trim(),
      protocol: answer(given, 'protocol').value === 'vnc' ? 'vnc' : 'rdp',
      labels: labelsOf(given),
    },
  });
  tools.notify(`${name} has been added`);
  if (facts.surface === 'console') tools.go('desktops', { clusterId: facts.clusterId });
  await tryDesktop(name, facts, tools);
};

export const trial: Command['run'] = async (given, facts, tools) => {
  await tryDesktop(answer(given, 'desktop').value, facts, tools);
};

export const change: Command['run'] = async (given, facts, tools) => {
  const { value: name } = answer(given, 'desktop');
  const addr = given.address?.value.trim() ?? '';
  const labels = labelsOf(given);
  if (addr === '' && labels.length === 0) throw new Error('Type an address or labels');
  await tools.call(updateDesktop, {
    params: { clusterId: facts.clusterId, name },
    body: { ...(addr !== '' && { addr }), ...(labels.length > 0 && { labels }) },
  });
  tools.notify(`${name} has been changed`);
  tools.list.reload?.();
  if (addr !== '') await tryDesktop(name, facts, tools);
};

export const remove: Command['run'] = async (given, facts, tools) => {
  const { value: name } = answer(given, 'desktop');
  await confirmed(tools, {
    title: `Remove ${name}?`,
    text: 'It leaves the list. The desktop itself is not touched.',
    action: 'Remove the desktop',
  });
  await tools.call(deleteDesktop, { params: { clusterId: facts.clusterId, name } });
  tools.notify(`${name} has been removed`);
  tools.list.reload?.();
};
