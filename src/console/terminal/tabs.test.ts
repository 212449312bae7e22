import { afterEach, expect, test } from 'vitest';
import { webConfig } from '../../contract/config.ts';
import { FULL } from './arranging.ts';
import { SPLITS_MOST } from './layout.ts';
import type { TerminalHandle, TerminalPorts, TextStorage } from './ports.ts';
import { openTerminals } from './tabs.ts';
import type { Terminals } from './terminals.ts';
import { frontOf, shownIn } from './terminals.ts';

function memory(): TextStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: key => void kept.delete(key),
  };
}

const alice = { id: 'p1', user: 'alice', mode: 'peer' } as const;
let opened: Terminals[] = [];
afterEach(() => {
  for (const terminals of opened) terminals.forget();
  opened = [];
});

function started(given: Partial<TerminalPorts> = {}) {
  const said: string[] = [];
  const asked: string[] = [];
  const gone: (string | null)[] = [];
  let leave: (hasKeys: boolean) => void = () => {};
  const answers = { confirm: true };
  const storage = given.storage ?? { local: memory(), session: memory() };
  const terminals = openTerminals({
    clusterId: () => 'c1',
    token: () => 'token',
    confirm: async ({ title, action }) => {
      asked.push(`${title} ${action}`);
      return answers.confirm;
    },
    prove: async () => '',
    call: async () => {
      throw new Error('nothing is asked');
    },
    notify: text => void said.push(text),
    save: async () => undefined,
    copyText: async text => void said.push(`copied ${text}`),
    runCommand: () => undefined,
    openPalette: () => {},
    keymap: { claims: () => false },
    keys: { hold: () => () => {} },
    config: () => webConfig.parse({}),
    signedIn: () => true,
    navigate: at => void gone.push(at && ('sid' in at ? at.sid : `${at.serverId} ${at.login}`)),
    link: at => `https://gateway/${at.clusterId}/${'sid' in at ? at.sid : at.serverId}`,
    DesktopTab: () => null,
    leavePage: () => void gone.push('left'),
    onLeave(run) {
      leave = run;
    },
    storage,
    ...given,
  });
  opened.push(terminals);
  const open = (host: string): Promise<boolean> =>
    terminals.open({ serverId: `id-${host}`, hostname: host, login: 'root' });
  /** Does what the loaded half does once the gateway has named the session. */
  const connect = (sid: string, ageMs = 0): void => {
    const tab = frontOf(terminals.state);
    if (tab) Object.assign(tab, { sid, status: 'connected', since: Date.now() - ageMs, parties: [alice] });
  };
  return {
    terminals,
    said,
    asked,
    gone,
    answers,
    storage,
    open,
    connect,
    titles: () => terminals.state.tabs.map(tab => tab.title),
    leave: (hasKeys: boolean) => leave(hasKeys),
  };
}

const handleOf = (heard: string[]): TerminalHandle => {
  const hear = (what: string) => () => void heard.push(what);
  return {
    focus: hear('focus'),
    act: hear('act'),
    insert: hear('insert'),
    copy: hear('copy'),
    selected: () => '',
    paste: hear('paste'),
    clear: hear('clear'),
    reconnect: hear('reconnect'),
    control: hear('control'),
    approval: async () => ({}),
    decideFile: hear('decideFile'),
    type: hear('type'),
    find: hear('find'),
    endFind: hear('endFind'),
    text: () => '',
    detach: hear('detach'),
    dispose: hear('dispose'),
  };
};

/** Valtio tells its listeners one microtask later. */
const told = (): Promise<void> => Promise.resolve();

test('what a reload left behind is taken back by its owner and by nobody else', async () => {
  const { terminals, open, connect, storage } = started();
  terminals.belongTo('ann');
  open('db-1');
  connect('s1');
  await told();
  expect(started({ storage }).titles()).toEqual(['root@db-1']);

  const same = started({ storage });
  same.terminals.belongTo('ann');
  expect(same.titles()).toEqual(['root@db-1']);

  const other = started({ storage });
  other.terminals.belongTo('eve');
  expect([other.titles(), storage.session.getItem('postern:tabs')]).toEqual([[], null]);
});

test('a terminal wants the keys from when it is asked for until it has the focus', () => {
  const { terminals, open } = started();
  open('db-1');
  const { key } = terminals.state.tabs[0] ?? { key: '' };
  expect(terminals.awaitsKeys(key)).toBe(true);
  terminals.takeTypeahead(key);
  expect(terminals.awaitsKeys(key)).toBe(false);
});

