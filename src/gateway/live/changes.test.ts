// The socket of changes over a real connection: who may open it, what it tells to whom, and that it ends with the web session.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changesPath } from '../../contract/changes.ts';
import { type Browser, openRig, type Rig } from '../app.testing.ts';
import { roleResource } from '../services/rights/source.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
  await rig.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata:\n  name: nothing\nspec:\n  deny:\n    rules:\n      - resources: ["*"]\n        verbs: ["*"]\n',
    ),
  );
  await rig.addUser('ann', ['access', 'auditor'], ['root']);
  await rig.addUser('bob', ['nothing']);
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => rig.dispose());

function open(who: Browser, more: { origin?: string; bearer?: string } = {}): WebSocket {
  const { port } = rig.app.server.address() as AddressInfo;
  const headers = { cookie: `__Host-session=${who.cookie}`, ...(more.origin && { origin: more.origin }) };
  const query = new URLSearchParams({ access_token: more.bearer ?? who.bearer });
  return new WebSocket(`ws://127.0.0.1:${port}${changesPath}?${query}`, { headers } as unknown as string[]);
}
const isOpened = (socket: WebSocket): Promise<boolean> =>
  Promise.race([once(socket, 'open').then(() => true), once(socket, 'error').then(() => false)]);

test('a page of ours with a live pair may open it, and nobody else', async () => {
  const ann = await rig.signIn('ann');
  const sockets = [open(ann), open(ann, { bearer: 'wrong' }), open(ann, { origin: 'https://elsewhere.example.com' })];
  expect(await Promise.all(sockets.map(isOpened))).toEqual([true, false, false]);
  for (const socket of sockets) socket.close();
});

test('that a session began or ended is told to all, that it can be played to whoever may list recordings, and the end of the web session closes', async () => {
  const [ann, bob] = [await rig.signIn('ann'), await rig.signIn('bob')];
  const [told, untold] = [open(ann), open(bob)];
  const messages: (readonly [string, unknown])[] = [];
  for (const [name, socket] of Object.entries({ told, untold }))
    socket.addEventListener('message', ({ data }) => {
      const { changed, over } = JSON.parse(data);
      messages.push([name, changed ?? over]);
    });
  await Promise.all([isOpened(told), isOpened(untold)]);
  const server = await rig.addServer('db-3');
  const asking = { server_id: server, login: 'root', sid: '', mode: '', term: { h: 24, w: 80 } };
  const { port } = rig.app.server.address() as AddressInfo;
  const query = new URLSearchParams({ access_token: ann.bearer, params: JSON.stringify(asking) });
  const headers = { cookie: `__Host-session=${ann.cookie}` };
  const terminal = new WebSocket(`ws://127.0.0.1:${port}/v1/webapi/sites/-current-/connect?${query}`, {
    headers,
  } as unknown as string[]);
  await once(terminal, 'message');
  // Who lists sessions hears that one began, whoever they are: everybody has their own.
  await expect
    .poll(() => new Set(messages.map(one => one.join(' '))))
    .toEqual(new Set(['told sessions', 'untold sessions']));
  messages.length = 0;
  rig.shells[0]?.exit(0);
  await expect.poll(() => messages.map(one => one.join(' '))).toContain('told recordings');
  const recordings = await ann.call(
    'GET',
    '/v1/webapi/sites/-current-/events/search/sessions?from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z',
  );
  expect(recordings.json).toMatchObject({ events: [{ server_hostname: 'db-3' }] });

  const closed = Promise.all([once(told, 'close'), once(untold, 'close')]);
  await bob.call('DELETE', '/v1/webapi/sessions/web');
  await ann.call('DELETE', '/v1/webapi/sessions/web');
  const codes = (await closed).map(([event]) => (event as CloseEvent).code);
  expect(codes).toEqual([1008, 1008]);
  expect(messages.at(-1)?.[1]).toBe('Your session has ended: sign in again.');
  // Messages come in order: what had been meant for whoever may not know would be here by now.
  expect(messages.map(one => one.join(' '))).toContain('untold sessions');
  expect(messages.map(one => one.join(' '))).not.toContain('untold recordings');
});
