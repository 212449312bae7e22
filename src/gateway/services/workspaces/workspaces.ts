// Workspaces: whose they are, how many there may be, and what of somebody else's a person may open.
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { readContainerAddress } from '../../../contract/container-address.ts';
import { readDesktopAddress } from '../../../contract/desktop-address.ts';
import { Failure } from '../../../contract/failure.ts';
import { parsePredicate } from '../../../contract/predicate.ts';
import { readPromptAddress } from '../../../contract/prompt-address.ts';
import {
  type OpenWorkspace,
  WORKSPACE_TERMINALS_MOST,
  type Workspace,
  type WorkspaceContent,
  type WorkspaceTab,
  workspace,
} from '../../../contract/workspaces.ts';
import type { Who } from '../../ports/who.ts';
import type { Resource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';

/** Workspaces of one person, at most. */
const OWN_MOST = 50;
/** Says whose it is, by the id that no other user ever has. */
const OWNER_LABEL = 'owner';

export interface Workspaces {
  /** One's own, by name. */
  list(who: Who): Promise<readonly Workspace[]>;
  /** As this person may open it. Throws Failure not_found, also for somebody else's of which they may open nothing. */
  open(who: Who, id: string): Promise<OpenWorkspace>;
  /** Keeps one, in place of one's own of that name. Throws Failure bad_request for what cannot be opened, and where there are too many. */
  save(who: Who, content: WorkspaceContent): Promise<Workspace>;
  /** Throws Failure not_found for what is not one's own, and exists where another one has the name. */
  rename(who: Who, id: string, name: string): Promise<Workspace>;
  /** Throws Failure not_found for what is not one's own. */
  remove(who: Who, id: string): Promise<void>;
}

export function createWorkspaces(resources: Pick<Resources, 'get' | 'named' | 'list' | 'put' | 'delete'>): Workspaces {
  const ofPerson = (who: Who): Promise<readonly Resource[]> =>
    allOf(resources, 'workspace', {
      query: parsePredicate(`labels["${OWNER_LABEL}"] == ${JSON.stringify(who.userId)}`),
      sort: 'title',
    });
  const missing = (): Failure => new Failure('not_found', 'there is no such workspace');
  async function own(who: Who, id: string): Promise<Resource> {
    const found = await resources.get('workspace', id);
    if (found?.labels[OWNER_LABEL] !== who.userId) throw missing();
    return found;
  }
  const keep = async (who: Who, id: string, { name, tabs }: WorkspaceContent): Promise<Workspace> =>
    shown(
      await resources.put({
        kind: 'workspace',
        name: id,
        title: name,
        description: '',
        address: '',
        subtype: '',
        labels: { [OWNER_LABEL]: who.userId },
        words: [],
        spec: { tabs },
        expires: null,
      }),
    );

  return {
    list: async who => (await ofPerson(who)).map(shown),
    async open(who, id) {
      const found = await resources.get('workspace', id);
      if (found === null) throw missing();
      const saved = shown(found);
      const ids = [...new Set(saved.tabs.flatMap(({ panes }) => panes.map(({ serverId }) => serverId)))];
      const named = async (
        kind: 'node' | 'db' | 'kube_cluster' | 'windows_desktop',
        names: readonly string[],
      ): Promise<ReadonlyMap<string, Resource>> =>
        new Map((await resources.named(kind, names)).map(one => [one.name, one]));
      const servers = await named('node', ids);
      const databases = await named(
        'db',
        ids.flatMap(one => readPromptAddress(one)?.database ?? []),
      );
      const clusters = await named(
        'kube_cluster',
        ids.flatMap(one => readContainerAddress(one)?.cluster ?? []),
      );
      const desktops = await named(
        'windows_desktop',
        ids.flatMap(one => readDesktopAddress(one) ?? []),
      );
      const closed: string[] = [];
      const mayOpen = ({ serverId, hostname, login }: WorkspaceTab['panes'][number]): boolean => {
        const prompt = readPromptAddress(serverId);
        const cluster = clusters.get(readContainerAddress(serverId)?.cluster ?? '');
        const desktop = desktops.get(readDesktopAddress(serverId) ?? '');
        const labels = (desktop ?? (prompt ? databases.get(prompt.database) : servers.get(serverId)))?.labels;
        const key = desktop ? 'windows_desktop_logins' : prompt ? 'db_users' : undefined;
        const logins = labels && (key ? who.rights.principals(key, labels) : who.rights.logins(labels));
        const may =
          logins?.some(one => one === login || (key && one === '*')) === true ||
          (cluster !== undefined && who.rights.selects('kube_cluster', cluster.labels));
        if (!may) closed.push(`${login}@${hostname}`);
        return may;
      };
      const tabs = saved.tabs.flatMap(tab => {
        const panes = reachable(tab.panes, mayOpen);
        return panes.length === 0 ? [] : [{ ...tab, panes }];
      });
      // Who may reach none of it learns nothing of it.
      if (tabs.length === 0 && found.labels[OWNER_LABEL] !== who.userId) throw missing();
      return { ...saved, tabs, closed: [...new Set(closed)] };
    },
    async save(who, content) {
      refuseUnopenable(content);
      const before = await ofPerson(who);
      const same = before.find(({ title }) => title === content.name);
      if (same === undefined && before.length >= OWN_MOST)
        throw new Failure('bad_request', `there are ${OWN_MOST} workspaces: delete one first`);
      return keep(who, same?.name ?? randomUUID(), content);
    },
    async rename(who, id, name) {
      const { tabs } = shown(await own(who, id));
      if ((await ofPerson(who)).some(other => other.title === name && other.name !== id))
        throw new Failure('exists', `there is a workspace "${name}" already`);
      return keep(who, id, { name, tabs });
    },
    async remove(who, id) {
      await own(who, id);
      await resources.delete('workspace', id);
    },
  };
}

const shown = ({ name: id, title: name, updated, spec }: Resource): Workspace =>
  z.parse(workspace, { ...(spec as object), id, name, updated: updated.toISOString() });

/** Throws Failure bad_request. */
function refuseUnopenable({ tabs }: WorkspaceContent): void {
  if (tabs.reduce((count, { panes }) => count + panes.length, 0) > WORKSPACE_TERMINALS_MOST)
    throw new Failure('bad_request', `a workspace has at most ${WORKSPACE_TERMINALS_MOST} terminals`);
  for (const { panes } of tabs)
    for (const [index, { beside }] of panes.entries())
      if (index === 0 ? beside !== undefined : beside === undefined || beside >= index)
        throw new Failure('bad_request', 'each terminal of a tab but the first stands beside an earlier one');
}

/** The terminals of a tab that may be opened; what stood beside one that may not stands beside the nearest before it, or first. */
function reachable(
  panes: WorkspaceTab['panes'],
  mayOpen: (pane: WorkspaceTab['panes'][number]) => boolean,
): WorkspaceTab['panes'] {
  const open = panes.map(mayOpen);
  const left = panes.flatMap((_pane, index) => (open[index] ? [index] : []));
  return left.map((index, at) => {
    const { beside, direction, share, ...shell } = panes[index] as WorkspaceTab['panes'][number];
    if (at === 0) return shell;
    let anchor = beside;
    while (anchor !== undefined && !open[anchor]) anchor = panes[anchor]?.beside;
    return { ...shell, direction, share, beside: anchor === undefined ? 0 : left.indexOf(anchor) };
  });
}