test('a terminal that gets the focus while another one is awaited takes nothing from that one', () => {
  const { terminals, open } = started();
  open('db-1');
  open('db-2');
  const [first, second] = terminals.state.tabs.map(({ key }) => key);
  terminals.takeTypeahead(first ?? '');
  expect(terminals.awaitsKeys(second ?? '')).toBe(true);
});

test('what is looked for or read is shown, also when the pane was hidden', () => {
  const { terminals, open } = started();
  open('db-1');
  for (const act of [terminals.find, terminals.read]) {
    terminals.togglePane();
    act();
    expect(terminals.state.paneOpen).toBe(true);
  }
});

test('reading ends with the terminal it was about: another one in front, or none', () => {
  const { terminals, open } = started();
  open('db-1');
  terminals.read();
  terminals.read();
  expect(terminals.state.reading).toBe(2);
  open('db-2');
  expect(terminals.state.reading).toBe(0);
});

test('an opened terminal is in front and shows the pane', () => {
  const { terminals, open, titles } = started();
  open('db-1');
  open('db-2');
  expect([titles(), frontOf(terminals.state)?.title, terminals.state.paneOpen]).toEqual([
    ['root@db-1', 'root@db-2'],
    'root@db-2',
    true,
  ]);
});

test('tabs are shown by number and stepped through round the ends; a number too many does nothing', () => {
  const { terminals, open } = started();
  for (const host of ['a', 'b', 'c']) open(host);
  const seen: (string | undefined)[] = [];
  for (const act of [
    () => terminals.show(1),
    () => terminals.step(-1),
    () => terminals.step(1),
    () => terminals.show(9),
  ]) {
    act();
    seen.push(frontOf(terminals.state)?.title);
  }
  expect(seen).toEqual(['root@a', 'root@c', 'root@a', 'root@a']);
});

test('a tab younger than 30 s closes without a question, an older one asks', async () => {
  const { terminals, open, connect, asked, answers } = started();
  open('young');
  connect('s1', 1000);
  await terminals.close(terminals.state.current);
  open('old');
  connect('s2', 31_000);
  answers.confirm = false;
  await terminals.close(terminals.state.current);
  expect([asked, terminals.state.tabs.length]).toEqual([['End root@old? End session'], 1]);
});

test('with others in the session the question is about leaving', async () => {
  const { terminals, open, connect, asked } = started();
  open('db');
  connect('s1', 31_000);
  const tab = frontOf(terminals.state);
  if (tab) tab.parties = [alice, { id: 'p2', user: 'bob', mode: 'observer' }];
  await terminals.close(terminals.state.current);
  expect([asked, terminals.state.tabs.length]).toEqual([['Leave root@db? Leave'], 0]);
});

test('closing frees the terminal and brings the neighbour to the front', async () => {
  const { terminals, open } = started();
  const heard: string[] = [];
  for (const host of ['a', 'b', 'c']) open(host);
  terminals.show(2);
  terminals.register(terminals.state.current, handleOf(heard));
  await terminals.close(terminals.state.current);
  expect([heard, frontOf(terminals.state)?.title]).toEqual([['dispose'], 'root@c']);
});

test('the last tab takes the pane with it', async () => {
  const { terminals, open } = started();
  open('a');
  await terminals.close(terminals.state.current);
  expect([terminals.state.paneOpen, terminals.state.current]).toEqual([false, '']);
});

test('the end of a shell closes its tab and says so', () => {
  const { terminals, open, said } = started();
  open('db');
  terminals.ended(terminals.state.current, '');
  expect([said, terminals.state.tabs.length]).toEqual([['root@db: session ended'], 0]);
});

test('joining a session that is open here brings it to the front instead', () => {
  const { terminals, open, connect } = started();
  open('db');
  connect('s1');
  open('other');
  terminals.join({ sid: 's1', title: 'root@db', mode: 'peer' });
  expect([terminals.state.tabs.length, frontOf(terminals.state)?.sid]).toEqual([2, 's1']);
});

test('a console address opens once, however often it is arrived at', () => {
  const { terminals } = started();
  terminals.arrive({ serverId: 'n1', login: 'root' });
  terminals.arrive({ serverId: 'n1', login: 'root' });
  terminals.arrive({ sid: 's9', mode: 'observer' });
  terminals.arrive({ sid: 's9' });
  terminals.arrive(null);
  expect(terminals.state.tabs.map(tab => [tab.serverId, tab.sid, tab.mode])).toEqual([
    ['n1', '', 'peer'],
    ['', 's9', 'observer'],
  ]);
});

