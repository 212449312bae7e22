import { expect, test } from 'vitest';
import { explainRefusal, terminalAddress } from './refusal.ts';

const params = { server_id: 'n1', login: 'röot', sid: '', mode: '' as const, term: { w: 80, h: 24 } };
const ADDRESS = '/v1/webapi/sites/c/connect?access_token=secret';

test('the address has the parameters as JSON and the token', () => {
  const url = new URL(terminalAddress('a b', params, 'to+ken'), 'https://gateway');
  expect(url.pathname).toBe('/v1/webapi/sites/a%20b/connect');
  expect([url.searchParams.get('access_token'), JSON.parse(url.searchParams.get('params') ?? '')]).toEqual([
    'to+ken',
    params,
  ]);
  expect(url.searchParams.get('traceparent')).toBe('');
  const traced = new URL(terminalAddress('a b', params, 'to+ken', '00-1-2-01'), 'https://gateway');
  expect(traced.searchParams.get('traceparent')).toBe('00-1-2-01');
});

const answering = (status: number, body: string) => async (): Promise<Response> => new Response(body, { status });

test.each([
  [403, '{"error":{"message":"You may not log in as root"}}', { status: 403, text: 'You may not log in as root' }],
  [426, '', { status: 426, text: 'The connection could not be opened' }],
  [200, '<html>', { status: 426, text: 'The connection could not be opened' }],
  [502, '<html>bad gateway</html>', { status: 502, text: 'The connection could not be opened' }],
])('an answer of %i %s is read', async (status, body, refusal) => {
  expect(await explainRefusal(answering(status, body), ADDRESS)).toEqual(refusal);
});

test('a gateway that does not answer is said to be away, and the token is in no text', async () => {
  const away = await explainRefusal(() => Promise.reject(new TypeError('failed')), ADDRESS);
  expect(away).toEqual({ status: 0, text: 'The gateway cannot be reached' });
  const told = await explainRefusal(answering(500, '{}'), ADDRESS);
  expect(told.text).not.toContain('secret');
});
