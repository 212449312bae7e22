// Relays one RDP session: what the server draws to its recording and to the client, what the client does to the server.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { DesktopSession, DesktopTarget } from '../../../../ports/desktops.ts';
import { whenClosed } from '../../when-closed.ts';
import { Malformed } from '../passing.ts';
import { createActivation } from './activation.ts';
import { cleanPathRefusal, cleanPathReply, readCleanPath } from './clean-path.ts';
import type { Credentials } from './client-info.ts';
import type { SecuredServer } from './connect.ts';
import { createMender } from './mend.ts';
import { readPdus } from './pdus.ts';
import { connectionConfirm, readRequested, SECURED } from './x224.ts';

/** Until one of them is gone; both are destroyed then. Where the client says it wants to go does not count. */
export async function relayRdp(
  reached: SecuredServer,
  { address }: Pick<DesktopTarget, 'address'>,
  credentials: Credentials,
  client: Duplex,
  session: DesktopSession,
): Promise<void> {
  const { server, secured, flags, certificate } = reached;
  client.on('error', () => undefined);
  whenClosed(client, () => void server.destroy());
  // Also one that has not begun yet: the session was ended.
  whenClosed(server, () => void client.destroy());
  try {
    const { token, x224 } = await readCleanPath(client);
    const requested = readRequested(x224);
    if (token !== session.sid || (requested & SECURED.tls) === 0) {
      client.end(cleanPathRefusal());
      throw new Malformed(
        token === session.sid ? 'the client does not want TLS' : 'the client came with the token of another session',
      );
    }
    client.write(cleanPathReply(connectionConfirm(flags), [certificate], address));
    await relay(reached.server, client, session, { credentials, secured, requested });
  } finally {
    client.destroy();
    server.destroy();
  }
}

async function relay(
  server: Duplex,
  client: Duplex,
  session: DesktopSession,
  parts: { readonly credentials: Credentials; readonly secured: number; readonly requested: number },
): Promise<void> {
  let drawn: Buffer[] = [];
  let shown: Buffer[] = [];
  const mender = createMender({
    ...parts,
    sharesClipboard: () => session.sharesClipboard,
    copied: (from, bytes) => session.copied(from === 'fromClient' ? 'send' : 'receive', bytes),
    toServer: pdu => void server.write(pdu),
    toClient: createActivation((pdu, isDrawn) => {
      shown.push(pdu);
      if (isDrawn) drawn.push(pdu);
    }),
  });
  /** In order: what is drawn is in the recording before it is shown. The engine wants each message by itself. */
  const flush = (): void => {
    const [recorded, messages] = [drawn, shown];
    drawn = [];
    shown = [];
    if (recorded.length > 0 && !session.drawn(Buffer.concat(recorded))) return;
    for (const message of messages) client.write(message);
  };
  const fromServer = readPdus(mender.fromServer);
  const fromClient = readPdus(pdu => {
    session.active();
    mender.fromClient(pdu);
  });
  const draw = async (): Promise<void> => {
    for await (const piece of server) {
      fromServer(piece as Buffer);
      flush();
      if (client.writableNeedDrain) await once(client, 'drain');
    }
  };
  const act = async (): Promise<void> => {
    for await (const piece of client) {
      fromClient(piece as Buffer);
      // What was answered in the server's place.
      flush();
      if (server.writableNeedDrain) await once(server, 'drain');
    }
  };
  await Promise.race([draw(), act()]);
}
