// The open terminals: which there are, which one is in front, and what the commands do to them. No xterm here: it comes with the pane.
import { subscribe } from 'valtio/vanilla';
import type { TerminalTools } from '../../../commands/command.ts';
import { readDesktopAddress } from '../../contract/desktop-address.ts';
import { createArranging, FULL } from './arranging.ts';
import { createDress } from './dress.ts';
import { placeOf } from './files/place.ts';
import { createFullScreen } from './full-screen.ts';
import { createGroups } from './groups.ts';
import { isMac } from './keys.ts';
import { type Direction, keysIn, readLayout, withShare } from './layout.ts';
import { guardLeaving } from './leaving.ts';
import type { TerminalHandle, TerminalPorts } from './ports.ts';
import { createProgramClipboard } from './program-clipboard.ts';
import {
  FONT_SIZE,
  PANE_HEIGHT,
  readFont,
  readHeight,
  readScreenReader,
  readTabs,
  saveNumber,
  saveTabs,
} from './saved-tabs.ts';
import { browserStorage, isOwnWindow } from './storage.ts';
import { addressOf, createTab, isDesktopTab, type NewTab, type Tab } from './tab.ts';
import { emptyState, FIND_FIELD, frontOf, type Terminals } from './terminals.ts';
import { createTypeahead } from './typeahead.ts';
import { openWindows } from './windows.ts';
import { workspaceTabs } from './workspace.ts';

/** A session younger than this is closed without a question. */
const ASKS_AFTER_MS = 30_000;