test('on a console route the address follows the tab in front', async () => {
  const { terminals, open, connect, gone } = started();
  terminals.setFull(true);
  open('a');
  connect('s1');
  open('b');
  connect('s2');
  terminals.show(1);
  await terminals.close(terminals.state.current);
  await terminals.close(terminals.state.current);
  expect(gone).toEqual(['s1', 's2', null]);
});

test('a reload finds the same sessions, the one in front, and the open pane', async () => {
  const first = started();
  first.open('a');
  first.connect('s1');
  first.open('b');
  first.connect('s2');
  first.open('not yet connected');
  first.terminals.show(1);
  await told();
  const kept = new Map((first.storage.session as ReturnType<typeof memory>).kept);
  const session = memory();
  for (const [key, value] of kept) session.setItem(key, value);
  const second = started({ storage: { local: memory(), session } });
  expect([second.titles(), frontOf(second.terminals.state)?.sid, second.terminals.state.paneOpen]).toEqual([
    ['root@a', 'root@b'],
    's1',
    true,
  ]);
});

/** Terminals as a reload finds them, after the page was left with a terminal that has the keys, or has not. */
function reloaded(hasKeys: boolean, given: Partial<TerminalPorts> = {}) {
  const before = started();
  before.open('a');
  before.connect('s1');
  before.leave(hasKeys);
  const after = started({ storage: before.storage, ...given });
  return { ...after, key: after.terminals.state.current };
}

test.each([true, false])('a reload gives the keys to the terminal that had them, and only then: %j', hasKeys => {
  const { terminals, key } = reloaded(hasKeys);
  expect([frontOf(terminals.state)?.sid, terminals.awaitsKeys(key)]).toEqual(['s1', hasKeys]);
});

test('who had the keys is not taken from an earlier time: a page that was not left in order gives them to nobody', async () => {
  const first = reloaded(true);
  first.terminals.setHeight(400);
  first.terminals.togglePane();
  await told();
  const second = started({ storage: first.storage });
  expect(second.terminals.awaitsKeys(second.terminals.state.current)).toBe(false);
});

test('a console page that is loaded anew shows its terminal and leaves the keys to the page; going there asks for them', () => {
  const { terminals, key } = reloaded(false);
  for (const at of [{ sid: 's1' }, null]) {
    terminals.arrive(at);
    terminals.setFull(true);
    expect([terminals.state.current, terminals.awaitsKeys(key)]).toEqual([key, false]);
  }
  terminals.setFull(false);
  terminals.arrive({ sid: 's1' });
  expect(terminals.awaitsKeys(key)).toBe(true);
});

test('an address that is opened for the first time gives its terminal the keys', () => {
  const { terminals } = started();
  terminals.arrive({ sid: 's1' });
  expect(terminals.awaitsKeys(terminals.state.current)).toBe(true);
});

test('a terminal that is forgotten before it came wants no keys', () => {
  const { terminals, key } = reloaded(true);
  terminals.belongTo('somebody else');
  expect(terminals.awaitsKeys(key)).toBe(false);
});

test('on the page that they fill, hiding the terminals goes back to the page before', () => {
  const { terminals, open, gone } = started();
  open('a');
  terminals.setFull(true);
  terminals.togglePane();
  expect([gone, terminals.state.paneOpen]).toEqual([['left'], false]);
  terminals.setFull(false);
  terminals.togglePane();
  expect(terminals.state.paneOpen).toBe(true);
});

test('a maximised terminal gives the room back when it is hidden, when another page is opened, and with the last tab', async () => {
  const { terminals, open } = started();
  terminals.toggleMaximised();
  expect(terminals.state.maximised).toBe(false);
  open('a');
  const acts = [terminals.toggleMaximised, terminals.togglePane, terminals.restoreSize, () => terminals.setFull(false)];
  for (const act of acts) {
    terminals.state.maximised = false;
    terminals.toggleMaximised();
    expect(terminals.state).toMatchObject({ maximised: true, paneOpen: true });
    act();
    expect(terminals.state.maximised).toBe(false);
  }
  terminals.toggleMaximised();
  await terminals.close(terminals.state.current);
  expect(terminals.state.maximised).toBe(false);
});

test('signing out leaves every session and keeps nothing for the next person', async () => {
  const { terminals, open, connect, storage } = started();
  const heard: string[] = [];
  open('a');
  connect('s1');
  terminals.register(terminals.state.current, handleOf(heard));
  await told();
  terminals.forget();
  await told();
  expect([heard, storage.session.getItem('postern:tabs')]).toEqual([['dispose'], null]);
});

