// What the console knows of one terminal: plain values that the pane, the status line and the commands read.
import type { ConnectionState } from '../../client/reconnection.ts';
import type { FileEvent, Participant } from '../../client/terminal-frames.ts';
import { readDesktopAddress } from '../../contract/desktop-address.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import type { SessionState } from '../../contract/terminal.ts';
import type { TabAddress } from './ports.ts';

/** Where a terminal stands. `away`: another window has it. `refused` stays on screen with its sentence; `ended` tabs are gone at once. */
type TabStatus = 'connecting' | 'connected' | 'reconnecting' | 'refused' | 'away';

export interface Tab {
  /** Names the tab inside this page. */
  readonly key: string;
  readonly clusterId: string;
  /** Key of the tab of the bar that it is in. */
  group: string;
  /** '' until the gateway has named the session. */
  sid: string;
  serverId: string;
  login: string;
  /** login@host. */
  title: string;
  readonly mode: Mode;
  status: TabStatus;
  /** Why it is not connected: a sentence. */
  problem: string;
  /** When the session was first connected here, ms since 1970; 0 = not yet. */
  since: number;
  /** When the gateway was last heard, ms since 1970; null while it is heard. */
  lostAt: number | null;
  /** Everybody who takes part. */
  parties: readonly Participant[];
  /** Which of them this tab is; '' until the gateway has said so. */
  party: string;
  /** Whether it runs, and who has taken the keys. */
  sessionState: SessionState;
  /** File transfers that somebody in the session asks for. */
  files: readonly FileEvent[];
  /** Its owner's roles demand others in it, who are asked before files go. */
  moderated: boolean;
  /** The server's labels say production: what is pasted there asks more. */
  production: boolean;
  /** The session is this person's own. */
  isOwner: boolean;
  /** A program wants to write the clipboard, and the person has not said yet whether those of this server may. */
  asksClipboard: boolean;
  recording: 'strict' | 'best_effort' | 'off' | null;
  latency: { ws: number; ssh: number } | null;
  hasSelection: boolean;
  /** Counts bells, so that each one flashes. */
  bells: number;
  cols: number;
  rows: number;
}

/** What a new tab is told; the rest begins empty. */
export type NewTab = Pick<Tab, 'key' | 'clusterId' | 'sid' | 'serverId' | 'login' | 'title' | 'mode'> &
  Partial<Pick<Tab, 'cols' | 'rows' | 'status'>>;

/** A session whose gateway says nothing else. */
export const RUNNING: SessionState = { state: 'running', why: '', writer: '' };
/** Size used when no screen could be measured yet: what terminals have had since the VT100. */
const FIRST_SIZE = { cols: 80, rows: 24 } as const;

export function createTab(given: NewTab): Tab {
  return {
    ...FIRST_SIZE,
    group: '',
    status: 'connecting',
    problem: '',
    since: 0,
    lostAt: null,
    parties: [],
    sessionState: RUNNING,
    files: [],
    moderated: false,
    production: false,
    party: '',
    isOwner: false,
    asksClipboard: false,
    recording: null,
    latency: null,
    hasSelection: false,
    bells: 0,
    ...given,
  };
}

/** Whether it is a desktop: each time that it is connected is a session of its own, which ends with the tab. */
export const isDesktopTab = ({ serverId }: Pick<Tab, 'serverId'>): boolean => readDesktopAddress(serverId) !== null;

/** What the page's address says of it; undefined before the gateway has named its session. */
export function addressOf(tab: Pick<Tab, 'clusterId' | 'sid' | 'serverId' | 'login'>): TabAddress | undefined {
  const { clusterId, sid, serverId, login } = tab;
  if (isDesktopTab(tab)) return { clusterId, serverId, login };
  return sid === '' ? undefined : { clusterId, sid };
}

/** Name of the person at this console, as the session has it; '' until the gateway has said so. */
export const userOf = ({ parties, party }: Pick<Tab, 'parties' | 'party'>): string =>
  parties.find(({ id }) => id === party)?.user ?? '';

/**
 * What a tab shows of its connection. Without one nothing is known of the recording and of the way to the server, so neither is said: the
 * session frame and the next latency tell them anew.
 */
export function connectionOf(
  state: Exclude<ConnectionState, { kind: 'ended' }>,
): Pick<Tab, 'status' | 'problem' | 'lostAt'> & Partial<Pick<Tab, 'recording' | 'latency'>> {
  if (state.kind === 'connected') return { status: 'connected', problem: '', lostAt: null };
  return {
    status: state.kind,
    problem: state.kind === 'connecting' ? '' : state.text,
    lostAt: state.kind === 'reconnecting' ? state.lostAt : null,
    recording: null,
    latency: null,
  };
}
