import { expect, test } from 'vitest';
import { fakeStorage } from './fakes.testing.ts';
import { isRecommended, noteSeen } from './recommended.ts';
import { keys, readJson } from './storage.ts';

// Rule 3.1: feature recommendation
test('Trusted Devices is unspecified at first, NOTIFY once the sidebar has shown it, and DONE for good once it was open', () => {
  const storage = fakeStorage({});
  const status = () => readJson(storage, keys.recommendFeature);
  const shown = ['nodes', 'trustedDevices'] as const;
  expect([status(), isRecommended(storage, 'trustedDevices')]).toEqual([undefined, true]);
  noteSeen(storage, ['nodes'], 'nodes');
  expect(status()).toBeUndefined();
  noteSeen(storage, shown, 'nodes');
  expect([status(), isRecommended(storage, 'trustedDevices')]).toEqual([{ TrustedDevices: 'NOTIFY' }, true]);
  noteSeen(storage, shown, 'trustedDevices');
  noteSeen(storage, shown, 'nodes');
  expect([status(), isRecommended(storage, 'trustedDevices')]).toEqual([{ TrustedDevices: 'DONE' }, false]);
  expect(isRecommended(storage, 'nodes')).toBe(false);
});

test('what somebody has written there by hand harms nothing', () => {
  const storage = fakeStorage({ [keys.recommendFeature]: '"x"' });
  noteSeen(storage, ['trustedDevices'], null);
  expect(readJson(storage, keys.recommendFeature)).toEqual({ TrustedDevices: 'NOTIFY' });
});
