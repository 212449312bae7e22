import { expect, test } from 'vitest';
import { listNodes } from '../../contract/nodes.ts';
import { getUserContext, sessionStatus, signIn } from '../../contract/session.ts';
import { base64OfText } from './base64.ts';
import { createApi, createDownload } from './client.ts';
import { toApiError } from './errors.ts';

function answering(
  answer: () => Response | Promise<Response>,
  tokens: { bearer: string | undefined; csrf: string | undefined } = { bearer: 'b', csrf: 'c' },
) {
  const asked: { url: string; init: RequestInit }[] = [];
  const ports = {
    tokens: () => tokens,
    fetch: async (url: string | URL | Request, init: RequestInit = {}) => {
      asked.push({ url: String(url), init });
      return answer();
    },
  };
  return { api: createApi(ports), download: createDownload(ports), asked };
}
const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });

test('a call carries cookies, both tokens and its query, and no cache', async () => {
  const { api, asked } = answering(() => json({ items: [], startKey: '', totalCount: 0 }));
  await api(listNodes, { params: { clusterId: 'a b' }, query: { limit: 15, search: 'x&y' } });
  expect(asked).toEqual([
    {
      url: '/v1/webapi/sites/a%20b/nodes?limit=15&search=x%26y',
      init: {
        method: 'GET',
        credentials: 'same-origin',
        cache: 'no-store',
        headers: { Accept: 'application/json', Authorization: 'Bearer b', 'X-CSRF-Token': 'c' },
      },
    },
  ]);
});

test('without tokens none is sent; a body is JSON', async () => {
  const { api, asked } = answering(
    () => json({ type: 'bearer', token: 't', expires_in: 1, sessionExpires: '', sessionInactiveTimeout: 0 }),
    { bearer: undefined, csrf: undefined },
  );
  await api(signIn, { body: { user: 'u', pass: 'p' } });
  expect(asked[0]?.init.headers).toEqual({ Accept: 'application/json', 'Content-Type': 'application/json' });
  expect(asked[0]?.init.body).toBe('{"user":"u","pass":"p"}');
});

test.each([
  [403, '{"error":{"message":"no","code":"denied","requestId":"r1"}}', 'denied', 'no'],
  [400, '{"message":"bad"}', 'bad_request', 'bad'],
  [502, '<html>proxy</html>', 'unreachable', '502 - /v1/webapi/user/status'],
  [500, 'plain words', 'internal', 'plain words'],
  [418, '', 'unknown', '418 - /v1/webapi/user/status'],
  [
    403,
    '{"error":{"message":"policy not met: hardware_key_touch"}}',
    'hardware_key',
    'policy not met: hardware_key_touch',
  ],
])('an answer %i with %s is %s', async (status, body, code, message) => {
  const { api } = answering(() => new Response(body, { status }));
  await expect(api(sessionStatus)).rejects.toMatchObject({ name: 'ApiError', code, message, response: { status } });
});

test('no answer at all is a network failure, and so is one that breaks off', async () => {
  const lost = answering(() => Promise.reject(new TypeError('x')));
  await expect(lost.api(sessionStatus)).rejects.toMatchObject({ code: 'network', message: 'Network request failed' });
  const cut = new ReadableStream({ start: controller => controller.error(new Error('cut')) });
  await expect(answering(() => new Response(cut)).api(sessionStatus)).rejects.toMatchObject({ code: 'network' });
});

test('an answer that is not what the contract says is refused at the edge', async () => {
  const { api } = answering(() => json({ userName: 5 }));
  await expect(api(getUserContext, { params: { clusterId: 'c' } })).rejects.toMatchObject({ code: 'unknown' });
});

test('a file comes as it is', async () => {
  const { download } = answering(() => new Response('{"version":3}\n[1,"o","x"]'));
  expect(await (await download(sessionStatus)).text()).toBe('{"version":3}\n[1,"o","x"]');
});

test('anything thrown is an ApiError afterwards', () => {
  expect([toApiError(new Error('x')).message, toApiError('x').message, toApiError(new Error('')).message]).toEqual([
    'x',
    'Unknown error',
    'Unknown error',
  ]);
});

test('passwords are base64 of UTF-8', () => {
  for (const text of ['', 'abc', 'pässwörd', '🔑', '\u0000\uffff'])
    expect(Buffer.from(base64OfText(text), 'base64').toString('utf8')).toBe(text);
});
