// What a command line makes of a terminal connection, with a gateway that is spoken by the test.
import { expect, test } from 'vitest';
import type { Socket } from '../../client/terminal-ports.ts';
import { decodeFrame, encodeFrame, type FrameType } from '../../contract/envelope.ts';
import { openShell } from './shell.ts';

const encoder = new TextEncoder();

/** A shell of the session `sid` ('': a new one) whose first socket is open. */
async function begun(sid: string) {
  const sockets: Socket[] = [];
  const seen: string[] = [];
  const sent: string[] = [];
  const shell = openShell(
    { server_id: 'n1', login: 'root', sid, mode: '', term: { w: 80, h: 24 } },
    {
      address: () => '/connect',
      token: () => 'token',
      connect() {
        const socket: Socket = {
          binaryType: '',
          onopen: null,
          onmessage: null,
          onclose: null,
          bufferedAmount: 0,
          send: data => sent.push(new TextDecoder().decode(decodeFrame(data).payload)),
          close: () => {},
        };
        sockets.push(socket);
        return socket;
      },
      explainRefusal: async () => ({ status: 0, text: 'away' }),
      clock: {
        now: () => 0,
        after: (_ms, run) => {
          queueMicrotask(run);
          return () => {};
        },
      },
      onWake: () => () => {},
    },
    {
      write: (bytes, shown) => {
        seen.push(new TextDecoder().decode(bytes));
        shown();
      },
      clear: () => seen.push('<clear>'),
      say: text => seen.push(`<${text}>`),
      prove: async challenge => {
        if (challenge === 'nobody') throw new Error('nobody came back from the browser');
        return `answer to ${challenge}`;
      },
    },
  );
  const socketOf = (at: number): Promise<Socket> =>
    expect
      .poll(() => sockets[at])
      .toBeDefined()
      .then(() => sockets[at] as Socket);
  const hear = (socket: Socket, type: FrameType, text: string): void =>
    socket.onmessage?.({ data: encodeFrame(type, encoder.encode(text)).buffer });
  const attach = (socket: Socket, output: { readonly offset: number; readonly fresh: boolean }): void => {
    socket.onopen?.();
    hear(socket, 's', JSON.stringify({ session: { id: 's1' }, output }));
  };
  const first = await socketOf(0);
  return { shell, seen, sent, first, socketOf, hear, attach };
}

test('joining a session clears nothing of what the terminal showed before; coming back to another screen does', async () => {
  const { seen, first, socketOf, hear, attach } = await begun('s1');
  attach(first, { offset: 100, fresh: true });
  hear(first, 'r', 'one');
  first.onclose?.({ code: 1006, reason: '' });
  const second = await socketOf(1);
  attach(second, { offset: 400, fresh: true });
  hear(second, 'r', 'two');
  expect(seen).toEqual([
    'one',
    '<The connection was lost; trying again. Enter ~ . leaves.>',
    '<clear>',
    '<connected again>',
    'two',
  ]);
});

test('why a session did not begin is said once, as its end', async () => {
  const { shell, seen, first, hear } = await begun('');
  first.onopen?.();
  hear(first, 'e', 'You may not log in as root');
  first.onclose?.({ code: 1008, reason: '' });
  expect(await shell.end).toEqual({ kind: 'failed', text: 'You may not log in as root' });
  expect(seen).toEqual([]);
});

test('a hardware key is asked for elsewhere, and its answer sent; without one the end says why', async () => {
  const { sent, first, hear } = await begun('');
  hear(first, 'n', 'challenge');
  await expect.poll(() => sent).toEqual(['answer to challenge']);
  const other = await begun('');
  other.hear(other.first, 'n', 'nobody');
  expect(await other.shell.end).toEqual({ kind: 'failed', text: 'nobody came back from the browser' });
});

test('Ctrl+C leaves while nothing has begun, and belongs to the program after that', async () => {
  const waiting = await begun('');
  waiting.shell.send(Uint8Array.of(3));
  expect(await waiting.shell.end).toEqual({ kind: 'left', text: '' });
  const { shell, sent, first, attach } = await begun('');
  attach(first, { offset: 0, fresh: true });
  shell.send(Uint8Array.of(3));
  expect(sent).toContain('\x03');
});
