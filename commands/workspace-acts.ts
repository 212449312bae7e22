// What the commands of workspaces do once they are asked: fetched then.
import { deleteWorkspace, getWorkspace, renameWorkspace, saveWorkspace } from '../src/contract/workspaces.ts';
import { to } from '../src/features/paths.ts';
import { answer, confirmed } from './answer.ts';
import type { Command } from './command.ts';

export const open: Command['run'] = async (given, _facts, tools) => {
  const { name, tabs, closed } = await tools.call(getWorkspace, {
    params: { id: answer(given, 'workspace').value },
  });
  tools.terminal.openTabs(tabs);
  if (closed.length > 0) tools.notify(`${name}: your roles do not reach ${closed.join(', ')}`);
};

export const save: Command['run'] = async (given, _facts, tools) => {
  const tabs = tools.terminal.savedTabs();
  if (tabs.length === 0) throw new Error('What one only joins is not saved, and there is no other terminal');
  const { name } = await tools.call(saveWorkspace, { body: { name: answer(given, 'name').value.trim(), tabs } });
  tools.notify(`${name} is saved: "workspace ${name}" opens it`);
};

export const rename: Command['run'] = async (given, _facts, tools) => {
  const { value: id, title } = answer(given, 'workspace');
  const { name } = await tools.call(renameWorkspace, {
    params: { id },
    body: { name: answer(given, 'name').value.trim() },
  });
  tools.notify(`${title} is now called ${name}`);
};

export const copyLink: Command['run'] = async (given, { clusterId }, tools) => {
  const path = to('console', { clusterId }, { workspace: answer(given, 'workspace').value });
  await tools.copyText(tools.link?.(path) ?? path);
  tools.notify('Link copied: whoever reaches its servers opens sessions of their own with it');
};

export const remove: Command['run'] = async (given, _facts, tools) => {
  const { value: id, title } = answer(given, 'workspace');
  await confirmed(tools, {
    title: `Delete the workspace ${title}?`,
    text: 'Links to it lead nowhere from then on. Terminals that are open stay open.',
    action: 'Delete the workspace',
  });
  await tools.call(deleteWorkspace, { params: { id } });
  tools.notify(`${title} has been deleted`);
};
