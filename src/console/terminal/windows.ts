// A terminal in a window of its own, and back. The session is the same: the page that has it lets its socket go, and the other one takes the
// session up as after a reload. The pages of one browser tell each other which of them that is.
import type { TerminalPorts } from './ports.ts';
import { isOwnWindow, OWN_WINDOW } from './storage.ts';
import { isDesktopTab, type Tab } from './tab.ts';
import type { TerminalState } from './terminals.ts';

/** A window that does not answer within this is gone, and its terminal comes back, ms. */
const ANSWERS_WITHIN_MS = 1000;

/** Said between pages of one session: who has it, that it shall come back, and that its window is gone. */
interface Told {
  readonly kind: 'ask' | 'here' | 'back' | 'gone';
  readonly sid: string;
}

export interface WindowsPorts extends Pick<TerminalPorts, 'link' | 'notify'> {
  readonly state: TerminalState;
  /** Lets the socket of a terminal go; its session waits. */
  readonly detach: (key: string) => void;
  /** A terminal is back on this page. */
  readonly came: (key: string) => void;
}

/** Moves terminals between the windows of one browser. */
export function openWindows({ state, link, notify, detach, came }: WindowsPorts) {
  const page = globalThis.window;
  const isOwn = isOwnWindow();
  const channel = page === undefined ? undefined : new BroadcastChannel('postern-terminals');
  const tell = (kind: Told['kind'], sid: string): void => channel?.postMessage({ kind, sid } satisfies Told);
  const away = new Map<string, Window>();
  const bySid = (sid: string): Tab | undefined => state.tabs.find(tab => tab.sid === sid);

  function leave(tab: Tab): void {
    detach(tab.key);
    Object.assign(tab, { status: 'away', problem: '', lostAt: null, recording: null, latency: null });
  }
  function takeBack(sid: string): void {
    const tab = bySid(sid);
    if (tab?.status !== 'away') return;
    away.delete(sid);
    tab.status = 'connecting';
    came(tab.key);
  }
  /** Takes it back unless its window says that it is there. */
  function ask(sid: string): void {
    const timer = setTimeout(() => takeBack(sid), ANSWERS_WITHIN_MS);
    const heard = ({ data }: MessageEvent<Told>): void => {
      if (data.kind === 'here' && data.sid === sid) clearTimeout(timer);
    };
    channel?.addEventListener('message', heard, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    tell('ask', sid);
  }
  /** This window has done its part: the page it came from goes on with the session. */
  function giveBack(): void {
    for (const tab of state.tabs) leave(tab);
    page?.close();
  }

  channel?.addEventListener('message', ({ data: { kind, sid } }: MessageEvent<Told>) => {
    const tab = bySid(sid);
    if (tab === undefined) return;
    if (isOwn) {
      if (kind === 'ask') tell('here', sid);
      else if (kind === 'back') giveBack();
    } else if (kind === 'here' && tab.status !== 'away') leave(tab);
    else if (kind === 'gone') takeBack(sid);
  });
  if (isOwn)
    page?.addEventListener('pagehide', () => {
      for (const { sid } of state.tabs) tell('gone', sid);
    });
  else for (const { sid, status } of state.tabs) if (status === 'away') ask(sid);

  return {
    /** Says that this window has the session, once it has a name. */
    attached(sid: string): void {
      if (isOwn) tell('here', sid);
    },
    /** Moves a terminal into a window of its own; in such a window, back to where it came from. */
    move(tab: Tab): void {
      if (isOwn) {
        if (page?.opener == null || page.opener.closed) notify('The window that this terminal came from is closed');
        else giveBack();
        return;
      }
      if (isDesktopTab(tab)) {
        notify('The session on a desktop ends with its tab: copy its link, and open that in another window');
        return;
      }
      if (tab.status !== 'connected') {
        notify('Connect this terminal first');
        return;
      }
      const { clusterId, sid, mode } = tab;
      const opened = page?.open(link({ clusterId, sid }, mode), OWN_WINDOW + sid, 'popup,width=960,height=640');
      if (opened == null) {
        notify('The browser opened no window: allow this site to open windows, then try again');
        return;
      }
      away.set(sid, opened);
      leave(tab);
    },
    /** Shows the window that a terminal is in, where this page opened it. */
    show: (sid: string): void => away.get(sid)?.focus(),
    /** Asks for a terminal that is in a window of its own. */
    bringBack(sid: string): void {
      tell('back', sid);
      ask(sid);
    },
    /** The last terminal of a window of its own is gone: so is the window. */
    emptied(): void {
      if (isOwn) page?.close();
    },
  };
}
