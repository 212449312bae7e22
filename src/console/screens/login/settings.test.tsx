// What the sign-in page shows by each setting of the second factor. What is done with it is walked in a browser.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type WebConfig, webConfig } from '../../../contract/config.ts';
import { type Page, PageContext } from '../page.tsx';
import Login from './Screen.tsx';

/** The page as it is drawn. */
function drawn(auth: Partial<WebConfig['auth']>): string {
  const plain = z.parse(webConfig, {});
  const recoveryCodesEnabled = (auth.second_factor ?? 'off') !== 'off';
  const config: WebConfig = { ...plain, recoveryCodesEnabled, auth: { ...plain.auth, ...auth } };
  const page: Partial<Page> = { config, query: {}, params: {}, clusterId: 'here', feature: 'login' };
  return renderToStaticMarkup(
    <PageContext value={page as Page}>
      <Login />
    </PageContext>,
  );
}
/** The words of the page, in their order. */
const shown = (auth: Partial<WebConfig['auth']>): string =>
  drawn(auth)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('localhost ', '')
    .trim();

const form = 'Username Password Sign in';
const lost = 'Forgot Password? Lost Two-Factor Device?';
// Rule 2.5: Forgot Password? and Lost Two-Factor Device? where there is a way to recover
test.each<[string, Partial<WebConfig['auth']>, string]>([
  ['off', {}, `Sign in to Postern ${form}`],
  ['on', { second_factor: 'on' }, `Sign in to Postern ${form} ${lost}`],
  ['optional', { second_factor: 'optional' }, `Sign in to Postern ${form} ${lost}`],
  ['otp', { second_factor: 'otp' }, `Sign in to Postern ${form} ${lost}`],
  ['webauthn', { second_factor: 'webauthn' }, `Sign in to Postern ${form} ${lost}`],
  [
    'passwordless',
    { second_factor: 'webauthn', allowPasswordless: true, localConnectorName: 'passwordless' },
    `Sign in to Postern Other sign-in options Other sign-in options ${form} ${lost} Back`,
  ],
  ['off, with a message of the day', { motd: 'Staff only' }, 'Before you sign in Staff only Acknowledge'],
])('signing in where the second factor is %s', (_setting, auth, words) => expect(shown(auth)).toBe(words));

test('connectors are drawn alike, as the page before any script repeats the first', () => {
  const named = (name: string) => ({ name, displayName: name, type: 'oidc' as const, url: `/${name}` });
  const page = drawn({ authType: 'oidc', localAuthEnabled: false, providers: [named('corp'), named('home')] });
  const [one, other] = page.match(/<li .*?<\/li>/g) ?? [];
  expect(one).toContain('href="/corp"');
  expect(other).toBe(one?.replaceAll('corp', 'home'));
});
