import { expect, test } from 'vitest';
import { fakeStorage } from './fakes.testing.ts';
import { createOnboarding, storedDiscover } from './onboarding.ts';
import { clearStorage, keys } from './storage.ts';

function begin(has: boolean, storage = fakeStorage(), mayAdd = true, untilFree = () => Promise.resolve()) {
  let asked = 0;
  const onboarding = createOnboarding({
    storage,
    hasResource: async () => {
      asked += 1;
      return has;
    },
    mayAdd: () => mayAdd,
    untilFree,
  });
  return { onboarding, storage, asked: () => asked };
}

// Rule 4: the onboarding dialog shows
test('the onboarding dialog shows when onboarding data exists with no resource, not yet notified', async () => {
  const { onboarding, storage } = begin(false);
  expect(onboarding.state.shown).toBe(false);
  await onboarding.load();
  expect(onboarding.state.shown).toBe(true);
  expect(storedDiscover(storage)).toEqual({ hasResource: false, notified: false });
});

// Rule 2.4: the onboarding dialog
test('either button marks notified and closes, and a dismissed dialog does not come back', async () => {
  const { onboarding, storage } = begin(false);
  await onboarding.load();
  onboarding.answer();
  expect([onboarding.state.shown, storedDiscover(storage)]).toEqual([false, { hasResource: false, notified: true }]);
  const again = begin(false, storage);
  await again.onboarding.load();
  expect([again.onboarding.state.shown, again.asked()]).toEqual([false, 0]);
});

test('it does not show where there is a resource, and then is not asked again', async () => {
  const { onboarding, storage, asked } = begin(true);
  await onboarding.load();
  await onboarding.load();
  expect([onboarding.state.shown, asked(), storedDiscover(storage)]).toEqual([
    false,
    1,
    { hasResource: true, notified: false },
  ]);
});

test('whoever is writing in a dialog is not interrupted: it shows once that is closed', async () => {
  const free = Promise.withResolvers<void>();
  const { onboarding } = begin(false, fakeStorage(), true, () => free.promise);
  const loaded = onboarding.load();
  await Promise.resolve();
  expect(onboarding.state.shown).toBe(false);
  free.resolve();
  await loaded;
  expect(onboarding.state.shown).toBe(true);
});

test('it does not tell anyone to do what their roles refuse', async () => {
  const { onboarding } = begin(false, fakeStorage(), false);
  await onboarding.load();
  expect(onboarding.state.shown).toBe(false);
});

test('before the gateway answered, and when it fails, nothing shows', async () => {
  const onboarding = createOnboarding({
    storage: fakeStorage(),
    hasResource: () => Promise.reject(new Error('down')),
    mayAdd: () => true,
    untilFree: () => Promise.resolve(),
  });
  await expect(onboarding.load()).rejects.toThrow('down');
  expect(onboarding.state.shown).toBe(false);
});

// Rule 3.1: the onboarding state
test('onboarding data that someone mangled counts as none, and signing out forgets it', () => {
  for (const text of ['', 'null', '[]', '{}', '{"hasResource":"no"}', '{broken'])
    expect(storedDiscover(fakeStorage({ [keys.discover]: text }))).toBeUndefined();
  const storage = fakeStorage({ [keys.discover]: '{"hasResource":false,"notified":true}' });
  clearStorage(storage);
  expect(storedDiscover(storage)).toBeUndefined();
});
