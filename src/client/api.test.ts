import { expect, test } from 'vitest';
import { ApiError } from '../contract/failure.ts';
import { listNodes } from '../contract/nodes.ts';
import { getUserContext, sessionStatus, signIn } from '../contract/session.ts';
import { type ApiRequest, bearerHeaders, createApi, createFileApi } from './api.ts';
import { base64OfText } from './base64.ts';
import { toApiError } from './errors.ts';

function answering(answer: () => Response | Promise<Response>, credentials = bearerHeaders('b', 'c')) {
  const asked: { path: string; request: ApiRequest }[] = [];
  const ports = {
    credentials: () => credentials,
    send: async (path: string, request: ApiRequest) => {
      asked.push({ path, request });
      return answer();
    },
  };
  return { api: createApi(ports), file: createFileApi(ports), asked };
}
const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });

// Rule 7: credentials and a JSON body go with a call
test('a call carries its query and who asks', async () => {
  const { api, asked } = answering(() => json({ items: [], startKey: '', totalCount: 0 }));
  await api(listNodes, { params: { clusterId: 'a b' }, query: { limit: 15, search: 'x&y', query: '' } });
  expect(asked).toEqual([
    {
      path: '/v1/webapi/sites/a%20b/nodes?limit=15&search=x%26y',
      request: {
        method: 'GET',
        headers: { Accept: 'application/json', Authorization: 'Bearer b', 'X-CSRF-Token': 'c' },
      },
    },
  ]);
});

test('who has no tokens sends none; a body is JSON', async () => {
  const { api, asked } = answering(
    () => json({ type: 'bearer', token: 't', expires_in: 1, sessionExpires: '', sessionInactiveTimeout: 0 }),
    bearerHeaders(undefined, undefined),
  );
  await api(signIn, { body: { user: 'u', pass: 'p' } });
  expect(asked[0]?.request).toEqual({
    method: signIn.method,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: '{"user":"u","pass":"p"}',
  });
});

// Rule 8: the message of the body, else status and address
// Rule 8: hardware-key errors are recognised
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

// Rule 8: network failure
test('no answer at all is a network failure, and so is one that breaks off', async () => {
  const lost = answering(() => Promise.reject(new TypeError('x')));
  await expect(lost.api(sessionStatus)).rejects.toMatchObject({ code: 'network', message: 'Network request failed' });
  const cut = new ReadableStream({ start: controller => controller.error(new Error('cut')) });
  await expect(answering(() => new Response(cut)).api(sessionStatus)).rejects.toMatchObject({ code: 'network' });
});

test('a network failure that has words of its own keeps them, and credentials that cannot be had are not one', async () => {
  const told = answering(() => Promise.reject(new ApiError('network', 'no host has that name')));
  await expect(told.api(sessionStatus)).rejects.toThrow('no host has that name');
  const over = createApi({
    credentials: () => Promise.reject(new Error('signed out')),
    send: async () => json({}),
  });
  await expect(over(sessionStatus)).rejects.toThrow('signed out');
});

test('what was searched for is in no failure', async () => {
  const { api } = answering(() => new Response('', { status: 418 }));
  const asked = api(listNodes, { params: { clusterId: 'c' }, query: { search: 'secret' } });
  await expect(asked).rejects.toThrow('418 - /v1/webapi/sites/c/nodes');
});

test('an answer that is not what the contract says is refused at the edge', async () => {
  const { api } = answering(() => json({ userName: 5 }));
  await expect(api(getUserContext, { params: { clusterId: 'c' } })).rejects.toMatchObject({ code: 'unknown' });
});

test('a file comes as it is', async () => {
  const { file } = answering(() => new Response('{"version":3}\n[1,"o","x"]'));
  expect(await (await file(sessionStatus)).text()).toBe('{"version":3}\n[1,"o","x"]');
});

// Rule 8: anything thrown is an ApiError
// Rule 8: an ApiError carries the answer, and says Unknown error where nothing else is known
test('anything thrown is an ApiError afterwards', () => {
  expect([toApiError(new Error('x')).message, toApiError('x').message, toApiError(new Error('')).message]).toEqual([
    'x',
    'Unknown error',
    'Unknown error',
  ]);
});

// Rule 5: passwords are base64
test('passwords are base64 of UTF-8', () => {
  for (const text of ['', 'abc', 'pässwörd', '🔑', '\u0000\uffff'])
    expect(Buffer.from(base64OfText(text), 'base64').toString('utf8')).toBe(text);
});
