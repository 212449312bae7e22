// Tabs as a workspace keeps them: the terminals in the order in which splitting makes them, each beside an earlier one.
import type { WorkspaceTab } from '../../contract/workspaces.ts';
import { keysIn, type Layout } from './layout.ts';
import type { Tab } from './tab.ts';
import type { Group } from './terminals.ts';

type Step = Pick<WorkspaceTab['panes'][number], 'beside' | 'direction' | 'share'> & { readonly key: string };

/** The splits that make a layout, the outermost first. */
function stepsOf(layout: Layout): readonly Step[] {
  const steps: Step[] = [{ key: keysIn(layout)[0] ?? '' }];
  const walk = (part: Layout): void => {
    if (typeof part === 'string') return;
    const [first] = keysIn(part.first);
    const [key = ''] = keysIn(part.second);
    const beside = steps.findIndex(step => step.key === first);
    steps.push({ key, beside, direction: part.direction, share: part.share });
    walk(part.first);
    walk(part.second);
  };
  walk(layout);
  return steps;
}

/** The tabs whose terminals can be opened again: sessions that are only joined have no server of their own here. */
export function workspaceTabs(groups: readonly Readonly<Group>[], tabs: readonly Readonly<Tab>[]): WorkspaceTab[] {
  return groups.flatMap(({ name, layout }) => {
    const steps = stepsOf(layout).map(step => ({ ...step, tab: tabs.find(({ key }) => key === step.key) }));
    const kept = steps.filter(({ tab }) => tab !== undefined && tab.serverId !== '' && tab.login !== '');
    const panes = kept.map(({ tab, key: _key, beside, direction, share }, index) => {
      const { serverId = '', login = '', title = '' } = tab ?? {};
      const anchor = kept.findIndex(({ key }) => key === steps[beside ?? -1]?.key);
      return {
        serverId,
        login,
        hostname: title.slice(title.indexOf('@') + 1),
        ...(index > 0 && { beside: Math.max(0, anchor), direction: direction ?? 'right', share: share ?? 0.5 }),
      };
    });
    return panes.length === 0 ? [] : [{ name, panes }];
  });
}
