// What the page's terminals are to everything around them: their state, and what can be done with them.
import type { TerminalTools } from '../../../commands/command.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import type { Place } from './files/place.ts';
import type { TerminalHandle, TerminalPorts } from './ports.ts';
import type { Tab } from './tab.ts';

/** The field of the find bar. */
export const FIND_FIELD = 'find-in-terminal';

export interface TerminalState {
  tabs: Tab[];
  /** Key of the tab in front, '' when there is none. */
  current: string;
  paneOpen: boolean;
  /** The terminals fill the page: a console route is shown. */
  full: boolean;
  height: number;
  fontSize: number;
  /** The terminals have all the room there is: no sidebar, no top bar, no page beside them. */
  maximised: boolean;
  /** The find bar is open. */
  isFinding: boolean;
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
}

export interface Terminals extends TerminalTools {
  readonly state: TerminalState;
  readonly ports: TerminalPorts;
  /** The tab in front. */
  current(): Tab | undefined;
  /** Closes one tab; asks first when its session is not as young as a slip of the finger. */
  close(key: string): Promise<void>;
  /** Brings one to the front. */
  select(key: string): void;
  /** What a console address means: opens or joins unless that tab is there already. */
  arrive(
    at: { readonly serverId: string; readonly login: string } | { readonly sid: string; readonly mode?: Mode } | null,
  ): void;
  /** The panel of file transfers goes, and the terminal has the keys. */
  endTransfer(): void;
  /** A console route is shown, or was left. */
  setFull(full: boolean): void;
  setHeight(pixels: number): void;
  /** The room that a maximised terminal took is given back. */
  restoreSize(): void;
  /** Says who is signed in: what a reload left behind of somebody else's is forgotten before any of it is shown. */
  belongTo(user: string): void;
  /** The web session is over: every session is left, and nothing is saved for the next person. */
  forget(): void;
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