test('the commands reach the terminal in front', () => {
  const { terminals, open } = started();
  const heard: string[] = [];
  open('a');
  terminals.register(terminals.state.current, handleOf(heard));
  terminals.copy();
  terminals.paste();
  terminals.clear();
  terminals.reconnect();
  terminals.focus();
  terminals.find();
  expect([heard, terminals.state.isSearching]).toEqual([['copy', 'paste', 'clear', 'reconnect', 'focus'], true]);
});

test('without a terminal the commands do nothing', () => {
  const { terminals, said } = started();
  for (const act of [
    terminals.copy,
    terminals.paste,
    terminals.clear,
    terminals.reconnect,
    terminals.focus,
    terminals.find,
    terminals.closeCurrent,
  ])
    act();
  terminals.step(1);
  terminals.copyLink();
  expect([said, terminals.state.isSearching]).toEqual([['The session has no link before it is connected'], false]);
});

test('the font grows and shrinks within bounds, returns to its first size, and is kept', () => {
  const { terminals, storage } = started();
  const first = terminals.state.fontSize;
  for (let count = 0; count < 50; count += 1) terminals.fontSize(1);
  expect(terminals.state.fontSize).toBe(32);
  for (let count = 0; count < 50; count += 1) terminals.fontSize(-1);
  expect(storage.local.getItem('postern:terminal_font')).toBe('8');
  terminals.fontSize(0);
  expect(terminals.state.fontSize).toBe(first);
});

test('the height is kept within bounds', () => {
  const { terminals, storage } = started();
  terminals.setHeight(5);
  expect(terminals.state.height).toBe(120);
  terminals.setHeight(456.7);
  expect(storage.local.getItem('postern:pane_height')).toBe('457');
});

test('a link to the session in front is copied', async () => {
  const { terminals, open, connect, said } = started();
  open('db');
  connect('s1');
  terminals.copyLink();
  await told();
  await told();
  expect(said).toEqual(['copied https://gateway/c1/s1', 'Link to the session copied']);
});

test('whether a shell has connected is told once it is known', async () => {
  const { terminals, open, connect } = started();
  const first = open('db-1');
  connect('s1');
  const second = open('db-2');
  const tab = frontOf(terminals.state);
  if (tab) Object.assign(tab, { status: 'refused', problem: 'The host does not answer' });
  const third = open('db-3');
  terminals.closeCurrent();
  expect(await Promise.all([first, second, third])).toEqual([true, false, false]);
});

test('a split is another shell of the same login beside it; a tab goes with its last terminal', () => {
  const { terminals, open, connect } = started();
  void open('a');
  connect('s1');
  terminals.arrange({ kind: 'split', direction: 'right' });
  connect('s2');
  const [left, right] = terminals.state.tabs.map(tab => tab.key);
  expect(terminals.state.groups).toMatchObject([{ layout: { direction: 'right', first: left, second: right } }]);
  expect(terminals.state.tabs[1]).toMatchObject({ serverId: 'id-a', login: 'root', title: 'root@a' });
  terminals.arrange({ kind: 'focus', to: 'left' });
  expect(terminals.state.current).toBe(left);
  terminals.closeCurrent();
  expect(terminals.state).toMatchObject({ current: right, groups: [{ layout: right, current: right }] });
  terminals.closeCurrent();
  expect(terminals.state.groups).toEqual([]);
});

test('tabs are counted, stepped through and moved as tabs, whatever is in them', () => {
  const { terminals, open } = started();
  void open('a');
  terminals.arrange({ kind: 'split', direction: 'down' });
  void open('b');
  const titles = () => shownIn(terminals.state).map(({ title, count }) => `${title} ${count}`);
  expect(titles()).toEqual(['root@a 2', 'root@b 1']);
  terminals.step(1);
  terminals.arrange({ kind: 'rename', name: 'build' });
  terminals.arrange({ kind: 'moveTab', by: 1 });
  terminals.arrange({ kind: 'moveTab', by: 1 });
  expect(titles()).toEqual(['root@b 1', 'build 2']);
  terminals.arrange({ kind: 'toTab' });
  expect(titles()).toEqual(['root@b 1', 'build 1', 'root@a 1']);
  const [first] = terminals.state.groups;
  terminals.arrange({ kind: 'toSplit', tab: first?.key ?? '', direction: 'down' });
  expect(titles()).toEqual(['root@a 2', 'build 1']);
});

