import { expect, test } from 'vitest';
import type { Application } from '../contract/resources.ts';
import type { User } from '../contract/users.ts';
import { applicationAddress, launchPath, userType } from './items.ts';

const application = { name: 'wiki', uri: 'http://wiki:80', publicAddr: 'wiki.example.com', address: '' } as Application;

// Rule 3.4: an address of an application begins with tcp, cloud or https, by its uri
test.each([
  ['tcp://db:5432', 'tcp://wiki.example.com'],
  ['cloud://AWS', 'cloud://wiki.example.com'],
  ['http://wiki:80', 'https://wiki.example.com'],
])('the application at %s is shown as %s', (uri, address) =>
  expect(applicationAddress({ ...application, uri })).toBe(address),
);

// Rule 2.3: a launcher link is made of the fqdn, the cluster's id and the public address
test('a launcher link is made of the fqdn, the cluster and the public address; a SAML application has that of its sign-on', () => {
  const given = { ...application, fqdn: 'wiki.gate.example.com', clusterId: 'prod' };
  expect(launchPath(given)).toBe('/web/launch/wiki.gate.example.com/prod/wiki.example.com');
  expect(launchPath({ ...given, samlApp: true })).toBe('/enterprise/saml-idp/login/wiki');
});

// Rule 3.3: a local user is called so
test('how a user signs in is said in words', () => {
  const type = (one: Partial<User>): string => userType({ isBot: false, authType: 'local', ...one } as User);
  expect([type({}), type({ authType: 'github' }), type({ isBot: true })]).toEqual(['Local user', 'GitHub', 'Bot']);
});
