import { expect, test, vi } from 'vitest';
import type { Socket } from '../../../client/terminal-ports.ts';
import { openLive } from './live.ts';

const challenge = { webauthn_challenge: null, totp_challenge: false };

/** A page with a socket that the test speaks for. */
function page(prove: (challenge: string, onGone: (run: () => void) => void) => Promise<string>) {
  const sent: string[] = [];
  const heard: unknown[] = [];
  const ended: string[] = [];
  let socket: Socket | undefined;
  const stop = openLive(
    { clusterId: 'here', name: 'prod' },
    { what: 'pods', namespace: '', pod: '', container: '', previous: false },
    {
      prove,
      token: () => 'bearer',
      connect() {
        const opened = {
          ...{ binaryType: '', onopen: null, onmessage: null, onclose: null, bufferedAmount: 0 },
          send: (bytes: Uint8Array) => void sent.push(new TextDecoder().decode(bytes)),
          close: () => undefined,
        };
        socket = opened;
        return opened;
      },
      explainRefusal: async () => ({ status: 0, text: '' }) as never,
      clock: { now: () => 0, after: () => () => undefined },
    },
    { hear: told => void heard.push(told), lost: () => undefined, over: why => void ended.push(why) },
  );
  return {
    ...{ sent, heard, ended, stop },
    async says(message: object): Promise<void> {
      await vi.waitFor(() => expect(socket?.onmessage).toBeTruthy());
      socket?.onmessage?.({ data: JSON.stringify(message) });
    },
    closes: () => socket?.onclose?.({ code: 1006, reason: '' }),
  };
}

test('a challenge is answered by what the key says, and is nothing that the page hears', async () => {
  const asked: string[] = [];
  const { says, sent, heard } = page(async text => {
    asked.push(text);
    return '{"id":"key"}';
  });
  await says({ challenge });
  await vi.waitFor(() => expect(sent).toEqual(['{"id":"key"}']));
  expect(asked).toEqual([JSON.stringify(challenge)]);
  await says({ pods: [] });
  expect(heard).toEqual([{ pods: [] }]);
});

test('whoever does not touch the key reads why nothing is shown', async () => {
  const { says, sent, ended } = page(async () => {
    throw new Error('the hardware key was not used in time');
  });
  await says({ challenge });
  await vi.waitFor(() => expect(ended).toEqual(['the hardware key was not used in time']));
  expect(sent).toEqual([]);
});

test('a question goes with its connection: what is answered then goes nowhere', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isGone = false;
  const { says, sent, closes, stop } = page((_text, onGone) => {
    onGone(() => {
      isGone = true;
    });
    return promise;
  });
  await says({ challenge });
  closes();
  expect(isGone).toBe(true);
  resolve('late');
  await promise;
  expect(sent).toEqual([]);
  stop();
});
