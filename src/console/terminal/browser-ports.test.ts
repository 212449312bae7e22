import { expect, test } from 'vitest';
import { terminalUrl, whyRefused } from './browser-ports.ts';

const params = { server_id: 'n1', login: 'röot', sid: '', mode: '' as const, term: { w: 80, h: 24 } };

test('the address has the parameters as JSON and the token, and the scheme of the page', () => {
  const url = new URL(terminalUrl('https://gateway:3080', 'a b', params, 'to+ken'));
  expect([url.protocol, url.host, url.pathname]).toEqual(['wss:', 'gateway:3080', '/v1/webapi/sites/a%20b/connect']);
  expect([url.searchParams.get('access_token'), JSON.parse(url.searchParams.get('params') ?? '')]).toEqual([
    'to+ken',
    params,
  ]);
  expect(new URL(terminalUrl('http://localhost:3080', 'c', params, 't')).protocol).toBe('ws:');
});

const answering = (status: number, body: string) => async (): Promise<Response> => new Response(body, { status });

test.each([
  [403, '{"error":{"message":"You may not log in as root"}}', { status: 403, text: 'You may not log in as root' }],
  [426, '', { status: 426, text: 'The connection could not be opened' }],
  [200, '<html>', { status: 426, text: 'The connection could not be opened' }],
  [502, '<html>bad gateway</html>', { status: 502, text: 'The connection could not be opened' }],
])('an answer of %i %s is read', async (status, body, read) => {
  expect(
    await whyRefused('ws://gateway/v1/webapi/sites/c/connect?access_token=secret', answering(status, body)),
  ).toEqual(read);
});

test('a gateway that does not answer is said to be away, and the token is in no text', async () => {
  const away = await whyRefused('wss://gateway/connect?access_token=secret', () =>
    Promise.reject(new TypeError('failed')),
  );
  expect(away).toEqual({ status: 0, text: 'The gateway cannot be reached' });
  const told = await whyRefused('wss://gateway/connect?access_token=secret', answering(500, '{}'));
  expect(told.text).not.toContain('secret');
});
