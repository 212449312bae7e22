// Workspaces: tabs and splits of terminals, saved at the gateway and opened again.
import type { Workspace } from '../src/contract/workspaces.ts';
import { answer, confirmed, textChoice } from './answer.ts';
import { type Argument, type Command, command } from './command.ts';
import { listedArgument } from './find.ts';
import { hasTerminal, inConsole } from './gates.ts';

/** Fetched when somebody has to do with one. */
const loadCalls = () => import('../src/contract/workspaces.ts');

const workspaceArgument = listedArgument('workspace');
const wrongName = (typed: string): string | undefined =>
  typed.trim() === '' ? 'A workspace has a name' : typed.length > 64 ? 'A name has at most 64 characters' : undefined;
const nameArgument: Argument = { name: 'name', title: 'Name', free: wrongName, choices: () => [] };

export const workspaces: readonly Command[] = [
  command({
    id: 'workspace.open',
    title: 'Open a workspace…',
    group: 'session',
    words: ['restore', 'layout', 'tabs', 'splits'],
    when: inConsole,
    args: [workspaceArgument],
    onThing: { label: 'Open', title: name => `Open ${name}` },
    phrase: {
      example: 'workspace build',
      usage: { name: 'workspace', args: [{ name: 'workspace', text: 'NAME' }] },
      read: typed => {
        const name = /^workspace\s+"?([^"]*?)"?\s*$/i.exec(typed)?.[1];
        return name === undefined ? undefined : { workspace: name };
      },
      write: ({ workspace = '' }) => `workspace ${workspace}`,
    },
    run: async (given, _facts, tools) => {
      const { getWorkspace } = await loadCalls();
      const { name, tabs, closed } = await tools.call(getWorkspace, {
        params: { id: answer(given, 'workspace').value },
      });
      tools.terminal.openTabs(tabs);
      if (closed.length > 0) tools.notify(`${name}: your roles do not reach ${closed.join(', ')}`);
    },
  }),
  command({
    id: 'workspace.save',
    title: 'Save the terminals as a workspace…',
    group: 'session',
    words: ['keep', 'layout', 'tabs', 'splits'],
    when: hasTerminal,
    args: [
      {
        ...nameArgument,
        choices: async (typed, _given, _facts, tools) => {
          const { listWorkspaces } = await loadCalls();
          const names = (await tools.call(listWorkspaces)).map(({ name }) => name);
          return names
            .filter(name => name.toLowerCase().includes(typed.trim().toLowerCase()))
            .map(name => ({ ...textChoice(name), detail: 'replaced' }));
        },
      },
    ],
    run: async (given, _facts, tools) => {
      const { saveWorkspace } = await loadCalls();
      const tabs = tools.terminal.savedTabs();
      if (tabs.length === 0) throw new Error('What one only joins is not saved, and there is no other terminal');
      const { name } = await tools.call(saveWorkspace, { body: { name: answer(given, 'name').value.trim(), tabs } });
      tools.notify(`${name} is saved: "workspace ${name}" opens it`);
    },
  }),
  command({
    id: 'workspace.rename',
    title: 'Rename a workspace…',
    group: 'session',
    words: ['name', 'layout'],
    when: inConsole,
    args: [workspaceArgument, nameArgument],
    run: async (given, _facts, tools) => {
      const { renameWorkspace } = await loadCalls();
      const { value: id, title } = answer(given, 'workspace');
      const { name }: Workspace = await tools.call(renameWorkspace, {
        params: { id },
        body: { name: answer(given, 'name').value.trim() },
      });
      tools.notify(`${title} is now called ${name}`);
    },
  }),
  command({
    id: 'workspace.copyLink',
    title: 'Copy a link to a workspace…',
    group: 'session',
    words: ['share', 'url', 'address'],
    when: inConsole,
    args: [workspaceArgument],
    run: async (given, { clusterId }, tools) => {
      const { to } = await import('../src/features/paths.ts');
      const path = to('console', { clusterId }, { workspace: answer(given, 'workspace').value });
      await tools.copyText(tools.link?.(path) ?? path);
      tools.notify('Link copied: whoever reaches its servers opens sessions of their own with it');
    },
  }),
  command({
    id: 'workspace.delete',
    title: 'Delete a workspace…',
    group: 'session',
    destructive: true,
    words: ['remove', 'forget', 'layout'],
    when: inConsole,
    args: [workspaceArgument],
    run: async (given, _facts, tools) => {
      const { value: id, title } = answer(given, 'workspace');
      await confirmed(tools, {
        title: `Delete the workspace ${title}?`,
        text: 'Links to it lead nowhere from then on. Terminals that are open stay open.',
        action: 'Delete the workspace',
      });
      const { deleteWorkspace } = await loadCalls();
      await tools.call(deleteWorkspace, { params: { id } });
      tools.notify(`${title} has been deleted`);
    },
  }),
];
