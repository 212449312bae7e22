import { expect, test } from 'vitest';
import { featureIds, features } from '../../../features/table.ts';
import { authenticatedText, failureText, refusalText } from './words.ts';

const failed = featureIds.filter(id => features[id].path.startsWith('/web/msg/error/'));

test('the login failed page has a different message per failure route; the legacy route is the generic one', () => {
  expect(failed).toEqual(['loginFailedLegacy', 'loginFailed', 'loginFailedCallback', 'loginFailedAuth']);
  expect(failureText('loginFailedLegacy')).toBe(failureText('loginFailed'));
  expect(new Set(failed.map(failureText)).size).toBe(3);
});

test.each([
  [undefined, 'You have been authenticated. This window can be closed now.'],
  ['github', 'You have been authenticated by github. This window can be closed now.'],
  ['Acme SSO-2', 'You have been authenticated by Acme SSO-2. This window can be closed now.'],
  ['', 'You have been authenticated. This window can be closed now.'],
])('continue in terminal: the user was authenticated, by the provider that the query names: %j', (auth, text) =>
  expect(authenticatedText(auth)).toBe(text),
);

test.each([
  'x'.repeat(64),
  'us. Call +1 555 to confirm: https://evil.com',
  '<b>github</b>',
  'a\nb',
  ' github',
  '\u202Ebuhtig',
])('what no connector could be called is not repeated: %j', auth =>
  expect(authenticatedText(auth)).toBe(authenticatedText(undefined)),
);

test('what the gateway told this browser of a lock is said, and nothing that a link says', () => {
  const words = 'Your access is locked: left läptop — in a taxi';
  const told = Buffer.from(words).toString('base64url');
  expect(refusalText(`other=1; __Host-postern_refused=${told}`)).toBe(words);
  expect(refusalText(`x__Host-postern_refused=${told}`)).toBeNull();
});
