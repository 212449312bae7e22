// What the commands of commands/splits.ts do to the tabs.
import type { Arrangement } from '../../../commands/command.ts';
import type { Groups } from './groups.ts';
import { type Direction, SPLITS_MOST } from './layout.ts';
import { isDesktopTab, type NewTab, type Tab } from './tab.ts';
import { frontOf, type TerminalState } from './terminals.ts';

/** Said where a tab takes no more terminals. */
export const FULL = `A tab has at most ${SPLITS_MOST} terminals`;

interface ArrangingPorts {
  readonly state: TerminalState;
  readonly groups: Groups;
  /** Brings a terminal to the front and gives it the keys. */
  readonly select: (key: string) => void;
  readonly add: (given: Omit<NewTab, 'key'>, beside: Direction) => void;
  readonly notify: (text: string) => void;
  readonly windows: { move(tab: Tab): void };
}

/** Arranges the terminals of a page. */
export function createArranging({ state, groups, select, add, notify, windows }: ArrangingPorts) {
  return (how: Arrangement): void => {
    const tab = frontOf(state);
    const group = groups.front();
    if (tab === undefined || group === undefined) return;
    switch (how.kind) {
      case 'split': {
        const { clusterId, serverId, login, title } = tab;
        if (serverId === '' || login === '') notify('A session that one only joins cannot be opened again');
        else if (isDesktopTab(tab)) notify('A desktop is shown once: move a terminal beside it');
        else if (!groups.hasRoom()) notify(FULL);
        else add({ clusterId, sid: '', serverId, login, title, mode: 'peer' }, how.direction);
        break;
      }
      case 'focus': {
        const key = groups.neighbour(how.to);
        if (key !== undefined) select(key);
        break;
      }
      case 'resize':
        groups.resize(how.to);
        break;
      case 'swap':
        groups.swap();
        break;
      case 'zoom':
        group.zoomed = group.zoomed === '' ? tab.key : '';
        break;
      case 'toTab':
        groups.alone(tab.key, groups.leave(tab.key).at + 1);
        select(tab.key);
        break;
      case 'toSplit': {
        const target = state.groups.find(({ key }) => key === how.tab);
        if (target === undefined || target === group) break;
        if (!groups.hasRoom(target)) {
          notify(FULL);
          break;
        }
        groups.leave(tab.key);
        groups.beside(tab.key, target.current, how.direction);
        select(tab.key);
        break;
      }
      case 'moveTab':
        groups.move(group.key, state.groups.indexOf(group) + how.by);
        break;
      case 'window':
        windows.move(tab);
        break;
      case 'rename':
        group.name = how.name;
        break;
      default:
        how satisfies never;
    }
  };
}
