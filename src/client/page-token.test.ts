import { expect, test } from 'vitest';
import { readPageToken } from './page-token.ts';

// Rule 7: the bearer token of the page
test('the bearer token of the page is read, and rubbish is not', () => {
  const reply = { type: 'bearer', token: 't', expires_in: 600, sessionExpires: 'x', sessionInactiveTimeout: 0 };
  expect(readPageToken(btoa(JSON.stringify(reply)))).toEqual(reply);
  for (const bad of [
    undefined,
    '',
    '%%%',
    btoa('{'),
    btoa('null'),
    btoa('{}'),
    btoa(JSON.stringify({ ...reply, token: 1 })),
  ])
    expect(readPageToken(bad)).toBeUndefined();
});
