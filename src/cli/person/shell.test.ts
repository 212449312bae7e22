// What a command line makes of a terminal connection, with a gateway that is spoken by the test.
import { expect, test } from 'vitest';
import type { Socket } from '../../client/terminal-ports.ts';
import { encodeFrame, type FrameType } from '../../contract/envelope.ts';
import { openShell } from './shell.ts';

const encoder = new TextEncoder();

/** A shell of the session `sid` ('': a new one) whose first socket is open. */
async function begun(sid: string) {
  const sockets: Socket[] = [];
  const seen: string[] = [];
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
          send: () => {},
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
      inConsole: 'https://console.example.com/here',
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
  return { shell, seen, first, socketOf, hear, attach };
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

test('a hardware key is for the console: the end says where', async () => {
  const { shell, first, hear } = await begun('');
  hear(first, 'n', '{"webauthn_challenge":{},"totp_challenge":false}');
  expect(await shell.end).toEqual({
    kind: 'failed',
    text: 'this session asks for a hardware key, which only a browser can: open it at https://console.example.com/here',
  });
});
