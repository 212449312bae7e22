import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Preferences, preferences as schema } from '../../contract/preferences.ts';
import { fakeStorage } from './fakes.test-kit.ts';
import { createPreferences, keptPreferences } from './preferences.ts';
import { keys, writeJson } from './storage.ts';

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
    onStorage: heard => {
      hear = key => heard(key, null);
      return () => {};
    },
    failed: text => said.push(text),
  });
  store.open();
  return { store, saved, said, storage, hear: (key: string) => hear(key) };
}

test('the gateway decides, and its word is kept in this browser', async () => {
  const { store, storage } = begin(async () => dark);
  await store.load();
  expect([store.state.status, store.state.chosen.theme, keptPreferences(storage).theme]).toEqual(['loaded', 2, 2]);
});

test('when the gateway fails, what this browser kept stands, silently', async () => {
  const storage = fakeStorage();
  writeJson(storage, keys.preferences, dark);
  const { store, said } = begin(() => Promise.reject(new Error('down')), storage);
  await store.load();
  expect([store.state.status, store.state.chosen.theme, said]).toEqual(['loaded', 2, []]);
});

test('without kept preferences the deprecated theme counts, else light', () => {
  expect(keptPreferences(fakeStorage()).theme).toBe(1);
  expect(keptPreferences(fakeStorage({ [keys.theme]: 'dark' })).theme).toBe(2);
  expect(keptPreferences(fakeStorage({ [keys.theme]: '"dark"' })).theme).toBe(2);
  expect(keptPreferences(fakeStorage({ [keys.theme]: 'dark', [keys.preferences]: JSON.stringify(base) })).theme).toBe(
    1,
  );
});

test('a deprecated theme that is not light is moved to the gateway once, then cleared', async () => {
  const { store, saved, storage } = begin(async () => base, fakeStorage({ [keys.theme]: 'dark' }));
  await store.load();
  await store.load();
  expect(saved.map(chosen => chosen.theme)).toEqual([2]);
  expect(storage.getItem(keys.theme)).toBeNull();
});

test('a deprecated light theme is cleared and moves nothing', async () => {
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

test('a change in another tab shows here', () => {
  const { store, storage, hear } = begin(async () => base);
  writeJson(storage, keys.preferences, dark);
  hear('something.else');
  expect(store.state.chosen.theme).toBe(1);
  hear(keys.preferences);
  expect(store.state.chosen.theme).toBe(2);
});

test('changes reach the gateway one after the other, in order', async () => {
  const done: number[] = [];
  const waits: (() => void)[] = [];
  const { store } = begin(
    async () => base,
    fakeStorage(),
    chosen => new Promise<void>(resolve => waits.push(() => resolve(void done.push(chosen.theme)))),
  );
  store.change({ theme: 2 });
  store.change({ theme: 1 });
  await Promise.resolve();
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
  store.change({ theme: 2 });
  await new Promise(resolve => setImmediate(resolve));
  expect(said).toEqual(['The choice is kept in this browser only: down']);
  expect(keptPreferences(storage).theme).toBe(2);
});
