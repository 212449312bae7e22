import { expect, test } from 'vitest';
import { formOf, readForm } from './saml-form.ts';

const provider = {
  ...{ name: 'grafana', uri: 'https://grafana.example.com', entityDescriptor: '' },
  ...{ entityId: 'urn:grafana', acsUrl: 'https://grafana.example.com/acs', relayState: '/home' },
  attributes: [
    { name: 'email', value: 'traits.email' },
    { name: 'urn:oid:0.9.2342', value: 'user.name' },
  ],
  labels: [
    { name: 'env', value: 'prod' },
    { name: 'of', value: 'the shop' },
  ],
};

test('what is read, shown and read again is the same', () => {
  expect(readForm(formOf(provider))).toEqual({ read: provider, faults: {} });
});

test('with metadata, the addresses beside it are not sent', () => {
  const form = { ...formOf(provider), entityDescriptor: ' <EntityDescriptor/>\n' };
  expect(readForm(form).read).toMatchObject({ entityDescriptor: '<EntityDescriptor/>', entityId: '', acsUrl: '' });
});

test.each([
  [{ name: 'Grafana One' }, 'name'],
  [{ uri: 'grafana.example.com' }, 'uri'],
  [{ uri: 'javascript:alert(1)' }, 'uri'],
  [{ entityDescriptor: '<html/>' }, 'entityDescriptor'],
  [{ entityId: ' ' }, 'entityId'],
  [{ acsUrl: '' }, 'acsUrl'],
  [{ attributes: 'email: traits.email\nrole: admin' }, 'attributes'],
  [{ labels: 'prod' }, 'labels'],
])('%j is refused at its field', (changed, field) => {
  const { read, faults } = readForm({ ...formOf(provider), ...changed });
  expect([read, Object.keys(faults)]).toEqual([null, [field]]);
});
