// The tabs of the bar and the terminals in them: where each goes, who is beside whom, and what is left when one is gone.
import type { Side } from '../../features/thing.ts';
import { type Direction, keysIn, neighbour, resized, SPLITS_MOST, splitAt, swapped, without } from './layout.ts';
import { type Group, groupInFront, type TerminalState } from './terminals.ts';

/** One press of a key moves a border by this part of the tab's room. */
const RESIZE_STEP = 0.05;
const sides: readonly Side[] = ['left', 'right', 'up', 'down'];

/** Keeps a state's tabs and their terminals together. `nextKey` names a new tab. */
export function createGroups(state: TerminalState, nextKey: () => string) {
  const front = (): Group | undefined => groupInFront(state);
  const groupOf = (key: string): Group | undefined => {
    const tab = state.tabs.find(one => one.key === key);
    return state.groups.find(group => group.key === tab?.group);
  };
  const own = (key: string, group: Group): void => {
    const tab = state.tabs.find(one => one.key === key);
    if (tab !== undefined) tab.group = group.key;
  };

  /** A tab of its own for a terminal, at the end of the bar or behind the tab in front. */
  function alone(key: string, at = state.groups.length, name = ''): void {
    const group: Group = { key: nextKey(), name, layout: key, current: key, zoomed: '' };
    state.groups.splice(at, 0, group);
    own(key, group);
  }

  /** Takes a terminal out of its tab, which goes with its last one. Answers the terminal that is in front of that tab now, or where the tab was. */
  function leave(key: string): { readonly next: string | undefined; readonly at: number } {
    const group = groupOf(key);
    if (group === undefined) return { next: undefined, at: state.groups.length };
    const at = state.groups.indexOf(group);
    const beside = sides.map(side => neighbour(group.layout, key, side)).find(one => one !== undefined);
    const rest = without(group.layout, key);
    if (rest === null) {
      state.groups.splice(at, 1);
      return { next: undefined, at };
    }
    const next = beside ?? keysIn(rest)[0] ?? '';
    group.layout = rest;
    if (group.zoomed === key) group.zoomed = '';
    if (group.current === key) group.current = next;
    return { next: group.current, at };
  }

  return {
    front,
    groupOf,
    /** Whether a tab takes another terminal; the one in front where none is named. */
    hasRoom: (group = front()): boolean => keysIn(group?.layout ?? '').length < SPLITS_MOST,
    alone,
    leave,
    /** Puts a terminal beside another one. */
    beside(key: string, other: string, direction: Direction, share?: number): void {
      const group = groupOf(other);
      if (group === undefined) {
        alone(key);
        return;
      }
      group.layout = splitAt(group.layout, other, key, direction, share);
      own(key, group);
    },
    /** A terminal came to the front: its tab shows it. */
    shown(key: string): void {
      const group = groupOf(key);
      if (group === undefined) return;
      group.current = key;
      if (group.zoomed !== key) group.zoomed = '';
    },
    neighbour: (to: Side): string | undefined => {
      const group = front();
      return group && neighbour(group.layout, state.current, to);
    },
    resize(to: Side): void {
      const group = front();
      if (group !== undefined) group.layout = resized(group.layout, state.current, to, RESIZE_STEP);
    },
    /** Swaps the terminal in front with the next one of its tab, round the end. */
    swap(): void {
      const group = front();
      if (group === undefined) return;
      const keys = keysIn(group.layout);
      const next = keys[(keys.indexOf(state.current) + 1) % keys.length];
      if (next !== undefined) group.layout = swapped(group.layout, state.current, next);
    },
    /** Moves a tab along the bar; beyond its ends nothing happens. */
    move(key: string, index: number): void {
      const from = state.groups.findIndex(group => group.key === key);
      const [moved] = index < 0 || index >= state.groups.length || from < 0 ? [] : state.groups.splice(from, 1);
      if (moved !== undefined) state.groups.splice(index, 0, moved);
    },
  };
}
export type Groups = ReturnType<typeof createGroups>;
