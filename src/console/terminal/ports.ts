// What the terminals need from the rest of the console; the shell hands it over once.
import type { ComponentType } from 'react';
import type { TerminalAct, TerminalTools } from '../../../commands/command.ts';
import type { Call, CallGiven, MakeCall } from '../../contract/call.ts';
import type { WebConfig } from '../../contract/config.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import type { FileRequest, SessionControl } from '../../contract/terminal.ts';
import type { EarlyKey, EarlyKeys } from '../ui/early-keys.ts';
import type { DesktopTabProps } from './terminals.ts';

/** What a page's address says of a tab: the session in it, or what it is on where each time is a session of its own. */
export type TabAddress =
  | { readonly clusterId: string; readonly sid: string }
  | { readonly clusterId: string; readonly serverId: string; readonly login: string };

export interface TerminalPorts {
  /** The cluster that a new terminal belongs to. */
  clusterId(): string;
  /** A bearer token that is good now; asked anew for every attempt to connect. */
  token(): string | Promise<string>;
  /** Answers the question for a hardware key of the session with this title (TerminalConnectionEvents.prove); `again`: of one that is open. */
  prove(title: string, challenge: string, onGone: (run: () => void) => void, again: boolean): Promise<string>;
  /** Calls the gateway. */
  readonly call: MakeCall;
  /** Downloads what a call answers, under this name. */
  save<C extends Call>(call: C, given: CallGiven<C>, name?: string): Promise<void>;
  confirm(question: { readonly title: string; readonly text: string; readonly action: string }): Promise<boolean>;
  notify(text: string): void;
  copyText(text: string): Promise<void>;
  openPalette(typed?: string): void;
  /** Runs a command by its id. */
  runCommand(id: string): void;
  /** True when the console takes a key that was pressed in a terminal. */
  readonly keymap: { claims(key: EarlyKey): boolean };
  /** The page's queue of keys that wait for what is on its way. */
  readonly keys: Pick<EarlyKeys, 'hold'>;
  config(): WebConfig;
  /** False once the web session is over: leaving the page then asks nothing. */
  signedIn(): boolean;
  /** The terminals fill the page and another one came to the front: the address follows. `null` = none is left. */
  navigate?(at: TabAddress | null): void;
  /** Leaves the page that the terminals fill: back to the one that was open before it, which gets the keys. */
  leavePage(): void;
  /** Calls as the browser leaves the page, and says whether a terminal has the keys at that moment. */
  onLeave(run: (hasKeys: boolean) => void): void;
  /** Link to what is in a tab, as it is copied. `mode`: how others join a session by it. */
  link(at: TabAddress, mode?: Mode): string;
  /** What is in a tab that is a desktop; fetched when there is one. */
  readonly DesktopTab: ComponentType<DesktopTabProps>;
  /** Where tabs and the pane's height are saved; the browser's own when absent. */
  readonly storage?: { readonly local: TextStorage; readonly session: TextStorage };
}

/** The part of Storage that is used. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What an opened terminal can do; the lazily loaded half registers one for each tab. */
export interface TerminalHandle {
  focus(): void;
  act(what: TerminalAct): void;
  insert: TerminalTools['insert'];
  copy(): void;
  /** What is selected; '' = nothing. */
  selected(): string;
  paste(): void;
  clear(): void;
  reconnect(): void;
  control(asked: SessionControl): void;
  /** What a file transfer's call says of its approval, once it has it; nothing where nobody is asked. Rejects with a sentence. */
  approval(transfer: FileRequest, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  decideFile(requestId: string, approved: boolean): void;
  /** Types for the person: the key row of a phone. */
  type(key: SoftKey): void;
  find(text: string, options: FindOptions): void;
  endFind(): void;
  /** What is in the scrollback and on the screen, a line for each line of the output, however wide it is shown. */
  text(): string;
  /** Frees the screen; the session waits for whoever takes it up. */
  detach(): void;
  /** Leaves the session for good and frees the screen. */
  dispose(): void;
}
export type SoftKey = 'escape' | 'tab' | 'ctrl' | 'alt' | 'up' | 'down' | 'left' | 'right';
export interface FindOptions {
  readonly back: boolean;
  readonly caseSensitive: boolean;
  readonly regex: boolean;
  /** The text changed: stay on a match that still fits. */
  readonly typing: boolean;
}
