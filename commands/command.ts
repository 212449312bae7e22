// The row that a verb is: palette, keys, menus, buttons and the help sheet all read the same one.
import type { Call, MakeCall } from '../src/contract/call.ts';
import type { WebConfig } from '../src/contract/config.ts';
import type { Mode } from '../src/contract/live-sessions.ts';
import type { UserContext } from '../src/contract/session.ts';
import type { SessionControl, SessionState } from '../src/contract/terminal.ts';
import type { WorkspaceTab } from '../src/contract/workspaces.ts';
import type { IconName } from '../src/features/feature.ts';
import type { ManualLinkId } from '../src/features/manual.ts';
import type { FeatureId } from '../src/features/table.ts';
import type { Column, NounId, Side, Thing } from '../src/features/thing.ts';

export type { Thing } from '../src/features/thing.ts';

/** What hears a key: the page, a field that is being typed in, or a terminal. */
export type Focus = 'page' | 'typing' | 'terminal';

/** Everything a command may look at. Read-only; computed by the console (or by the command line) before each use. */
export interface Facts {
  readonly who: UserContext | null;
  readonly config: WebConfig;
  /** The cluster of the current page, else the gateway's own. */
  readonly clusterId: string;
  readonly feature: FeatureId | null;
  readonly focus: Focus;
  /** The terminal that has or last had the keys. */
  readonly terminal: {
    readonly sid: string;
    readonly title: string;
    readonly serverId: string;
    readonly login: string;
    readonly connected: boolean;
    readonly hasSelection: boolean;
  } | null;
  /** Who is in the session of that terminal, and how it stands; null while it is not connected. */
  readonly company: {
    /** How this person takes part. */
    readonly mode: Mode;
    /** Their name in the session, and which of its parties they are. */
    readonly user: string;
    readonly party: string;
    readonly isOwner: boolean;
    readonly parties: readonly { readonly id: string; readonly user: string; readonly mode: Mode }[];
    readonly state: SessionState['state'];
    /** Who has taken the keys; '' = nobody. */
    readonly writer: string;
  } | null;
  /** Tabs with terminals in them. */
  readonly terminalCount: number;
  /** These tabs in their order, as they are called. */
  readonly terminalTabs: readonly {
    readonly key: string;
    readonly title: string;
    /** Terminals in it. */
    readonly count: number;
    readonly isFront: boolean;
  }[];
  /** Terminals whose session runs and would end, or wait, without this page. */
  readonly liveTerminals: number;
  readonly paneOpen: boolean;
  /** Rows marked in the list on screen, or the one under the cursor. */
  readonly selection: readonly Thing[];
  readonly theme: 'light' | 'dark';
  /** The command line has no page, no terminal and no clipboard. */
  readonly surface: 'console' | 'shell';
}

/** What the terminal in front does, once its part of the console is loaded. */
export type TerminalAct =
  | 'askPaste'
  | 'broadcast'
  | 'previousPrompt'
  | 'nextPrompt'
  | 'copyOutput'
  | 'selectOutput'
  | 'copyCommand'
  | 'roundTrips';

/** How the terminals of a tab and the tabs of the bar are put. */
export type Arrangement =
  /** Another shell of the terminal in front, beside or below it. */
  | { readonly kind: 'split'; readonly direction: 'right' | 'down' }
  /** The keys to the terminal on that side; the nearest border that way. */
  | { readonly kind: 'focus' | 'resize'; readonly to: Side }
  /** The terminal in front: in the place of the next one, with all the room of its tab or no longer, in a tab of its own. */
  | { readonly kind: 'swap' | 'zoom' | 'toTab' }
  /** Into a window of its own; from there back to where it came from. */
  | { readonly kind: 'window' }
  | { readonly kind: 'toSplit'; readonly tab: string; readonly direction: 'right' | 'down' }
  /** The tab in front, along the bar; and what it is called, '' = as its terminal. */
  | { readonly kind: 'moveTab'; readonly by: 1 | -1 }
  | { readonly kind: 'rename'; readonly name: string };

