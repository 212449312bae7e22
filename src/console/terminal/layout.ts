// How the terminals of one tab share its room: a tree of halves, as pure values. Shares and boxes are parts of one, from the upper left.

import type { Side } from '../../features/thing.ts';

/** Where a new half goes: beside, or below. */
export type Direction = 'right' | 'down';

/** The key of a terminal, or two halves. `share`: how much of the room the first has. */
export type Layout = string | Halves;
interface Halves {
  readonly direction: Direction;
  readonly share: number;
  readonly first: Layout;
  readonly second: Layout;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The border between two halves. `path`: the way to them from the root, `1` and `2` for first and second. */
export interface Border {
  readonly path: string;
  readonly direction: Direction;
  readonly share: number;
  /** The room of both halves. */
  readonly box: Box;
}

/** Least part that a half keeps: some ten columns of a narrow window. */
const SHARE_LEAST = 0.1;
/** Terminals in one tab at most: more cannot be read on any screen. */
export const SPLITS_MOST = 16;
const WHOLE: Box = { left: 0, top: 0, width: 1, height: 1 };

const bounded = (share: number): number => Math.min(1 - SHARE_LEAST, Math.max(SHARE_LEAST, share));

/** Keys of its terminals, from the upper left on. */
export const keysIn = (layout: Layout): readonly string[] =>
  typeof layout === 'string' ? [layout] : [...keysIn(layout.first), ...keysIn(layout.second)];

/** With each terminal's index in place of its key, for keeping. */
export const indexed = (layout: Layout, index: (key: string) => number): unknown =>
  typeof layout === 'string'
    ? index(layout)
    : { ...layout, first: indexed(layout.first, index), second: indexed(layout.second, index) };

/** The same with other keys, or with other halves in their places. */
const mapped = (layout: Layout, change: (key: string) => Layout): Layout =>
  typeof layout === 'string'
    ? change(layout)
    : { ...layout, first: mapped(layout.first, change), second: mapped(layout.second, change) };

/** Halves the room of one terminal for another. */
export const splitAt = (layout: Layout, at: string, key: string, direction: Direction, share = 0.5): Layout =>
  mapped(layout, one => (one === at ? { direction, share: bounded(share), first: at, second: key } : one));

/** Two terminals in each other's place. */
export const swapped = (layout: Layout, one: string, other: string): Layout =>
  mapped(layout, key => (key === one ? other : key === other ? one : key));

/** Without one terminal, whose room its other half gets; null when it was the last. */
export function without(layout: Layout, key: string): Layout | null {
  if (typeof layout === 'string') return layout === key ? null : layout;
  const first = without(layout.first, key);
  const second = without(layout.second, key);
  return first === null || second === null ? (first ?? second) : { ...layout, first, second };
}

const halfOf = ({ direction, share }: Halves, box: Box, isFirst: boolean): Box =>
  direction === 'right'
    ? isFirst
      ? { ...box, width: box.width * share }
      : { ...box, left: box.left + box.width * share, width: box.width * (1 - share) }
    : isFirst
      ? { ...box, height: box.height * share }
      : { ...box, top: box.top + box.height * share, height: box.height * (1 - share) };

/** The room of each terminal. */
export function boxesOf(layout: Layout, box = WHOLE): ReadonlyMap<string, Box> {
  if (typeof layout === 'string') return new Map([[layout, box]]);
  return new Map([
    ...boxesOf(layout.first, halfOf(layout, box, true)),
    ...boxesOf(layout.second, halfOf(layout, box, false)),
  ]);
}

/** Every border, the outermost first. */
export function bordersOf(layout: Layout, box = WHOLE, path = ''): readonly Border[] {
  if (typeof layout === 'string') return [];
  const { direction, share } = layout;
  return [
    { path, direction, share, box },
    ...bordersOf(layout.first, halfOf(layout, box, true), `${path}1`),
    ...bordersOf(layout.second, halfOf(layout, box, false), `${path}2`),
  ];
}

/** With one border elsewhere; each half keeps some room. */
export function withShare(layout: Layout, path: string, share: number): Layout {
  if (typeof layout === 'string') return layout;
  if (path === '') return { ...layout, share: bounded(share) };
  const half = path.startsWith('1') ? 'first' : 'second';
  return { ...layout, [half]: withShare(layout[half], path.slice(1), share) };
}

/** Moves the nearest border around a terminal that can move that way, by a part of the whole room. */
export function resized(layout: Layout, key: string, to: Side, by: number): Layout {
  const direction: Direction = to === 'left' || to === 'right' ? 'right' : 'down';
  const around = bordersOf(layout).filter(
    ({ path, direction: one }) => one === direction && keysIn(at(layout, path)).includes(key),
  );
  const border = around.at(-1);
  if (border === undefined) return layout;
  const room = direction === 'right' ? border.box.width : border.box.height;
  return withShare(layout, border.path, border.share + ((to === 'left' || to === 'up' ? -1 : 1) * by) / room);
}

const at = (layout: Layout, path: string): Layout =>
  typeof layout === 'string' || path === ''
    ? layout
    : at(path.startsWith('1') ? layout.first : layout.second, path.slice(1));

/** The terminal beside another one, the one that shares most of its edge; undefined at the edge of the tab. */
export function neighbour(layout: Layout, key: string, to: Side): string | undefined {
  const boxes = boxesOf(layout);
  const own = boxes.get(key);
  if (own === undefined) return undefined;
  const isAcross = to === 'left' || to === 'right';
  const edges = ({ left, top, width, height }: Box) =>
    isAcross
      ? { near: left, far: left + width, from: top, to: top + height }
      : { near: top, far: top + height, from: left, to: left + width };
  const mine = edges(own);
  const isForward = to === 'right' || to === 'down';
  const touching = [...boxes].flatMap(([other, box]) => {
    const theirs = edges(box);
    const gap = isForward ? theirs.near - mine.far : mine.near - theirs.far;
    const shared = Math.min(mine.to, theirs.to) - Math.max(mine.from, theirs.from);
    return Math.abs(gap) < 1e-6 && shared > 1e-6 ? [{ other, shared }] : [];
  });
  return touching.toSorted((one, other) => other.shared - one.shared)[0]?.other;
}

/** Reads a saved layout; undefined for what is none, names a terminal that is not known, or names one twice. */
export function readLayout(value: unknown, known: (leaf: unknown) => string | undefined): Layout | undefined {
  const seen = new Set<string>();
  const read = (part: unknown): Layout | undefined => {
    if (typeof part !== 'object' || part === null) {
      const key = known(part);
      if (key === undefined || seen.has(key) || seen.size >= SPLITS_MOST) return undefined;
      seen.add(key);
      return key;
    }
    const { direction, share, first, second } = part as Record<string, unknown>;
    if ((direction !== 'right' && direction !== 'down') || typeof share !== 'number') return undefined;
    const one = read(first);
    const other = read(second);
    // What is left of a pair stands where both stood.
    return one === undefined || other === undefined
      ? (one ?? other)
      : { direction, share: bounded(share), first: one, second: other };
  };
  return read(value);
}