/** Makes the page's terminals and takes back those that a reload left behind. */
export function openTerminals(ports: TerminalPorts, state = emptyState()): Terminals {
  const storage = ports.storage ?? browserStorage();
  const saved = readTabs(storage.session);
  const handles = new Map<string, TerminalHandle>();
  let opened = 0;
  const nextKey = (): string => `t${++opened}`;
  const restored: ReadonlySet<string> = new Set(saved.tabs.map((_, index) => `t${index + 1}`));
  const firstFont = isMac(globalThis.navigator?.platform ?? '') ? 12 : 14;
  const groups = createGroups(state, () => `g${nextKey()}`);
  state.tabs = saved.tabs.map(tab => createTab({ ...tab, key: nextKey() }));
  for (const { name, layout, current: at, zoomed } of saved.groups) {
    const key = (index: number): string => state.tabs[index]?.key ?? '';
    const left = new Set(state.tabs.filter(({ group }) => group === '').map(tab => tab.key));
    const read = readLayout(layout, index => (left.has(key(index as number)) ? key(index as number) : undefined));
    if (read === undefined) continue;
    const keys = keysIn(read);
    const [first = ''] = keys;
    groups.alone(first, undefined, name);
    const group = groups.groupOf(first);
    if (group === undefined) continue;
    const among = (index: number): string | undefined => keys.find(one => one === key(index));
    Object.assign(group, { layout: read, current: among(at) ?? first, zoomed: among(zoomed) ?? '' });
    for (const tab of state.tabs) if (keys.includes(tab.key)) tab.group = group.key;
  }
  for (const tab of state.tabs) if (tab.group === '') groups.alone(tab.key);
  state.current = state.tabs[saved.current]?.key ?? '';
  state.paneOpen = saved.paneOpen;
  state.maximised = isOwnWindow();
  state.height = readHeight(storage.local);
  state.fontSize = readFont(storage.local, firstFont);
  state.screenReader = readScreenReader(storage.local);

  const page = globalThis.document;
  const typeahead = createTypeahead({
    hold: ports.keys.hold,
    clicks: globalThis.window ?? null,
    isElsewhere: event =>
      page.querySelector(':modal') !== null ||
      page.activeElement?.closest('.xterm') != null ||
      ports.keymap.claims(event),
    later(action, ms) {
      const timer = setTimeout(action, ms);
      return () => clearTimeout(timer);
    },
    gaveUp() {
      awaited = '';
    },
  });
  const find = (key: string): Tab | undefined => state.tabs.find(tab => tab.key === key);
  /** The tab whose terminal was asked for and has not got the focus yet. */
  let awaited = '';
  /** The console page is shown since the page was loaded: what its address names was there before, and nobody asked for it again. */
  let isAsLoaded = true;
  /** Gives the keys to a tab's terminal, also those that are pressed before it is there. */
  function giveKeys(key: string): void {
    const tab = find(key);
    // What shows a desktop asks for a password first: keys do not wait for its picture.
    if (tab !== undefined && isDesktopTab(tab)) typeahead.take();
    else if (page?.activeElement?.closest(`#terminal-${key} .xterm`) == null) typeahead.begin();
    awaited = key;
    handles.get(key)?.focus();
  }
  // A reload gives the keys back to the terminal that had them; one that had not does not take them.
  if (saved.hasKeys) giveKeys(state.current);

  const current = (): Tab | undefined => frontOf(state);
  const front = (): TerminalHandle | undefined => handles.get(state.current);

  let owner = saved.owner;
  const clipboard = createProgramClipboard({
    storage: storage.local,
    user: () => owner,
    tabs: () => state.tabs,
    copyText: ports.copyText,
    notify: ports.notify,
  });
  const save = (hasKeys: boolean): void =>
    saveTabs(storage.session, {
      tabs: state.tabs,
      groups: state.groups,
      currentKey: state.current,
      paneOpen: state.paneOpen,
      hasKeys,
      owner,
    });
  let savedText = '';
  subscribe(state, () => {
    const text = JSON.stringify([
      state.current,
      state.paneOpen,
      state.groups,
      state.tabs.map(tab => [tab.sid, tab.status === 'refused', tab.status === 'away', tab.cols, tab.rows]),
    ]);
    if (text === savedText) return;
    savedText = text;
    save(false);
  });
  // Who has the keys is saved as the page goes: a page that crashed leaves them to the next one.
  ports.onLeave(save);
  guardLeaving(state, ports);

  function add(given: Omit<NewTab, 'key'>, beside?: Direction): string {
    const key = nextKey();
    const like = current();
    state.tabs.push(createTab({ ...given, key, ...(like ? { cols: like.cols, rows: like.rows } : {}) }));
    if (like === undefined || beside === undefined) groups.alone(key);
    else groups.beside(key, like.key, beside);
    select(key);
    return key;
  }
  /** Brings a terminal to the front and gives it the keys. */
  function select(key: string): void {
    if (show(key)) giveKeys(key);
  }

  /** Brings a terminal to the front; the keys stay where they are. False: there is no such terminal. */
  function show(key: string): boolean {
    const tab = find(key);
    if (!tab) return false;
    state.current = key;
    groups.shown(key);
    if (!state.full) state.paneOpen = true;
    state.isSearching = false;
    state.reading = 0;
    state.link = null;
    const at = addressOf(tab);
    if (state.full && at !== undefined) ports.navigate?.(at);
    return true;
  }

  /** An address names a tab: it comes to the front, and gets the keys unless it is only there again after a reload. */
  function arriveAt(key: string): void {
    if (isAsLoaded && restored.has(key)) show(key);
    else select(key);
  }

  function remove(key: string, takesKeys = true): void {
    const at = state.tabs.findIndex(tab => tab.key === key);
    if (at < 0) return;
    handles.get(key)?.dispose();
    handles.delete(key);
    if (awaited === key) {
      awaited = '';
      typeahead.take();
    }
    const left = groups.leave(key);
    state.tabs.splice(at, 1);
    if (state.current === key) {
      const next = left.next ?? state.groups[Math.min(left.at, state.groups.length - 1)]?.current;
      state.current = '';
      if (next !== undefined && (state.full || (state.paneOpen && takesKeys))) select(next);
      else if (next !== undefined) state.current = next;
    }
    if (state.tabs.length === 0) {
      state.paneOpen = false;
      state.maximised = false;
      state.isSearching = false;
      state.reading = 0;
      if (state.full) ports.navigate?.(null);
      windows.emptied();
    }
  }

  async function close(key: string): Promise<void> {
    const tab = find(key);
    if (!tab) return;
    if (tab.status === 'connected' && tab.since > 0 && Date.now() - tab.since > ASKS_AFTER_MS) {
      const leaves = tab.parties.length > 1 || tab.mode !== 'peer';
      const agreed = await ports.confirm(
        isDesktopTab(tab)
          ? {
              title: `Leave the desktop ${tab.title}?`,
              text: 'The session on it ends. Whether what runs there goes on is up to the desktop.',
              action: 'Leave',
            }
          : leaves
            ? { title: `Leave ${tab.title}?`, text: 'The session goes on for the others.', action: 'Leave' }
            : {
                title: `End ${tab.title}?`,
                text: 'You are alone in this session: its shell and what runs in it will be stopped.',
                action: 'End session',
              },
      );
      if (!agreed) return void handles.get(key)?.focus();
    }
    remove(key);
  }

  function forget(): void {
    for (const tab of [...state.tabs]) remove(tab.key, false);
    save(false);
  }

  const open: TerminalTools['open'] = async ({ serverId, hostname, login, beside }) => {
    if (beside !== undefined && !groups.hasRoom()) {
      ports.notify(FULL);
      return false;
    }
    const clusterId = ports.clusterId();
    return connected(add({ clusterId, sid: '', serverId, login, title: `${login}@${hostname}`, mode: 'peer' }, beside));
  };

  const windows = openWindows({
    state,
    link: ports.link,
    notify: ports.notify,
    detach(key) {
      handles.get(key)?.detach();
      handles.delete(key);
    },
    came(key) {
      const focused = page?.activeElement;
      const isFree = focused === page?.body || focused?.closest('[data-terminals]') != null;
      if (state.current === key && isFree && page?.hasFocus()) giveKeys(key);
    },
  });
  const dress = createDress(storage.local, page);
  /** Terminals had all the room there was before the screen was theirs as well. */
  let wasMaximised = false;
  const toggleFullScreen = createFullScreen(
    page,
    ports.notify,
    has => {
      state.hasEveryKey = has;
    },
    isFull => {
      if (isFull) wasMaximised = state.maximised;
      state.maximised = isFull || (state.maximised && wasMaximised);
    },
  );
  const arrange = createArranging({ state, groups, select, notify: ports.notify, add, windows });

  /** Whether a new tab connects: no, once it was refused or closed. */
  function connected(key: string): Promise<boolean> {
    return new Promise(settle => {
      const end = subscribe(state, () => {
        const tab = find(key);
        if (tab !== undefined && tab.status !== 'refused' && tab.status !== 'connected') return;
        end();
        settle(tab?.status === 'connected');
      });
    });
  }

  const join: TerminalTools['join'] = ({ sid, title, mode }) => {
    const there = state.tabs.find(tab => tab.sid === sid && tab.mode === mode && tab.status !== 'refused');
    if (there) select(there.key);
    else add({ clusterId: ports.clusterId(), sid, serverId: '', login: '', title, mode });
  };

  return {
    state,
    ports,
    close,
    select,
    selectGroup(key) {
      const group = state.groups.find(one => one.key === key);
      if (group) select(group.current);
    },
    showWindow: windows.show,
    bringBack: windows.bringBack,
    attached: windows.attached,
    hasFocus(key) {
      if (state.current !== key) show(key);
      const tab = find(key);
      if (awaited === key && tab !== undefined && isDesktopTab(tab)) awaited = '';
    },
    moveGroup: groups.move,
    moveBorder({ path }, share) {
      const group = groups.front();
      if (group) group.layout = withShare(group.layout, path, share);
    },
    arrange: how => arrange(how),
    dress,
    fullScreen: () => void toggleFullScreen(),
    savedTabs: () => workspaceTabs(state.groups, state.tabs),
    openTabs(tabs) {
      const like = current();
      const clusterId = ports.clusterId();
      let front = '';
      for (const { name, panes } of tabs) {
        const keys: string[] = [];
        for (const { serverId, hostname, login, beside, direction = 'right', share } of panes) {
          const key = nextKey();
          const title = `${login}@${hostname}`;
          const size = like && { cols: like.cols, rows: like.rows };
          state.tabs.push(createTab({ key, clusterId, sid: '', serverId, login, title, mode: 'peer', ...size }));
          const other = keys[beside ?? -1];
          if (other === undefined) groups.alone(key, undefined, name);
          else groups.beside(key, other, direction, share);
          keys.push(key);
        }
        front ||= keys[0] ?? '';
      }
      select(front);
    },
    open,
    join,
    arrive(at) {
      if (at === null) {
        arriveAt(state.current);
        return;
      }
      if ('sid' in at) {
        const there = state.tabs.find(tab => tab.sid === at.sid);
        if (there) arriveAt(there.key);
        else join({ sid: at.sid, title: 'Joining…', mode: at.mode ?? 'peer' });
        return;
      }
      const there = state.tabs.find(
        tab =>
          tab.serverId === at.serverId && tab.login === at.login && (tab.status === 'connecting' || isDesktopTab(tab)),
      );
      const hostname = readDesktopAddress(at.serverId) ?? at.serverId;
      if (there) arriveAt(there.key);
      else void open({ serverId: at.serverId, hostname, login: at.login });
    },
    closeCurrent: () => void close(state.current),
    show(index) {
      const group = state.groups[index - 1];
      if (group) select(group.current);
    },
    step(by) {
      const count = state.groups.length;
      const at = state.groups.findIndex(({ key }) => key === groups.front()?.key);
      const next = state.groups[(at + by + count) % Math.max(count, 1)];
      if (next) select(next.current);
    },
    toggleMaximised() {
      if (!current()) return;
      state.maximised = !state.maximised;
      select(state.current);
    },
    restoreSize() {
      state.maximised = false;
    },
    allowClipboard(isAllowed) {
      const tab = current();
      if (tab) clipboard.answer(tab, isAllowed);
    },
    programCopied(key, text) {
      const tab = find(key);
      if (tab) clipboard.write(tab, text);
    },
    togglePane() {
      state.maximised = false;
      if (state.full) {
        state.paneOpen = false;
        ports.leavePage();
        return;
      }
      state.paneOpen = !state.paneOpen;
      state.reading = 0;
      if (state.paneOpen && current()) giveKeys(state.current);
    },
    find() {
      if (!current()) return;
      if (!state.full) state.paneOpen = true;
      state.isSearching = true;
      // Asked for again, it has the keys again.
      page?.getElementById(FIND_FIELD)?.focus();
    },
    read() {
      if (!current()) return;
      if (!state.full) state.paneOpen = true;
      state.reading++;
    },
    transfer(kind) {
      const place = placeOf(current());
      if (!place || current()?.mode !== 'peer') return;
      if (!state.full) state.paneOpen = true;
      // While files are on their way the panel stays with its server.
      state.transfer = { kind, place: state.transfer?.place ?? place };
    },
    endTransfer() {
      state.transfer = null;
      giveKeys(state.current);
    },
    act: what => front()?.act(what),
    insert: snippet => front()?.insert(snippet),
    copy: () => front()?.copy(),
    paste: () => front()?.paste(),
    clear: () => front()?.clear(),
    reconnect: () => front()?.reconnect(),
    focus() {
      const tab = current();
      if (tab) select(tab.key);
    },
    fontSize(by) {
      state.fontSize = by === 0 ? firstFont : Math.min(FONT_SIZE.most, Math.max(FONT_SIZE.least, state.fontSize + by));
      saveNumber(storage.local, 'font', state.fontSize);
    },
    setFull(full) {
      state.full = full;
      if (!full) {
        isAsLoaded = false;
        state.maximised = false;
      }
    },
    setHeight(pixels) {
      state.height = Math.min(PANE_HEIGHT.most, Math.max(PANE_HEIGHT.least, Math.round(pixels)));
      saveNumber(storage.local, 'height', state.height);
    },
    toggleScreenReader() {
      state.screenReader = !state.screenReader;
      saveNumber(storage.local, 'screen_reader', state.screenReader ? 1 : 0);
      ports.notify(state.screenReader ? 'Terminals are read out' : 'Terminals are no longer read out');
    },
    control: asked => front()?.control(asked),
    invite(mode) {
      const tab = current();
      if (!tab || tab.sid === '') return;
      ports.copyText(ports.link({ clusterId: tab.clusterId, sid: tab.sid }, mode)).then(
        () => ports.notify(`Link to join the session as ${mode} copied, for whoever may`),
        () => ports.notify('The browser refused to copy'),
      );
    },
    copyLink() {
      const tab = current();
      const at = tab && addressOf(tab);
      if (!at) return ports.notify('The session has no link before it is connected');
      ports.copyText(ports.link(at)).then(
        () => ports.notify('Link to the session copied'),
        () => ports.notify('The browser refused to copy'),
      );
    },
    belongTo(user) {
      if (owner !== user) forget();
      owner = user;
    },
    forget,
    register(key, handle) {
      handles.set(key, handle);
    },
    handle: key => handles.get(key),
    awaitsKeys: key => awaited === key,
    takeTypeahead(key) {
      if (awaited !== '' && awaited !== key) return '';
      awaited = '';
      return typeahead.take();
    },
    ended(key, why) {
      const tab = find(key);
      if (!tab) return;
      ports.notify(why === '' ? `${tab.title}: session ended` : `${tab.title}: ${why}`);
      // A shell that ends by itself takes the keys from nobody who works elsewhere on the page.
      const focused = page?.activeElement ?? null;
      remove(key, focused === null || focused.closest('[data-terminals]') !== null);
    },
  };
}
