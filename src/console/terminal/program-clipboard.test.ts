import { expect, test } from 'vitest';
import type { TextStorage } from './ports.ts';
import { createProgramClipboard } from './program-clipboard.ts';
import { createTab, type Tab } from './tab.ts';

function memory(text: string | null = null): TextStorage {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_key, value) => {
      kept = value;
    },
    removeItem: () => {
      kept = null;
    },
  };
}

let count = 0;
const tabOn = (serverId: string, more: Partial<Tab> = {}): Tab => ({
  ...createTab({
    key: `t${++count}`,
    clusterId: 'c',
    sid: 's',
    serverId,
    login: 'root',
    title: `root@${serverId}`,
    mode: 'peer',
  }),
  isOwner: true,
  ...more,
});

function started(tabs: readonly Tab[], storage = memory(), user = 'ann') {
  const copied: string[] = [];
  const clipboard = createProgramClipboard({
    storage,
    user: () => user,
    tabs: () => tabs,
    copyText: async text => void copied.push(text),
    notify: () => {},
  });
  return { clipboard, copied, storage };
}

test('the owner is asked once for a server; allowed, the last thing copied is in the clipboard, and from then on everything', () => {
  const tab = tabOn('db-1');
  const other = tabOn('db-1');
  const { clipboard, copied, storage } = started([tab, other]);
  clipboard.write(tab, 'first');
  clipboard.write(tab, 'second');
  clipboard.write(other, 'elsewhere');
  expect([copied, tab.asksClipboard, other.asksClipboard]).toEqual([[], true, true]);
  clipboard.answer(tab, true);
  expect([copied, tab.asksClipboard, other.asksClipboard]).toEqual([['second'], false, false]);
  clipboard.write(other, 'third');
  const later = started([tab], storage);
  later.clipboard.write(tab, 'fourth');
  expect([copied, later.copied]).toEqual([['second', 'third'], ['fourth']]);
});

test('refused for a server, nothing is copied and nothing is asked again, until it is allowed', () => {
  const tab = tabOn('db-1');
  const { clipboard, copied } = started([tab]);
  clipboard.write(tab, 'x');
  clipboard.answer(tab, false);
  clipboard.write(tab, 'y');
  expect([copied, tab.asksClipboard]).toEqual([[], false]);
  clipboard.answer(tab, true);
  clipboard.write(tab, 'z');
  expect(copied).toEqual(['z']);
});

test('an answer is for one server and one person', () => {
  const first = tabOn('db-1');
  const second = tabOn('db-2');
  const { clipboard, copied, storage } = started([first, second]);
  clipboard.answer(first, true);
  clipboard.write(second, 'x');
  expect([copied, second.asksClipboard]).toEqual([[], true]);
  const eve = started([first], storage, 'eve');
  eve.clipboard.write(first, 'x');
  expect([eve.copied, first.asksClipboard]).toEqual([[], true]);
});

test.each([
  ['watches', { mode: 'observer' }],
  ['watches as a moderator', { mode: 'moderator' }],
  ['types in the session of another', { isOwner: false }],
] as const)('who %s is never asked and gets nothing, whatever was allowed', (_what, more) => {
  const tab = tabOn('db-1', more);
  const { clipboard, copied } = started([tab]);
  clipboard.answer(tab, true);
  clipboard.write(tab, 'x');
  expect([copied, tab.asksClipboard]).toEqual([[], false]);
});

test.each(['', '{', '7', '{"user":"ann"}', '{"user":"ann","servers":[["db-1","yes"],3]}'])(
  'whatever is in the storage (%j), it allows nothing',
  text => {
    const tab = tabOn('db-1');
    const { clipboard, copied } = started([tab], memory(text));
    clipboard.write(tab, 'x');
    expect([copied, tab.asksClipboard]).toEqual([[], true]);
  },
);
