import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type WebConfig, webConfig } from './config.ts';
import { providerBrand, signInForm, signInWays } from './sign-in-form.ts';

const plain = z.parse(webConfig, {}).auth;
const providers: WebConfig['auth']['providers'] = [{ name: 'corp', displayName: 'Corp', type: 'oidc', url: '/corp' }];

// Rule 3.2: local login, passwordless, connectors and their order
// Rule 3.2: the message of the day
// Rule 4: the primary way in: passwordless, local or single sign-on
test.each<[string, Partial<WebConfig['auth']>, string, string | null]>([
  ['nothing is set', {}, 'password', 'password'],
  ['nobody can sign in', { localAuthEnabled: false }, '', null],
  ['there are connectors', { providers }, 'password connectors', 'passwordFirst'],
  ['a connector comes first', { providers, authType: 'oidc' }, 'connectors password', 'connectorsFirst'],
  ['there are connectors alone', { providers, localAuthEnabled: false }, 'connectors', 'connectors'],
  ['passkeys are allowed', { allowPasswordless: true }, 'password passkey', 'password'],
  [
    'passkeys are allowed beside',
    { providers, allowPasswordless: true },
    'password connectors passkey',
    'passwordFirst',
  ],
  [
    'passkeys come first',
    { providers, authType: 'oidc', allowPasswordless: true, localConnectorName: 'passwordless' },
    'passkey password connectors',
    null,
  ],
  ['passkeys come first and are not allowed', { localConnectorName: 'passwordless' }, 'password', 'password'],
  [
    'passkeys would be local',
    { providers, localAuthEnabled: false, allowPasswordless: true },
    'connectors',
    'connectors',
  ],
  ['a message comes first', { motd: 'Only for staff' }, 'password', null],
  ['keys live in hardware', { privateKeyPolicy: 'hardware_key' }, 'password', null],
])('the ways in, the primary first, and what is drawn before any script where %s', (_where, auth, ways, drawn) => {
  expect([signInWays({ ...plain, ...auth }).join(' '), signInForm({ ...plain, ...auth })]).toEqual([ways, drawn]);
});

test.each([
  [{ type: 'github', name: 'hub', displayName: 'Our code' }, 'github'],
  [{ type: 'oidc', name: 'azure-ad', displayName: 'Work account' }, 'microsoft'],
  [{ type: 'saml', name: 'idp', displayName: 'Google Workspace' }, 'google'],
  [{ type: 'oidc', name: 'corp', displayName: 'Corp' }, 'openid'],
] as const)('the button of %j is in the colour of %s', (provider, brand) =>
  expect(providerBrand({ ...provider, url: '' })).toBe(brand),
);
