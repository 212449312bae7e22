import { expect, test } from 'vitest';
import { changingLists } from '../contract/changes.ts';
import { type ChangesPorts, listenForChanges } from './changes.ts';

type FakeSocket = ReturnType<ChangesPorts['connect']>;

function listening(token: ChangesPorts['token'] = async () => 'a/b') {
  const sockets: FakeSocket[] = [];
  const told: string[] = [];
  const pauses: number[] = [];
  let retry = (): void => {};
  const stop = listenForChanges({
    token,
    connect: address => {
      told.push(address);
      const socket: FakeSocket = { onopen: null, onmessage: null, onclose: null, close: () => told.push('closed') };
      sockets.push(socket);
      return socket;
    },
    after: (ms, run) => {
      pauses.push(ms);
      retry = run;
      return () => {
        retry = () => {};
      };
    },
    onChange: changed => told.push(changed),
    onOver: why => told.push(why),
    onLost: () => told.push('lost'),
  });
  const lose = (): void => sockets.at(-1)?.onclose?.({ code: 1006, reason: '' });
  return { sockets, told, pauses, stop, lose, retry: () => retry() };
}
const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve));

test('what the gateway tells is heard, and so is whatever may have been missed before it could', async () => {
  const { sockets, told, stop } = listening();
  await turn();
  const [socket] = sockets;
  socket?.onopen?.();
  for (const data of [
    '{"changed":"recordings"}',
    '{"changed":"something newer"}',
    '{"over":"You are locked"}',
    'no json',
    new Uint8Array(3),
  ])
    socket?.onmessage?.({ data });
  stop();
  expect(told).toEqual([
    '/v1/webapi/changes?access_token=a%2Fb',
    ...changingLists,
    'recordings',
    'You are locked',
    'closed',
  ]);
});

test('a loss is told at once, and tried again after longer and longer pauses until somebody answers', async () => {
  const { sockets, told, pauses, lose, retry, stop } = listening();
  for (let tries = 0; tries < 7; tries++) {
    await turn();
    lose();
    retry();
  }
  await turn();
  expect(told.filter(line => line === 'lost')).toHaveLength(7);
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  sockets.at(-1)?.onopen?.();
  lose();
  expect(pauses.at(-1)).toBe(1000);
  stop();
  retry();
  await turn();
  expect(sockets).toHaveLength(8);
});

test('without a token nothing is connected until there is one', async () => {
  let isSignedIn = false;
  const { sockets, told, retry } = listening(() =>
    isSignedIn ? Promise.resolve('token') : Promise.reject(new Error('not renewed')),
  );
  await turn();
  expect([sockets.length, told]).toEqual([0, ['lost']]);
  isSignedIn = true;
  retry();
  await turn();
  expect(sockets).toHaveLength(1);
});
