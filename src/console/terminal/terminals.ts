// What the page's terminals are to everything around them: their state, and what can be done with them.
import { proxy } from 'valtio/vanilla';
import type { TerminalTools } from '../../../commands/command.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import type { Place } from './files/place.ts';
import type { Border, Layout } from './layout.ts';
import type { TerminalHandle, TerminalPorts } from './ports.ts';
import type { Tab } from './tab.ts';

/** The field of the find bar. */
export const FIND_FIELD = 'find-in-terminal';

/** A tab of the bar: one terminal, or several that share its room. */
export interface Group {
  readonly key: string;
  /** What the person calls it; '' = it is called as its terminal. */
  name: string;
  layout: Layout;
  /** Key of its terminal that has or last had the keys. */
  current: string;
  /** Key of the terminal that has all of the tab's room; '' = none. */
  zoomed: string;
}

export interface TerminalState {
  /** Every terminal, whichever tab it is in. */
  tabs: Tab[];
  /** The tabs of the bar, in their order. */
  groups: Group[];
  /** Key of the terminal in front, '' when there is none. */
  current: string;
  paneOpen: boolean;
  /** The terminals fill the page: a console route is shown. */
  full: boolean;
  height: number;
  fontSize: number;
  /** The terminals have all the room there is: no sidebar, no top bar, no page beside them. */
  maximised: boolean;
  /** In full screen also the keys that browsers otherwise keep go to the shell. */
  hasEveryKey: boolean;
  /** The find bar is open. */
  isSearching: boolean;
  /** The output is shown as text; counts how often that was asked for, 0 = it is not. */
  reading: number;
  screenReader: boolean;
  /** The panel of file transfers: which of both, and of which server; null = it is closed. */
  transfer: { readonly kind: 'download' | 'upload'; readonly place: Place } | null;
  /** Matches of the search in front: which of how many; -1 = none. */
  found: { index: number; count: number };
  /** Ctrl and Alt of the phone's key row. */
  modifiers: { ctrl: boolean; alt: boolean };
  /** Address of the link under the pointer. */
  link: string | null;
  /** Keys of the terminals that are typed into at once; empty: one at a time. */
  broadcast: readonly string[];
}

/** No terminal, and nothing chosen: what holds until the terminals are loaded. */
export const emptyState = (): TerminalState =>
  proxy<TerminalState>({
    tabs: [],
    groups: [],
    current: '',
    paneOpen: false,
    full: false,
    height: 0,
    fontSize: 0,
    maximised: false,
    hasEveryKey: false,
    isSearching: false,
    reading: 0,
    transfer: null,
    screenReader: false,
    found: { index: -1, count: 0 },
    modifiers: { ctrl: false, alt: false },
    link: null,
    broadcast: [],
  });

/** The terminal in front. */
export const frontOf = <One extends { readonly key: string }>(state: {
  readonly tabs: readonly One[];
  readonly current: string;
}): One | undefined => state.tabs.find(({ key }) => key === state.current);
/** The tab that is in front. */
export const groupInFront = <One extends { readonly key: string }>(state: {
  readonly tabs: readonly Readonly<Tab>[];
  readonly groups: readonly One[];
  readonly current: string;
}): One | undefined => state.groups.find(({ key }) => key === frontOf(state)?.group);

/** A tab of the bar as it is shown: by the terminal that has or last had the keys in it. */
export interface ShownGroup {
  readonly key: string;
  readonly title: string;
  readonly tab: Readonly<Tab>;
  /** Terminals in it. */
  readonly count: number;
}
/** The tabs of the bar, in their order. */
export const shownIn = (state: {
  readonly tabs: readonly Readonly<Tab>[];
  readonly groups: readonly Readonly<Group>[];
}): readonly ShownGroup[] =>
  state.groups.flatMap(({ key, name, current }) => {
    const tab = state.tabs.find(one => one.key === current);
    const count = state.tabs.filter(({ group }) => group === key).length;
    return tab === undefined ? [] : [{ key, title: name || tab.title, tab, count }];
  });

/** The terminals as a page has them from its beginning. */
export interface PageTerminals extends FrameTerminals {
  /** Fetches what is behind them. Rejects when it cannot be had; the next call tries again. */
  load(): Promise<unknown>;
  /** Everything behind them, once it is here. There is no terminal before. */
  loaded(): Terminals | undefined;
  /** Whether there are some, or some are coming back. */
  begun(): boolean;
}

/** What the frame around the pages needs of the terminals. */
export interface FrameTerminals extends TerminalTools {
  readonly state: TerminalState;
  /** What a console address means: opens or joins unless that tab is there already. */
  arrive(
    at: { readonly serverId: string; readonly login: string } | { readonly sid: string; readonly mode?: Mode } | null,
  ): void;
  /** A console route is shown, or was left. */
  setFull(full: boolean): void;
  /** The room that a maximised terminal took is given back. */
  restoreSize(): void;
  /** Says who is signed in: what a reload left behind of somebody else's is forgotten before any of it is shown. */
  belongTo(user: string): void;
  /** The web session is over: every session is left, and nothing is saved for the next person. */
  forget(): void;
}

/** What shows a tab that is a desktop. */
export interface DesktopTabProps {
  readonly terminals: Terminals;
  readonly tab: Pick<Tab, 'key' | 'clusterId' | 'serverId' | 'login' | 'title'>;
  readonly isShown: boolean;
  /** It is shown, and the one in front. */
  readonly isFront: boolean;
}

export interface Terminals extends FrameTerminals {
  readonly ports: TerminalPorts;
  /** Closes one terminal; asks first when its session is not as young as a slip of the finger. */
  close(key: string): Promise<void>;
  /** Brings one to the front. */
  select(key: string): void;
  /** Brings a tab of the bar to the front. */
  selectGroup(key: string): void;
  /** Shows the window that the terminal of a session is in, or asks for it back. */
  showWindow(sid: string): void;
  bringBack(sid: string): void;
  /** For the loaded half: a terminal is in its session. */
  attached(sid: string): void;
  /** A terminal has the focus: it is in front. */
  hasFocus(key: string): void;
  /** Another terminal's place in the bar: before the tab that stands there now. */
  moveGroup(key: string, index: number): void;
  /** Moves a border between two terminals of the tab in front. `share`: the first one's part of both. */
  moveBorder(border: Pick<Border, 'path'>, share: number): void;
  /** The panel of file transfers goes, and the terminal has the keys. */
  endTransfer(): void;
  setHeight(pixels: number): void;
  /** For the loaded half: takes charge of a tab. */
  register(key: string, handle: TerminalHandle): void;
  handle(key: string): TerminalHandle | undefined;
  /** For the loaded half: whether a tab's terminal was asked for and has not got the focus yet. */
  awaitsKeys(key: string): boolean;
  /** For the loaded half: a terminal has the focus now; answers what was typed while it was on its way, unless another one is awaited. */
  takeTypeahead(key: string): string;
  /** For the loaded half: a program in a tab's session writes the clipboard. */
  programCopied(key: string, text: string): void;
  /** For the loaded half: the shell of a tab is over. */
  ended(key: string, why: string): void;
}