/** What happens to the terminal pane; implemented by console/terminal. */
export interface TerminalTools {
  /** Puts a snippet into the terminal in front, once its blanks are filled and the paste guard has agreed. */
  insert(snippet: {
    readonly name: string;
    readonly text: string;
    readonly enters: boolean;
    /** It has no blanks: what looks like one is part of it. */
    readonly asIs?: true;
  }): void;
  /** Nothing happens where no terminal is open. */
  act(what: TerminalAct): void;
  /** Opens a shell. Settles when it is known whether it has connected; the terminal itself says why one has not. */
  open(target: {
    readonly serverId: string;
    readonly hostname: string;
    readonly login: string;
    /** Beside or below the terminal in front, in its tab; absent: in a tab of its own. */
    readonly beside?: 'right' | 'down';
  }): Promise<boolean>;
  join(session: { readonly sid: string; readonly title: string; readonly mode: Mode }): void;
  closeCurrent(): void;
  /** 1-based; beyond the last one: nothing happens. */
  show(index: number): void;
  step(by: 1 | -1): void;
  /** Splits the tab in front, moves about in it, or moves it. */
  arrange(how: Arrangement): void;
  /** The tabs that could be opened again, and opens such tabs beside those that are there. */
  savedTabs(): WorkspaceTab[];
  openTabs(tabs: readonly WorkspaceTab[]): void;
  /** The colours of terminals, '' = the console's own, and their font, '' = the console's own; what is left out stays. */
  dress(how: { readonly colours?: string; readonly font?: string }): void;
  /** Full screen, with every key for the shell where the browser allows it; or back. */
  fullScreen(): void;
  togglePane(): void;
  /** Gives the terminal in front all the room there is, or takes it back. */
  toggleMaximised(): void;
  /** Whether programs on the server of the terminal in front may write the clipboard; what one has asked for is done or dropped. */
  allowClipboard(isAllowed: boolean): void;
  find(): void;
  /** Shows the output as text that is walked line by line, as screen readers need it. */
  read(): void;
  copy(): void;
  paste(): void;
  clear(): void;
  reconnect(): void;
  focus(): void;
  /** Takes, returns or hands over the keys of the session in front, pauses it, lets it go on or ends it. */
  control(asked: SessionControl): void;
  /** Puts a link into the clipboard by which others join the session in front, if they may. */
  invite(mode: Mode): void;
  /** Opens the panel that copies files from or to the server of the terminal in front. */
  transfer(kind: 'download' | 'upload'): void;
  /** Puts the address of the session in front into the clipboard. */
  copyLink(): void;
  /** Output is read out by screen readers, or no longer. */
  toggleScreenReader(): void;
  fontSize(by: 1 | -1 | 0): void;
}

/** What a list on screen does beside moving: sorting, paging, and what its tools offer. */
export type ListAct =
  | 'add'
  | 'sort'
  | 'reverse'
  | 'nextPage'
  | 'previousPage'
  | 'pin'
  | 'copy'
  | 'columns'
  | 'views'
  | 'clear'
  | 'advanced'
  | 'live'
  | 'types'
  | 'facets'
  | 'unfold'
  | 'lastScreen'
  | 'exportCsv'
  | 'exportNdjson'
  | FileAct;

/** What is done with files in the pane that has the keys. */
export type FileAct = 'view' | 'edit' | 'copyOver' | 'move' | 'makeFolder' | 'remove' | 'parent';

/** What the desktop on screen does. */
export type DesktopAct =
  | 'clipboard'
  | 'fullScreen'
  | 'fit'
  | 'quality'
  | 'warnings'
  | 'reconnect'
  | 'disconnect'
  /** Keys by the names that are printed on them. */
  | `press ${string}`;

/** What the player on screen does. */
export type PlayerAct =
  | 'toggle'
  | 'back'
  | 'on'
  | 'start'
  | 'end'
  | 'slower'
  | 'faster'
  | 'skipIdle'
  | 'search'
  | 'commands'
  | 'next'
  | 'previous'
  | 'copyLink'
  | 'export'
  | 'exportText'
  | 'exportHtml'
  | 'exportCsv'
  | 'exportJson'
  | 'exportVideo'
  | 'frameBack'
  | 'frameOn'
  | 'previousMark'
  | 'nextMark'
  | 'scrollUp'
  | 'scrollDown'
  | `at${Tenth}`;

/** Tenths of a recording, as its keys count them. */
export type Tenth = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

/** What the assistant does: its panel comes or goes; it explains what is selected; it makes of words a command, or a search. */
export type AssistAct =
  | { readonly kind: 'toggle' }
  | { readonly kind: 'explain' }
  | { readonly kind: 'command' | 'query'; readonly words: string };

