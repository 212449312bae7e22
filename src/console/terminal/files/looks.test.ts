import { expect, test } from 'vitest';
import type { MakeCall } from '../../../contract/call.ts';
import { ApiError } from '../../../contract/failure.ts';
import { createLooks } from './looks.ts';

const place = { clusterId: 'here', serverId: 's1', login: 'root', title: 'root@db-3' };

test('those in a session there are asked for each thing that is moved or removed', async () => {
  const log: string[] = [];
  const looks = createLooks({
    call: (async (_call, given) => {
      const { query, body } = given as unknown as Record<'query' | 'body', Record<string, string> | undefined>;
      if ((query ?? body)?.fileTransferRequestId === undefined) throw new ApiError('unapproved', 'not approved');
      return null;
    }) as MakeCall,
    prove: async () => '{}',
    async approval(_place, { act, location, to }) {
      log.push([act, location, to?.location].join(' ').trim());
      return { moderatedSessionId: 's', fileTransferRequestId: '1' };
    },
  });
  await looks.move(place, '/a', '/b');
  for (const path of ['/b', '/c']) await looks.remove(place, path);
  expect(log).toEqual(['move /a /b', 'remove /b', 'remove /c']);
});

test('those in a session there are asked once for a folder and what is below it, and again for another', async () => {
  const log: string[] = [];
  let approvals = 0;
  const looks = createLooks({
    call: (async (_call, given) => {
      const { location, fileTransferRequestId } = (given as unknown as { query: Record<string, string> }).query;
      const tree = { 1: '/etc', 2: '/srv' }[Number(fileTransferRequestId)];
      if (tree === undefined || !location?.startsWith(tree)) throw new ApiError('unapproved', 'not approved');
      return { path: location, entries: [], whole: true };
    }) as MakeCall,
    prove: async () => '{}',
    async approval(_place, { location, reach }) {
      if (location === '/root') return {};
      log.push(`${reach} ${location}`);
      return { moderatedSessionId: 's', fileTransferRequestId: String(++approvals) };
    },
  });
  for (const path of ['/etc', '/etc/nginx', '/srv', '/srv/www']) await looks.list(place, path);
  expect(log).toEqual(['look /etc', 'look /srv']);
  await expect(looks.list(place, '/root')).rejects.toThrow('not approved');
  await expect(looks.list(place, '/etc', '', { moderatedSessionId: 's', fileTransferRequestId: '9' })).rejects.toThrow(
    'not approved',
  );
  expect(log).toHaveLength(2);
});
