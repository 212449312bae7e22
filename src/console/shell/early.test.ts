import { expect, test } from 'vitest';
import { createApi } from '../../client/api.ts';
import { pathOf } from '../../contract/call.ts';
import { listNodes } from '../../contract/nodes.ts';
import { getPreferences } from '../../contract/preferences.ts';
import { getUserContext } from '../../contract/session.ts';
import { to } from '../../features/paths.ts';
import { askedOf, readListQuery } from '../screens/list-query.ts';
import { PAGE_ROWS } from '../screens/paged-list.ts';
import { askEarly, earlyPaths, untilAnswered, withEarly } from './early.ts';

const around = [pathOf(getUserContext, { clusterId: '-current-' }), pathOf(getPreferences, {})];
const servers = to('nodes', { clusterId: 'a b' });

test('every page asks early for the context and the preferences', () => {
  expect(earlyPaths(to('users'), '')).toEqual(around);
});

test('the servers page asks early for what it will ask for', async () => {
  const asked: string[] = [];
  const api = createApi({
    credentials: () => ({}),
    send: async path => {
      asked.push(path);
      return new Response('{"items":[],"startKey":"","totalCount":0}');
    },
  });
  const query = {
    ...askedOf(readListQuery({}, { key: 'hostname', down: false })),
    limit: PAGE_ROWS,
  };
  await api(listNodes, { params: { clusterId: 'a b' }, query });
  expect(earlyPaths(servers, '')).toEqual([...around, ...asked]);
});

test('a list that is narrowed or scrolled is asked for by its page', () => {
  for (const search of ['?search=db', '?row=31']) expect(earlyPaths(servers, search)).toEqual(around);
});

test('an early answer is handed out once, to a reader only, and not when it is old', async () => {
  const asked: string[] = [];
  let now = 0;
  const fetch = async (url: unknown, init?: RequestInit) => {
    asked.push(`${init?.method ?? 'early'} ${String(url)}`);
    return new Response('{}');
  };
  const early = withEarly(askEarly(['/a', '/b', '/c'], 't', fetch, now), fetch, () => now);
  await early('/b', { method: 'PUT' });
  await early('/a', { method: 'GET' });
  await early('/a', { method: 'GET' });
  now = 10_001;
  await early('/c', { method: 'GET' });
  expect(asked).toEqual(['early /a', 'early /b', 'early /c', 'PUT /b', 'GET /a', 'GET /c']);
});

test('an early answer that fails says so to whoever takes it, and to nobody else', async () => {
  const lost = () => Promise.reject(new TypeError('lost'));
  const early = withEarly(askEarly(['/a', '/b'], 't', lost, 0), lost, () => 0);
  await expect(early('/a', { method: 'GET' })).rejects.toThrow('lost');
});

test('whoever waits for early answers has their text in the same turn, and waits for none that failed', async () => {
  const fetch = async (url: string) => {
    if (url === '/lost') throw new TypeError('lost');
    const text = () => new Promise<string>(done => setImmediate(done, '{"rows":[]}'));
    return { ok: true, status: 200, text, blob: async () => new Blob() };
  };
  const early = askEarly(['/rows', '/lost'], 't', fetch, 0);
  await untilAnswered(early);
  let text = '';
  void withEarly(
    early,
    fetch,
    () => 0,
  )('/rows', { method: 'GET' })
    .then(answer => answer.text())
    .then(read => {
      text = read;
    });
  // Promises alone, no turn of the event loop: React's effects ask, and the rows are there before the frame is drawn.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  expect(text).toBe('{"rows":[]}');
  await untilAnswered(undefined);
});
