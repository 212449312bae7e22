// What all protocols do with a client that has said as whom it comes: begin the session, and hand bytes on until one side is gone.
import type { Duplex } from 'node:stream';
import { Failure } from '../../../../contract/failure.ts';
import type { Statements } from '../../../ports/databases.ts';
import { ConnectError } from '../../../ports/reach.ts';
import type { ReachedClient } from '../../../ports/sessions.ts';
import { hangUp } from '../hang-up.ts';
import { pump, type Tap, type WaitingTap } from '../pump.ts';
import { whenClosed } from '../when-closed.ts';
import type { DatabaseDoor, Dialled, FirstHow } from './door.ts';
import { Malformed, TooMuch } from './frames.ts';

/** The client may not do this here, whatever the database says: it is told, and its session ends. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

interface Speech {
  /** What the protocol says last, for why it is over. */
  lastWords(why: string, isTooMuch?: boolean): Uint8Array;
}
interface Wish {
  readonly dbUser: string;
  readonly dbName: string;
  /** Connects and logs in. Throws ConnectError. */
  dial(how: FirstHow): Promise<Dialled>;
}
export interface Joined {
  readonly session: Statements;
  readonly server: Dialled;
}

/** Begins the session. Throws Failure and ConnectError with a sentence for the person. */
export async function join(client: Duplex, door: DatabaseDoor, wish: Wish, speech: Speech): Promise<Joined> {
  const { dbUser, dbName, dial } = wish;
  let server: Dialled | undefined;
  const session = await door.begin({
    dbUser,
    dbName,
    async reach(how): Promise<ReachedClient> {
      const reached = await dial(how);
      server = reached;
      // Until it is relayed, nobody else hears of its end.
      reached.on('error', () => undefined);
      return {
        close: () => void reached.destroy(),
        farewell: why => hangUp(client, why === '' ? undefined : speech.lastWords(why)),
      };
    },
  });
  if (!server) throw new Error('a session without a database');
  return { session, server };
}

interface Taps {
  readonly client: WaitingTap;
  readonly server: Tap;
  /** Why the database may have hung up, when it has left something unanswered; '' when it has not. */
  hungUp?(): string;
}
/** Hands bytes on both ways; `taps` throw for what must not pass. `input`: what the client sends, where it was looked into first. */
export function handOn(
  client: Duplex,
  { session, server }: Joined,
  taps: Taps,
  speech: Speech,
  input: Duplex = client,
): void {
  const failed = (error: unknown, bytes: Buffer): void => {
    if (error instanceof Refused) {
      hangUp(client, speech.lastWords(error.message));
      session.gone(error.message);
      return;
    }
    if (error instanceof TooMuch) hangUp(client, speech.lastWords(error.message, true));
    session.malformed(bytes);
  };
  // Either may have gone while the session began.
  whenClosed(server, () => session.gone(client.destroyed ? '' : (taps.hungUp?.() ?? '')));
  whenClosed(client, () => void server.destroy());
  client.on('error', () => void server.destroy());
  pump(input, server, taps.client, failed, { gate: session, isCopied: true });
  pump(server, client, taps.server, failed, { isCopied: true });
}

/** What a client is told of an error at its start; '' for one that is not its business. */
export const toldOf = (error: unknown): string =>
  error instanceof Failure || error instanceof ConnectError || error instanceof Malformed || error instanceof Refused
    ? error.message
    : '';
