import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { NewResource, Resource } from '../../store/store.ts';
import { clusterColumns, openStoredCluster, writtenCluster } from './stored.ts';

const secrets = {
  seal: async (secret: string, place: string) => `${place}|${Buffer.from(secret).toString('hex')}`,
  open: (sealed: string, place: string) => Buffer.from(sealed.slice(place.length + 1), 'hex').toString(),
};
type Spec = NonNullable<ResourceDocument<'kube_cluster'>['spec']>;
const document = (spec?: Spec): ResourceDocument<'kube_cluster'> => ({
  kind: 'kube_cluster',
  version: 'v3',
  metadata: { name: 'prod' },
  ...(spec && { spec }),
});
const keep = async (spec: Spec | undefined, before: Resource | null = null): Promise<Resource> =>
  ({ name: 'prod', ...(await clusterColumns(secrets, document(spec), before)) }) as unknown as NewResource as Resource;

const server = 'https://10.0.0.5:6443';

test('the secret is sealed apart from what is shown, and one that is left out stays', async () => {
  const first = await keep({ server, token: 'hunter2' });
  expect(JSON.stringify(first)).not.toContain('hunter2');
  expect(writtenCluster(first)).toEqual({ server });
  expect(openStoredCluster(secrets, first)).toEqual({ server, token: 'hunter2' });
  const again = await keep({ server }, first);
  expect(again).toEqual(first);
  expect(openStoredCluster(secrets, await keep(undefined))).toBeNull();
});

test('a token is given again for another server, so that nobody has it sent to a place of theirs', async () => {
  const first = await keep({ server, token: 'hunter2' });
  await expect(keep({ server: 'https://evil.example:6443' }, first)).rejects.toThrow('give it again');
  await expect(keep({ server, server_name: 'evil.example' }, first)).rejects.toThrow('give it again');
});

test.each([
  [{ server }, 'client_cert and client_key, or token expected'],
  [{ token: 'x' }, 'spec.server: missing'],
  [{ server, client_key: 'x' }, 'spec.client_cert: missing'],
  [{ server, client_cert: 'x', client_key: 'y', token: 'z' }, 'not both'],
  [
    {
      server,
      client_cert: 'x',
      client_key: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
    'cannot be read',
  ],
])('%j is refused', async (spec, why) => {
  await expect(keep(spec)).rejects.toThrow(why);
});
