// Saves open tabs and the pane's shape for a reload. What is read back is checked: another version may have written it.
import type { Mode } from '../../contract/live-sessions.ts';
import { modeIn } from '../../features/join-modes.ts';
import { indexed } from './layout.ts';
import type { TextStorage } from './ports.ts';
import { tabsKey } from './storage.ts';
import { addressOf, type Tab } from './tab.ts';
import type { Group } from './terminals.ts';

const HEIGHT_KEY = 'postern:pane_height';
const FONT_KEY = 'postern:terminal_font';
const SCREEN_READER_KEY = 'postern:terminal_screen_reader';
/** Longest name of a tab, characters. */
const NAME_CHARACTERS = 64;
/** More tabs than a person opens; keeps a broken entry from filling the page. */
const TABS_MOST = 100;

interface SavedTab {
  readonly clusterId: string;
  readonly sid: string;
  readonly serverId: string;
  readonly login: string;
  readonly title: string;
  readonly mode: Mode;
  readonly cols: number;
  readonly rows: number;
  /** Another window has it. */
  readonly status?: 'away';
}
/** A tab of the bar; its terminals by their index among those that are saved. */
interface SavedGroup {
  readonly name: string;
  /** As layout.ts reads it, with indexes for keys. */
  readonly layout: unknown;
  readonly current: number;
  readonly zoomed: number;
}
export interface SavedTabs {
  readonly tabs: readonly SavedTab[];
  readonly groups: readonly SavedGroup[];
  /** Index of the tab in front. */
  readonly current: number;
  readonly paneOpen: boolean;
  /** Whether the terminal in front had the keys when the page was left. */
  readonly hasKeys: boolean;
  /** Name of the user whose they are; '' when it was not saved. */
  readonly owner: string;
}

const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;
const isSize = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 4095;

function readTab(value: unknown): SavedTab | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { clusterId, sid, serverId, login, title, mode, cols, rows, status } = value as Record<string, unknown>;
  if (!isText(sid, 64) || !isText(clusterId, 255) || !isText(serverId, 300)) return undefined;
  if (addressOf({ sid, clusterId, serverId, login: '' }) === undefined) return undefined;
  const known = modeIn(String(mode));
  if (!isText(login, 255) || !isText(title, 600) || known === undefined) return undefined;
  if (!isSize(cols) || !isSize(rows)) return undefined;
  return { clusterId, sid, serverId, login, title, mode: known, cols, rows, ...(status === 'away' && { status }) };
}

function readGroup(value: unknown): SavedGroup | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, layout, current, zoomed } = value as Record<string, unknown>;
  const index = (one: unknown): number => (Number.isInteger(one) ? (one as number) : -1);
  return isText(name, NAME_CHARACTERS) ? { name, layout, current: index(current), zoomed: index(zoomed) } : undefined;
}

/** Reads the saved tabs; anything that is not ours is left out. */
export function readTabs(storage: TextStorage): SavedTabs {
  const none: SavedTabs = { tabs: [], groups: [], current: 0, paneOpen: false, hasKeys: false, owner: '' };
  const text = storage.getItem(tabsKey());
  if (text === null) return none;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return none; // not ours, or cut short: the next save replaces it
  }
  if (typeof value !== 'object' || value === null || !Array.isArray((value as { tabs?: unknown }).tabs)) return none;
  const { tabs, groups, current, paneOpen, hasKeys, owner } = value as {
    tabs: unknown[];
    groups?: unknown;
    current?: unknown;
    paneOpen?: unknown;
    hasKeys?: unknown;
    owner?: unknown;
  };
  const every = tabs.slice(0, TABS_MOST).map(readTab);
  const read = every.filter(tab => tab !== undefined);
  // One that cannot be read leaves the order of the others: then each has a tab of its own.
  const areWhole = every.length === read.length && Array.isArray(groups);
  return {
    tabs: read,
    groups: areWhole
      ? groups
          .slice(0, TABS_MOST)
          .map(readGroup)
          .filter(group => group !== undefined)
      : [],
    current: typeof current === 'number' && read[current] ? current : 0,
    paneOpen: paneOpen === true && read.length > 0,
    hasKeys: hasKeys === true && read.length > 0,
    owner: isText(owner, 255) ? owner : '',
  };
}

/** Saves the desktops, and the tabs whose session has a name. A full storage loses the reload, never the session. */
export function saveTabs(
  storage: TextStorage,
  given: {
    readonly tabs: readonly Readonly<Tab>[];
    readonly groups: readonly Readonly<Group>[];
    readonly currentKey: string;
    readonly paneOpen: boolean;
    readonly hasKeys: boolean;
    readonly owner: string;
  },
): void {
  const { tabs, groups, currentKey, paneOpen, hasKeys, owner } = given;
  const named = tabs.filter(tab => addressOf(tab) !== undefined && tab.status !== 'refused');
  if (named.length === 0) {
    storage.removeItem(tabsKey());
    return;
  }
  const index = (key: string): number => named.findIndex(tab => tab.key === key);
  const saved: SavedTabs = {
    groups: groups.map(({ name, layout, current, zoomed }) => ({
      name,
      layout: indexed(layout, index),
      current: index(current),
      zoomed: index(zoomed),
    })),
    tabs: named.map(({ clusterId, sid, serverId, login, title, mode, cols, rows, status }) => ({
      clusterId,
      sid,
      serverId,
      login,
      title,
      mode,
      cols,
      rows,
      ...(status === 'away' && { status }),
    })),
    current: Math.max(0, index(currentKey)),
    paneOpen,
    hasKeys,
    owner,
  };
  try {
    storage.setItem(tabsKey(), JSON.stringify(saved));
  } catch {
    storage.removeItem(tabsKey()); // the quota is used up: better no tabs than old ones
  }
}

function readNumber(storage: TextStorage, key: string, least: number, most: number, otherwise: number): number {
  const value = Number(storage.getItem(key) ?? Number.NaN);
  return Number.isFinite(value) && value >= least && value <= most ? value : otherwise;
}

/** Least and most height of the docked pane, CSS pixels; 320 shows some 16 lines. */
export const PANE_HEIGHT = { least: 120, most: 2000, first: 320 } as const;
export const readHeight = (storage: TextStorage): number =>
  readNumber(storage, HEIGHT_KEY, PANE_HEIGHT.least, PANE_HEIGHT.most, PANE_HEIGHT.first);

/** Font size, CSS pixels between which a person chooses; it begins with 12 on macOS, else 14. */
export const FONT_SIZE = { least: 8, most: 32 } as const;
export const readFont = (storage: TextStorage, first: number): number =>
  readNumber(storage, FONT_KEY, FONT_SIZE.least, FONT_SIZE.most, first);

/** Whether terminals are read out by screen readers. */
export const readScreenReader = (storage: TextStorage): boolean =>
  readNumber(storage, SCREEN_READER_KEY, 0, 1, 0) === 1;

/** Saves a number; a full storage only means that it is asked for again next time. */
export function saveNumber(storage: TextStorage, what: 'height' | 'font' | 'screen_reader', value: number): void {
  const key = { height: HEIGHT_KEY, font: FONT_KEY, screen_reader: SCREEN_READER_KEY }[what];
  try {
    storage.setItem(key, String(Math.round(value)));
  } catch {
    storage.removeItem(key);
  }
}
