// Relays one VNC session: what the server draws to its recording and to the client, what the client does to the server.
import { once } from 'node:events';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { DesktopSession } from '../../../../ports/desktops.ts';
import { whenClosed } from '../../when-closed.ts';
import { readBy } from '../passing.ts';
import { clientMessages } from './client-messages.ts';
import { textLength } from './clipboard.ts';
import { letIn } from './log-in.ts';
import { serverMessages } from './server-messages.ts';

/** Others who are on the desktop stay there. */
const SHARED = Buffer.of(1);

/** Until one of them is gone; both are destroyed then. `server` is one that has let us in. */
export async function relayVnc(server: Duplex, client: Duplex, session: DesktopSession): Promise<void> {
  client.on('error', () => undefined);
  whenClosed(client, () => void server.destroy());
  try {
    await letIn(client);
    server.write(SHARED);
    await Promise.race([draw(server, client, session), act(client, server, session)]);
  } finally {
    client.destroy();
    server.destroy();
  }
}

async function draw(server: Readable, client: Writable, session: DesktopSession): Promise<void> {
  let drawn: Buffer[] = [];
  /** In order: what is drawn is in the recording before it is shown. */
  const flush = (): void => {
    const bytes = Buffer.concat(drawn);
    drawn = [];
    if (bytes.length > 0 && session.drawn(bytes)) client.write(bytes);
  };
  const read = readBy(
    serverMessages({
      drawn: bytes => void drawn.push(bytes),
      copied(message, length) {
        if (!session.sharesClipboard) return;
        flush();
        client.write(message);
        const bytes = textLength(length, message.subarray(8));
        if (bytes !== null) session.copied('receive', bytes);
      },
    }),
    bytes => void drawn.push(bytes),
  );
  for await (const piece of server) {
    read(piece as Buffer);
    flush();
    if (client.writableNeedDrain) await once(client, 'drain');
  }
}

async function act(client: Readable, server: Writable, session: DesktopSession): Promise<void> {
  const passed = (bytes: Buffer): void => void server.write(bytes);
  const read = readBy(
    clientMessages({
      passed,
      active: session.active,
      copied(message, length) {
        if (!session.sharesClipboard) return;
        passed(message);
        const bytes = textLength(length, message.subarray(8));
        if (bytes !== null) session.copied('send', bytes);
      },
    }),
    passed,
  );
  for await (const piece of client) {
    read(piece as Buffer);
    if (server.writableNeedDrain) await once(server, 'drain');
  }
}
