// Clients of desktops for the measures: one behind the gateway, as the console has it; one right at the server; and one that is sent pictures.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { DesktopMessage } from '../../src/contract/desktop-sessions.ts';
import { type Drawing, openDrawing } from '../../src/gateway/services/desktop-drawing/drawing.ts';
import { logIn } from '../../src/gateway/services/protocols/desktops/vnc/log-in.ts';
import type { WireClient } from '../rigs/client.ts';
import type { VncDesktop } from '../rigs/vnc-desktop.ts';

export interface DesktopClient {
  press(scancode: number): Promise<void>;
  /** Resolves when something comes that was not there before: call it before what brings that. */
  next(): Promise<void>;
  close(): Promise<void>;
}

const sitesOf = (url: string, { cluster }: WireClient): string =>
  `${url.replace(/^http/, 'ws')}/v1/webapi/sites/${cluster}`;
async function openSocket(wire: WireClient, address: string): Promise<WebSocket> {
  const socket = new WebSocket(`${address}${address.includes('?') ? '&' : '?'}access_token=${wire.bearer}`, {
    headers: { cookie: wire.cookie },
  } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  return socket;
}

function clientOf(drawing: Drawing, close: () => void) {
  let told = (): void => undefined;
  return {
    came(bytes: Uint8Array): void {
      void drawing.feed(bytes).catch(() => undefined);
      told();
    },
    client: {
      async press(scancode: number) {
        for (const isDown of [true, false]) await drawing.act({ kind: 'key', scancode, isDown });
      },
      next: () =>
        new Promise<void>(done => {
          told = done;
        }),
      async close() {
        close();
        await drawing.close();
      },
    } satisfies DesktopClient,
  };
}

/** A session on a desktop, through the gateway. */
export async function openThrough(
  wire: WireClient,
  url: string,
  name: string,
  protocol: 'vnc' | 'rdp',
): Promise<DesktopClient> {
  const desktop = `${sitesOf(url, wire)}/desktops/${name}`;
  const params = encodeURIComponent(JSON.stringify({ login: 'alice', width: 1280, height: 800 }));
  const session = await openSocket(wire, `${desktop}/session?params=${params}`);
  const said = Promise.withResolvers<string>();
  session.addEventListener('message', ({ data }) => {
    const { ready, over } = JSON.parse(String(data)) as DesktopMessage;
    if (ready) said.resolve(ready.sid);
    if (over !== undefined) said.reject(new Error(over));
  });
  const sid = await said.promise;
  const stream = await openSocket(wire, `${desktop}/stream/${sid}`);
  await once(stream, 'open');
  const drawing = openDrawing(
    { protocol, live: { sid, width: 1280, height: 800 } },
    { send: bytes => stream.send(Uint8Array.from(bytes)), copied: () => undefined },
  );
  const { came, client } = clientOf(drawing, () => {
    stream.close();
    session.close();
  });
  const begun = client.next();
  stream.addEventListener('message', ({ data }) => came(new Uint8Array(data as ArrayBuffer)));
  await begun;
  return client;
}

/** The same client at the server itself. */
export async function openDirect(vnc: VncDesktop): Promise<DesktopClient> {
  const server = connect(vnc.port, '127.0.0.1').on('error', () => undefined);
  await logIn(server, 'lab', vnc.password);
  // What the gateway would say before the screen, and what is answered to that.
  const greeting = [Buffer.from('RFB 003.008\n'), Buffer.of(1, 1), Buffer.alloc(4)];
  let answers = greeting.length;
  const drawing = openDrawing(
    { protocol: 'vnc', live: { sid: 'direct', width: 1280, height: 800 } },
    {
      send(bytes) {
        answers -= 1;
        // The last answer is the first that the server itself is to hear.
        if (answers <= 0) server.write(bytes);
      },
      copied: () => undefined,
    },
  );
  for (const said of greeting) await drawing.feed(said);
  const { came, client } = clientOf(drawing, () => server.destroy());
  const begun = client.next();
  server.on('data', (bytes: Buffer) => came(bytes));
  await begun;
  return client;
}

/** A client that the gateway draws for (TDP). */
export async function openPictures(
  wire: WireClient,
  url: string,
  name: string,
): Promise<DesktopClient & { pictures(): number }> {
  const socket = await openSocket(
    wire,
    `${sitesOf(url, wire)}/desktops/${name}/connect?username=alice&width=1280&height=800`,
  );
  let pictures = 0;
  let told = (): void => undefined;
  const begun = new Promise<void>(done => {
    told = done;
  });
  socket.addEventListener('message', ({ data }) => {
    if (new Uint8Array(data as ArrayBuffer)[0] !== 27) return;
    pictures += 1;
    told();
  });
  await begun;
  return {
    pictures: () => pictures,
    async press(scancode) {
      for (const isDown of [1, 0]) {
        const message = Buffer.from([5, 0, 0, 0, 0, isDown]);
        message.writeUInt32BE(scancode, 1);
        socket.send(Uint8Array.from(message));
      }
    },
    next: () =>
      new Promise(done => {
        told = done;
      }),
    async close() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}