test('a zoomed terminal gives the room back when another one of its tab is asked for', () => {
  const { terminals, open } = started();
  void open('a');
  terminals.arrange({ kind: 'split', direction: 'right' });
  terminals.arrange({ kind: 'zoom' });
  expect(terminals.state.groups[0]?.zoomed).toBe(terminals.state.current);
  terminals.arrange({ kind: 'focus', to: 'left' });
  expect(terminals.state.groups[0]?.zoomed).toBe('');
});

test('a tab takes so many terminals and says so', async () => {
  const { terminals, open, said } = started();
  void open('a');
  for (let count = 0; count < SPLITS_MOST; count++) terminals.arrange({ kind: 'split', direction: 'right' });
  expect([terminals.state.tabs.length, said]).toEqual([SPLITS_MOST, [FULL]]);
  expect(await terminals.open({ serverId: 'b', hostname: 'b', login: 'root', beside: 'down' })).toBe(false);
});

test('a reload finds tabs, splits, names and what was zoomed as they were', async () => {
  const { terminals, open, connect, storage } = started();
  void open('a');
  connect('s1');
  terminals.arrange({ kind: 'split', direction: 'down' });
  connect('s2');
  terminals.arrange({ kind: 'rename', name: 'build' });
  terminals.arrange({ kind: 'zoom' });
  void open('b');
  connect('s3');
  void open('never connected');
  await told();
  const shape = ({ state }: Terminals) => {
    const named = state.tabs.reduce(
      (text, { key, sid }) => text.replaceAll(`"${key}"`, `"${sid}"`),
      JSON.stringify(state.groups.map(({ key: _key, ...group }) => group)),
    );
    return JSON.parse(named);
  };
  const before = shape(terminals);
  expect(shape(started({ storage }).terminals)).toEqual(before.slice(0, 2));
});

const desktopAt = { serverId: 'desktop/win-7', login: 'alice' };

test('a desktop is one tab beside terminals, however often its address is arrived at', async () => {
  const { terminals, open, connect, titles, gone } = started();
  open('db-1');
  connect('s1');
  terminals.setFull(true);
  terminals.arrive(desktopAt);
  const tab = frontOf(terminals.state);
  if (tab) tab.status = 'connected';
  terminals.arrive(desktopAt);
  expect(titles()).toEqual(['root@db-1', 'alice@win-7']);
  // The address follows: it names the desktop, for no session of it can be come back to.
  terminals.show(1);
  terminals.show(2);
  expect(gone.slice(-2)).toEqual(['s1', 'desktop/win-7 alice']);
});

test('a reload finds a desktop again, which is connected to anew; one that is over is gone', async () => {
  const { terminals, open, connect, storage } = started();
  terminals.belongTo('ann');
  open('db-1');
  connect('s1');
  terminals.arrive(desktopAt);
  await told();
  const again = started({ storage });
  expect(again.terminals.state.tabs.map(({ title, status }) => [title, status])).toEqual([
    ['root@db-1', 'connecting'],
    ['alice@win-7', 'connecting'],
  ]);
  const tab = frontOf(terminals.state);
  if (tab) tab.status = 'refused';
  await told();
  expect(started({ storage }).titles()).toEqual(['root@db-1']);
});

test('a desktop is asked about before it is closed, is not split, and stays in its window', async () => {
  const { terminals, asked, said, answers, titles } = started();
  terminals.arrive(desktopAt);
  const tab = frontOf(terminals.state);
  if (tab) Object.assign(tab, { status: 'connected', since: Date.now() - 60_000 });
  terminals.arrange({ kind: 'split', direction: 'right' });
  terminals.arrange({ kind: 'window' });
  expect(said).toEqual([
    'A desktop is shown once: move a terminal beside it',
    'The session on a desktop ends with its tab: copy its link, and open that in another window',
  ]);
  terminals.copyLink();
  await told();
  expect(said[2]).toBe('copied https://gateway/c1/desktop/win-7');
  answers.confirm = false;
  await terminals.close(tab?.key ?? '');
  expect(titles()).toEqual(['alice@win-7']);
  answers.confirm = true;
  await terminals.close(tab?.key ?? '');
  expect([titles(), asked]).toEqual([[], Array(2).fill('Leave the desktop alice@win-7? Leave')]);
});

test('keys do not wait for a desktop, which may ask for a password first', () => {
  const { terminals } = started();
  const heard: string[] = [];
  terminals.arrive(desktopAt);
  const { current } = terminals.state;
  terminals.register(current, handleOf(heard));
  terminals.focus();
  expect([heard, terminals.awaitsKeys(current)]).toEqual([['focus'], true]);
  terminals.hasFocus(current);
  expect(terminals.awaitsKeys(current)).toBe(false);
});
