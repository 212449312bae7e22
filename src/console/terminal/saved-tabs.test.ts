import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TextStorage } from './ports.ts';
import { readHeight, readTabs, saveTabs } from './saved-tabs.ts';
import { createTab } from './tab.ts';

const holding = (text: string): TextStorage => ({ getItem: () => text, setItem: () => {}, removeItem: () => {} });
const good = {
  clusterId: 'c',
  sid: 's',
  serverId: 'n',
  login: 'root',
  title: 'root@n',
  mode: 'peer',
  cols: 80,
  rows: 24,
};

test('whatever is in the storage, reading it never throws and gives only whole tabs', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.anything().map(value => JSON.stringify({ tabs: [value, good], current: value }) ?? ''),
      ),
      text => {
        for (const tab of readTabs(holding(text)).tabs) expect(typeof tab.sid).toBe('string');
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  { ...good, sid: '' },
  { ...good, sid: 'x'.repeat(65) },
  { ...good, mode: 'root' },
  { ...good, cols: 0 },
  { ...good, rows: 5000 },
  { ...good, title: 7 },
])('a tab that is not ours is left out: %j', tab => {
  expect(readTabs(holding(JSON.stringify({ tabs: [tab, good], current: 0, paneOpen: true }))).tabs).toEqual([good]);
});

test('a full storage drops the tabs rather than keeping old ones', () => {
  const removed: string[] = [];
  const full: TextStorage = {
    getItem: () => null,
    setItem: () => {
      throw new Error('quota');
    },
    removeItem: key => void removed.push(key),
  };
  const tabs = [createTab({ ...good, key: 't1', mode: 'peer' })];
  saveTabs(full, { tabs, groups: [], currentKey: 't1', paneOpen: true, hasKeys: true, owner: 'ann' });
  expect(removed).toEqual(['postern:tabs']);
});

test.each([
  ['', 320],
  ['abc', 320],
  ['90', 320],
  ['99999', 320],
  ['500', 500],
])('a saved height of %j is read as %i', (text, height) => expect(readHeight(holding(text))).toBe(height));
