import { expect, test } from 'vitest';
import { domainOf, readPrintedDiscovery } from './printed-discovery.ts';

test('what the script prints fills the form, also with a quote in the password and Windows ends of lines', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  const printed = `kind: discovery_config
version: v1
metadata:
  name: "example.com"
spec:
  ldap:
    address: "dc-1.example.com:636"
    ca_cert: ${JSON.stringify(certificate)}
    bind_name: "CN=postern,CN=Users,DC=example,DC=com"
    password: "a\\u0027b\\"c: \\\\d"
    base: "DC=example,DC=com"
`;
  const read = {
    name: 'example.com',
    address: 'dc-1.example.com:636',
    base: 'DC=example,DC=com',
    bind_name: 'CN=postern,CN=Users,DC=example,DC=com',
    password: `a'b"c: \\d`,
    ca_cert: certificate,
  };
  expect(readPrintedDiscovery(printed)).toEqual(read);
  expect(readPrintedDiscovery(`\r\nPS C:\\> \r\n${printed.replaceAll('\n', '\r\n')}`)).toEqual(read);
});

test('what is cut off in the middle leaves its field empty, and what is something else is nothing', () => {
  expect(readPrintedDiscovery('kind: discovery_config\nspec:\n  ldap:\n    address: "dc-1\n')).toMatchObject({
    address: '',
    base: '',
  });
  expect(readPrintedDiscovery('kind: discovery_config\n  constructor: "x"\n  name: "\\q"\n')).toEqual({
    ...{ name: '', address: '', base: '', bind_name: '', password: '', ca_cert: '' },
  });
  expect(readPrintedDiscovery('dc-1.example.com')).toBeNull();
});

test('a directory is called after its domain', () => {
  expect(domainOf('OU=Desks, DC=Example,dc=com')).toBe('example.com');
  expect(domainOf('o=example')).toBe('');
});