/** The few ports a command may touch. */
export interface Tools {
  /** Goes to a feature's page; `query` becomes the URL's query. */
  go(feature: FeatureId, params?: Readonly<Record<string, string>>, query?: Readonly<Record<string, string>>): void;
  /** Makes a call of the contract as the signed-in person. Throws ApiError. */
  readonly call: MakeCall;
  readonly terminal: TerminalTools;
  /** Says what just happened, for a few seconds and to screen readers. */
  notify(text: string): void;
  /** Asks before something that cannot be undone. */
  confirm(question: {
    readonly title: string;
    readonly text: string;
    readonly action: string;
    /** Where the manual says more, for whoever hesitates. */
    readonly manual?: ManualLinkId;
  }): Promise<boolean>;
  /**
   * Shows a one-time link that is not shown again: its first action copies it, and leaving without having copied asks. Ends when it has been
   * put away. `text`: for whom it is, and for how long it works.
   */
  handOver(link: { readonly title: string; readonly text: string; readonly link: string }): Promise<void>;
  copyText(text: string): Promise<void>;
  /** The absolute address of a path of the console; of the page on screen without one. */
  link?(path?: string): string;
  /** Opens a path of the console beside the page on screen; absent where there is no browser. */
  openTab?(path: string): void;
  openPalette(typed?: string): void;
  openHelp(): void;
  /** The next keys are the page's, also over a terminal; absent where there is no keyboard. */
  lead?(): void;
  setTheme(theme: 'light' | 'dark'): void;
  /** Ends the web session. `ending`: also the sessions in its terminals, which otherwise wait for their owner to come back. */
  signOut(ending: boolean): void;
  /** Absent where there is no console. Rejects with a sentence. */
  readonly assist?: (act: AssistAct) => Promise<void>;
  /** The player on screen; absent where there is none. */
  readonly player?: (act: PlayerAct) => void;
  /** The desktop on screen; absent where there is none. */
  readonly desktop?: (act: DesktopAct) => void;
  /** Changes the query of the page's address; undefined takes a part out. */
  readonly setQuery?: (changes: Readonly<Record<string, string | undefined>>) => void;
  /** The list on screen: move, filter, mark. */
  readonly list: {
    move(by: number | 'first' | 'last'): void;
    filter(): void;
    mark(): void;
    menu(): void;
    open(): void;
    /** What a list does beside moving; absent where there is no page. */
    act?(what: ListAct): void;
    /** Asks the gateway for the rows again. */
    reload?(): void;
  };
  /** What stands around the pages; absent where there is no frame. */
  readonly frame?: {
    open(what: 'notifications' | 'user' | 'clusters'): void;
    /** The first banner that is shown, for as long as its own button would. False when there is none. */
    dismissBanner(): boolean;
    /** All that stands under the bell, on all devices. */
    readNotifications(): void;
    /** What was just said, as if it had been read. */
    dismissNotices(): void;
  };
  /** Forgets a saved view of a list; absent where there are none. */
  deleteView?(list: FeatureId, title: string): void;
  /** The key by which what the person sits at is a trusted device of theirs. Throws ApiError, Error. */
  readonly ownDevice?: {
    enroll(user: string, token: string): Promise<{ readonly asset_tag: string }>;
    forget(user: string): Promise<void>;
  };
  /** Reads anew who is signed in and what they may do; absent where that is read at every command. */
  reloadUser?(): Promise<void>;
  /** The same page of another cluster; that cluster's servers, where the page on screen belongs to none. */
  switchCluster(clusterId: string): void;
  /** The other category of the sidebar. */
  switchCategory(): void;
  /** Shows a list where no page does: a table or JSON on the command line. The console has pages instead. */
  show?<Item>(items: readonly Item[], columns: readonly Column<Item>[]): void;
  /** Makes a call whose answer is a file, and writes it to standard output or the file that was named; a browser downloads it. Throws ApiError. */
  save?(
    call: Call,
    given: { readonly params?: Readonly<Record<string, string>> },
    /** Name of the file that a browser makes. */
    name?: string,
  ): Promise<void>;
}

/** A value of an argument step: what is passed on, and what is shown. */
export interface Choice {
  readonly value: string;
  readonly title: string;
  readonly detail?: string;
  readonly thing?: Thing;
  /** Greyed, with the reason. */
  readonly refused?: string;
}

