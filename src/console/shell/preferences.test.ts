import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { type Preferences, preferences as schema } from '../../contract/preferences.ts';
import { fakeStorage } from './fakes.testing.ts';
import { createPreferences, storedPreferences } from './preferences.ts';
import { clearStorage, keys, writeJson } from './storage.ts';

const base = z.parse(schema, {});
const dark: Preferences = { ...base, theme: 2 };

function begin(
  load: () => Promise<Preferences>,
  storage = fakeStorage(),
  save: (chosen: Preferences) => Promise<unknown> = async () => {},
) {
  const saved: Preferences[] = [];
  const said: string[] = [];
  let hear: (key: string | null) => void = () => {};
  const store = createPreferences({
    storage,
    load,
    save: chosen => {
      saved.push(chosen);
      return save(chosen);
    },
    onStorage: listener => {
      hear = key => listener(key, null);
      return () => {};
    },
    failed: text => said.push(text),
  });
  store.open();
  return { store, saved, said, storage, hear: (key: string) => hear(key) };
}

// Rule 4: preferences load
// Rule 3.1: preferences are kept in the browser too
test('preferences load: processing, then loaded; the word of the gateway is kept in this browser', async () => {
  const { store, storage } = begin(async () => dark);
  expect(store.state.status).toBe('initial');
  const loading = store.load();
  expect(store.state.status).toBe('processing');
  await loading;
  expect([store.state.status, store.state.chosen.theme, storedPreferences(storage).theme]).toEqual(['loaded', 2, 2]);
});

// Rule 8: preferences fall back silently
test('a failure to load falls back silently to the locally stored preferences', async () => {
  const storage = fakeStorage();
  writeJson(storage, keys.preferences, dark);
  const { store, said } = begin(() => Promise.reject(new Error('down')), storage);
  await store.load();
  expect([store.state.status, store.state.chosen.theme, said]).toEqual(['loaded', 2, []]);
});

// Rule 4: a failure to load preferences without any stored falls back to the deprecated theme
test('a failure to load without stored preferences falls back silently to the deprecated theme', async () => {
  const { store, said } = begin(() => Promise.reject(new Error('down')), fakeStorage({ [keys.theme]: 'dark' }));
  await store.load();
  expect([store.state.status, store.state.chosen.theme, said]).toEqual(['loaded', 2, []]);
});

// Rule 4: theme
test('the theme is light or dark: from the stored preferences, else the deprecated key, else light', () => {
  expect(storedPreferences(fakeStorage()).theme).toBe(1);
  expect(storedPreferences(fakeStorage({ [keys.theme]: 'dark' })).theme).toBe(2);
  expect(storedPreferences(fakeStorage({ [keys.theme]: '"dark"' })).theme).toBe(2);
  expect(storedPreferences(fakeStorage({ [keys.theme]: 'dark', [keys.preferences]: JSON.stringify(base) })).theme).toBe(
    1,
  );
  expect(storedPreferences(fakeStorage({ [keys.theme]: 'dark', [keys.preferences]: '{"theme":7}' })).theme).toBe(2);
});

// Rule 4: a deprecated theme migrates once
// Rule 3.1: the deprecated theme is read once
test('a deprecated theme that is not light is migrated to the server once, then cleared', async () => {
  const { store, saved, storage } = begin(async () => base, fakeStorage({ [keys.theme]: 'dark' }));
  await store.load();
  await store.load();
  expect(saved.map(chosen => chosen.theme)).toEqual([2]);
  expect(storage.getItem(keys.theme)).toBeNull();
});

test('a deprecated theme that could not be saved is migrated by the next load', async () => {
  let fails = true;
  const saved: number[] = [];
  const storage = fakeStorage({ [keys.theme]: 'dark' });
  const open = () =>
    begin(
      async () => base,
      storage,
      async chosen => {
        if (fails) throw new Error('no answer');
        saved.push(chosen.theme);
      },
    ).store;
  await open().load();
  await new Promise(resolve => setImmediate(resolve));
  fails = false;
  const store = open();
  await store.load();
  await new Promise(resolve => setImmediate(resolve));
  expect([saved, store.state.chosen.theme, storage.getItem(keys.theme)]).toEqual([[2], 2, null]);
});

test('a deprecated light theme is cleared and migrates nothing', async () => {
  const { store, saved, storage } = begin(async () => dark, fakeStorage({ [keys.theme]: 'light' }));
  await store.load();
  expect([saved, store.state.chosen.theme, storage.getItem(keys.theme)]).toEqual([[], 2, null]);
});

test('a choice made while loading is not undone by the late answer', async () => {
  let answer: (chosen: Preferences) => void = () => {};
  const { store } = begin(() => new Promise(resolve => (answer = resolve)));
  const loading = store.load();
  store.change({ theme: 2 });
  answer(base);
  await loading;
  expect(store.state.chosen.theme).toBe(2);
});

test('a choice whose page was left before it had gone out is sent by the next page, and by no other person', async () => {
  const storage = fakeStorage();
  let gateway = base;
  const first = begin(
    async () => gateway,
    storage,
    () => new Promise(() => {}),
  );
  await first.store.load();
  first.store.change({ theme: 2 });
  // Meanwhile something else was chosen elsewhere.
  gateway = { ...base, assist: { ...base.assist, preferredLogins: ['root'] } };
  const next = begin(async () => gateway, storage);
  await next.store.load();
  expect(next.saved).toMatchObject([{ theme: 2, assist: { preferredLogins: ['root'] } }]);
  await vi.waitFor(() => expect(storage.getItem(keys.agreedPreferences)).toBeNull());
  first.store.change({ theme: 1 });
  clearStorage(storage);
  const other = begin(async () => dark, storage);
  await other.store.load();
  expect([other.saved, other.store.state.chosen.theme]).toEqual([[], 2]);
});

