// Clients of people's own that go on to a leaf: what they speak passes as it is, as long as the person's web session lasts.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../../contract/failure.ts';
import { FACTOR_MISSING } from '../../../contract/mfa.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { Who } from '../../ports/who.ts';
import { joinStreams } from './joined-streams.ts';
import type { Leaves } from './leaves.ts';
import { clientRequest } from './reception.ts';

/** Longest refusal of a leaf that is read, and longest sentence of it that is told. */
const REFUSAL_MOST_BYTES = 4096;
const SAID_MOST_CHARACTERS = 500;

/** A client that has shown a certificate for something at a leaf. */
interface LeavingClient {
  readonly kind: string;
  readonly identity: {
    readonly userId: string;
    readonly webSessionId: string;
    readonly target: string;
    readonly cluster?: string;
    /** Of the second factor that was shown for it; '' where none was. */
    readonly device: string;
  };
  readonly remoteAddr: string;
  readonly protocol: string;
  readonly number: number | null;
  refuse(why: string): void;
}
export interface LeafClientParts {
  readonly leaves: Pick<Leaves, 'reach'>;
  /** The person as they are now. Throws Failure signed_out when their web session is over. */
  readonly again: (of: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>) => Promise<Who>;
  /** Calls once when a web session is over; answers what stops that. */
  readonly watch: (session: Pick<Who, 'userId' | 'webSessionId'>, over: (why: string) => void) => () => void;
  readonly report: (problem: string, error: unknown) => void;
}
export interface LeafClients {
  take(near: Duplex, client: LeavingClient): void;
}

export function createLeafClients({ leaves, again, watch, report }: LeafClientParts): LeafClients {
  async function goOn(near: Duplex, client: LeavingClient): Promise<void> {
    const { kind, identity, remoteAddr, protocol, number } = client;
    const { userId, webSessionId, target, cluster = '', device } = identity;
    const who = await again({ userId, webSessionId, remoteAddr });
    if (who.rights.options.sessionFactor && device === '') throw new Failure('denied', FACTOR_MISSING);
    const { connection, vouched } = await leaves.reach(who, cluster, device === '' ? undefined : device);
    const asked = clientRequest({ kind, target, protocol, number, from: remoteAddr }, vouched);
    const { answer, ...upgraded } = await connection.upgrade(asked);
    if (upgraded.socket === null) throw new Failure('denied', await sentenceOf(answer, cluster));
    const far = upgraded.socket;
    if (upgraded.head.length > 0) far.unshift(upgraded.head);
    if (near.destroyed) return void far.destroy();
    joinStreams(near, far, over => watch(who, over), close);
  }
  return {
    take(near, client) {
      goOn(near, client).catch((error: unknown) => {
        const isSaid = error instanceof Failure || error instanceof ConnectError;
        if (!isSaid) report('a client could not go on to a leaf cluster', error);
        if (near.destroyed) return;
        client.refuse(isSaid ? error.message : 'something went wrong at the gateway');
      });
    },
  };
}

/** What one side has said to its end still goes out at the other. */
const close = (side: Duplex): void => void side.end(() => side.destroy());

async function sentenceOf(answer: IncomingMessage, cluster: string): Promise<string> {
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) {
    text += String(piece);
    if (text.length > REFUSAL_MOST_BYTES) break;
  }
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } };
    if (typeof error?.message === 'string')
      return `cluster "${cluster}": ${error.message.slice(0, SAID_MOST_CHARACTERS)}`;
  } catch {
    // What is no JSON says nothing.
  }
  return `cluster "${cluster}" does not take this client`;
}