/** One thing a command asks for. */
export interface Argument {
  readonly name: string;
  /** What the palette's field says while it asks. */
  readonly title: string;
  /** Kind of thing that a selection or a page can answer without asking. */
  readonly takes?: NounId;
  /** Any text is an answer, beside the choices. The function says what is wrong with it, or undefined. */
  readonly free?: (typed: string) => string | undefined;
  readonly optional?: boolean;
  /**
   * Text of several lines answers it as it is: pasted, or from the file that is named on the command line. What stands for it where answers
   * are shown; it may hold a secret, and is remembered nowhere.
   */
  readonly pasted?: (text: string) => string;
  /** The choices do not hang on what is typed: they are asked for once and narrowed where they are shown. */
  readonly once?: true;
  /** Answered without asking when there is exactly one choice, as with the only login a person may use. */
  readonly sole?: true;
  /** The answer is a set of names, separated by commas. These are held now: the question begins with them, and shows what it changes. */
  readonly held?: (given: Given, tools: Pick<Tools, 'call'>) => Promise<readonly string[]>;
  /** Not part of a typed line, and not asked for when that has answered everything that must be. */
  readonly aside?: true;
  /** Choices for what was typed so far, best first, at most 50. May ask the gateway. */
  readonly choices: (
    typed: string,
    given: Given,
    facts: Facts,
    tools: Pick<Tools, 'call'>,
  ) => Promise<readonly Choice[]> | readonly Choice[];
}
/** Answers so far, by argument name. */
export type Given = Readonly<Record<string, Choice>>;

export interface Command {
  /** `noun.verb`. */
  readonly id: string;
  readonly title: string;
  readonly words?: readonly string[];
  /** Default chord: `mod+k`, `g s`, `alt+1`. Several are separated by a comma and a space. */
  readonly keys?: string;
  /** Heard over a terminal too; everything else goes to the shell. */
  readonly overTerminal?: true;
  /** Chords that are heard over a terminal and nowhere else. */
  readonly terminalKeys?: string;
  /** Hidden if false. */
  readonly when?: (facts: Facts) => boolean;
  /** Greyed with this reason. */
  readonly blocked?: (facts: Facts) => string | undefined;
  readonly args?: readonly Argument[];
  /** How the row of a thing that it is run with words it: on its button, where nobody can do it, and in full. */
  readonly onThing?: {
    readonly label: string;
    readonly closedLabel?: string;
    readonly title: (name: string) => string;
    readonly icon?: IconName;
  };
  /** Of the things of its kind, those that it can be run with; absent: all. Rows of others do not offer it. */
  readonly fits?: (thing: Thing) => boolean;
  /** Why it cannot be run with a thing of its kind that its row offers all the same, greyed. */
  readonly refuses?: (thing: Thing) => string | undefined;
  /** Cannot be undone: the robot leaves it alone, the palette marks it. */
  readonly destructive?: true;
  /** Typed whole: answers the arguments when the text is this command's own phrase, such as `ssh root@db-3`. */
  readonly phrase?: {
    readonly example: string;
    /** How it is typed, with its arguments in their order. */
    readonly usage: {
      readonly name: string;
      readonly args: readonly { readonly name: string; readonly text: string }[];
    };
    readonly read: (typed: string) => Readonly<Record<string, string>> | undefined;
    /** The other way round, with the answers there are: what Tab completes a line to. */
    readonly write?: (answers: Readonly<Record<string, string>>) => string;
  };
  /** Where the manual says more of what it asks. */
  readonly manual?: ManualLinkId;
  readonly group: 'go' | 'session' | 'terminal' | 'list' | 'account' | 'manage' | 'console' | 'player';
  readonly run: (given: Given, facts: Facts, tools: Tools) => void | Promise<void>;
}

/** Rows of the registry, in their order and by their ids. */
export interface Registry {
  readonly rows: readonly Command[];
  /** Undefined when there is none. */
  readonly byId: (id: string) => Command | undefined;
}

export function registryOf(rows: readonly Command[]): Registry {
  const byId = new Map(rows.map(row => [row.id, row]));
  return { rows, byId: id => byId.get(id) };
}

/** Two groups whose commands are never there together, and may have the same keys: a page has a list or a player. */
export const areApart = (one: Command['group'], other: Command['group']): boolean =>
  (one === 'list' && other === 'player') || (one === 'player' && other === 'list');

/** Gives a row its type where it is written. */
export const command = (row: Command): Command => row;
