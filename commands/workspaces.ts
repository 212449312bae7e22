// Workspaces: tabs and splits of terminals, saved at the gateway and opened again.
import { textChoice } from './answer.ts';
import { type Argument, type Command, command } from './command.ts';
import { listedArgument } from './find.ts';
import { hasTab, inConsole } from './gates.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./workspace-acts.ts');

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
    run: async (...asked) => (await loadActs()).open(...asked),
  }),
  command({
    id: 'workspace.save',
    title: 'Save the terminals as a workspace…',
    group: 'session',
    words: ['keep', 'layout', 'tabs', 'splits'],
    when: hasTab,
    args: [
      {
        ...nameArgument,
        choices: async (typed, _given, _facts, tools) => {
          const { listWorkspaces } = await import('../src/contract/workspaces.ts');
          const names = (await tools.call(listWorkspaces)).map(({ name }) => name);
          return names
            .filter(name => name.toLowerCase().includes(typed.trim().toLowerCase()))
            .map(name => ({ ...textChoice(name), detail: 'replaced' }));
        },
      },
    ],
    run: async (...asked) => (await loadActs()).save(...asked),
  }),
  command({
    id: 'workspace.rename',
    title: 'Rename a workspace…',
    group: 'session',
    words: ['name', 'layout'],
    when: inConsole,
    args: [workspaceArgument, nameArgument],
    run: async (...asked) => (await loadActs()).rename(...asked),
  }),
  command({
    id: 'workspace.copyLink',
    title: 'Copy a link to a workspace…',
    group: 'session',
    words: ['share', 'url', 'address'],
    when: inConsole,
    args: [workspaceArgument],
    run: async (...asked) => (await loadActs()).copyLink(...asked),
  }),
  command({
    id: 'workspace.delete',
    title: 'Delete a workspace…',
    group: 'session',
    destructive: true,
    words: ['remove', 'forget', 'layout'],
    when: inConsole,
    args: [workspaceArgument],
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];
