// The listener that a browser comes back to.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { openLoopback } from './loopback.ts';

/** Status and place of an answer, as a program asks that may send any Host. */
const ask = (address: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  new Promise<readonly [number | undefined, string | undefined]>((done, fail) => {
    request(address, { method, headers }, answer => {
      answer.resume();
      answer.once('end', () => done([answer.statusCode, answer.headers.location]));
    })
      .once('error', fail)
      .end();
  });

test('takes one answer with its state, leads the browser on, and listens no longer', async () => {
  const { address, state, answer } = await openLoopback('https://console.example.com/done');
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const right = `${address}?state=${state}&code=1`;
  const refused = [400, undefined];
  expect(await ask(`${address}?state=${'0'.repeat(64)}&code=2`)).toEqual(refused);
  expect(await ask(`${address}?code=2`)).toEqual(refused);
  expect(await ask(right.replace('callback', 'other'))).toEqual(refused);
  expect(await ask(right, {}, 'POST')).toEqual(refused);
  expect(await ask(right, { host: 'evil.example' })).toEqual(refused);
  expect(await ask(right)).toEqual([302, 'https://console.example.com/done']);
  expect((await answer).get('code')).toBe('1');
  await expect(ask(right)).rejects.toThrow('ECONNREFUSED');
});

test('nobody comes back: that is said, and the port is free', async () => {
  const { address, answer } = await openLoopback('https://console.example.com/done', 1);
  await expect(answer).rejects.toThrow('nobody came back from the browser');
  await expect(ask(address)).rejects.toThrow('ECONNREFUSED');
});
