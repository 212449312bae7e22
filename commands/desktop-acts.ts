// What the commands of desktops do once they are asked: fetched then.
import { createDesktop, deleteDesktop, updateDesktop } from '../src/contract/desktop-changes.ts';
import { setDesktopPassword } from '../src/contract/desktop-sessions.ts';
import { getDesktop } from '../src/contract/resources.ts';
import { answer, confirmed, textChoice } from './answer.ts';
import type { Argument, Command, Facts, Tools } from './command.ts';
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

/** Logins that roles name for the desktop. */
export const logins: Argument['choices'] = async (typed, given, { clusterId }, tools) => {
  const { value: name, thing } = answer(given, 'desktop');
  const named = thing?.logins ?? (await tools.call(getDesktop, { params: { clusterId, name } })).logins;
  return named.filter(login => login !== '*' && login.includes(typed)).map(textChoice);
};

export const keepPassword: Command['run'] = async (given, { clusterId }, tools) => {
  const { value: name } = answer(given, 'desktop');
  const { value: login } = answer(given, 'login');
  const password = given.secret?.value ?? '';
  await tools.call(setDesktopPassword, { params: { clusterId, name, login }, body: { password } });
  tools.notify(
    password === ''
      ? `The password of ${login} on ${name} is forgotten`
      : `The password of ${login} on ${name} is kept, encrypted`,
  );
};

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