// Rule 4: changes are synced
test('changes are synced across tabs', () => {
  const { store, storage, hear } = begin(async () => base);
  writeJson(storage, keys.preferences, dark);
  hear('something.else');
  expect(store.state.chosen.theme).toBe(1);
  hear(keys.preferences);
  expect(store.state.chosen.theme).toBe(2);
});

// Rule 4: changes are saved here and at the server
test('changes are saved locally at once and to the server in order', async () => {
  const done: number[] = [];
  const waits: (() => void)[] = [];
  const { store, storage } = begin(
    async () => base,
    fakeStorage(),
    chosen => new Promise<void>(resolve => waits.push(() => resolve(void done.push(chosen.theme)))),
  );
  await store.load();
  store.change({ theme: 2 });
  expect(storedPreferences(storage).theme).toBe(2);
  store.change({ theme: 1 });
  await new Promise(resolve => setImmediate(resolve));
  expect(waits).toHaveLength(1);
  waits[0]?.();
  await new Promise(resolve => setImmediate(resolve));
  waits[1]?.();
  await new Promise(resolve => setImmediate(resolve));
  expect(done).toEqual([2, 1]);
});

test('a choice that the gateway does not take is kept here and said', async () => {
  const { store, said, storage } = begin(
    async () => base,
    fakeStorage(),
    () => Promise.reject(new Error('down')),
  );
  await store.load();
  store.change({ theme: 2 });
  await new Promise(resolve => setImmediate(resolve));
  expect(said).toEqual(['The choice is kept in this browser only: down']);
  expect(storedPreferences(storage).theme).toBe(2);
});

const views = (...titles: string[]): Preferences['console']['views'] => ({
  nodes: titles.map(title => ({ title, search: '' })),
});

test('a choice made while loading is saved on top of what the gateway kept, and loses none of it', async () => {
  let answer: (chosen: Preferences) => void = () => {};
  const { store, saved } = begin(() => new Promise(resolve => (answer = resolve)));
  const loading = store.load();
  store.change({ console: { ...store.state.chosen.console, recent: ['goto.nodes'] } });
  expect(saved).toEqual([]);
  answer({ ...dark, console: { ...dark.console, views: views('mine'), pinned: ['a'] } });
  await loading;
  await new Promise(resolve => setImmediate(resolve));
  const whole = { ...dark, console: { ...dark.console, views: views('mine'), pinned: ['a'], recent: ['goto.nodes'] } };
  expect([saved, JSON.parse(JSON.stringify(store.state.chosen))]).toEqual([[whole], whole]);
});

test('what is taken away while loading is gone afterwards, and what others added is not', async () => {
  let answer: (chosen: Preferences) => void = () => {};
  const storage = fakeStorage();
  const withKeys = (own: Record<string, string>): Preferences => ({ ...base, console: { ...base.console, keys: own } });
  writeJson(storage, keys.preferences, withKeys({ 'goto.nodes': 'x', 'goto.users': 'y' }));
  const { store } = begin(() => new Promise(resolve => (answer = resolve)), storage);
  const loading = store.load();
  store.change(withKeys({ 'goto.users': 'y' }));
  answer(withKeys({ 'goto.nodes': 'x', 'goto.users': 'y', 'goto.roles': 'z' }));
  await loading;
  expect(Object.keys(store.state.chosen.console.keys)).toEqual(['goto.users', 'goto.roles']);
});

test('a choice made after a failure to load asks the gateway again before it saves', async () => {
  const answers = [
    () => Promise.reject(new Error('down')),
    async () => ({ ...base, console: { ...base.console, views: views('kept', 'gone') } }),
  ];
  const { store, saved, said } = begin(() => answers.shift()?.() ?? Promise.reject(new Error('asked too often')));
  await store.load();
  store.change({ theme: 2 });
  await new Promise(resolve => setImmediate(resolve));
  expect(saved).toEqual([{ ...dark, console: { ...dark.console, views: views('kept', 'gone') } }]);
  store.change({ console: { ...store.state.chosen.console, views: views('kept') } });
  await new Promise(resolve => setImmediate(resolve));
  expect([saved.at(-1)?.console.views, said]).toEqual([views('kept'), []]);
});

test('a choice that waits for a gateway that does not come back is kept here and said', async () => {
  const { store, said, storage } = begin(() => Promise.reject(new Error('down')));
  await store.load();
  store.change({ theme: 2 });
  await new Promise(resolve => setImmediate(resolve));
  expect([said, storedPreferences(storage).theme]).toEqual([['The choice is kept in this browser only: down'], 2]);
});

test("what another person's browser left here does not become the preferences of the next one", async () => {
  const storage = fakeStorage();
  writeJson(storage, keys.preferences, { ...dark, console: { ...dark.console, pinned: ['theirs'] } });
  const { store, saved } = begin(async () => base, storage);
  await store.load();
  expect([saved, store.state.chosen.theme, store.state.chosen.console.pinned]).toEqual([[], 1, []]);
});
