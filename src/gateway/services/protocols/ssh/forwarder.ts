// Ports of what a server reaches, over one SSH connection to it.
import type { Client } from 'ssh2';
import type { ReachedStream } from '../../../ports/reach.ts';
import type { Forwarder } from '../../../ports/servers.ts';
import { wordsOf } from './reasons.ts';

/** Takes over a connected client. */
export function createForwarder(client: Client, socket: ReachedStream): Forwarder {
  let isGone = false;
  let gone: (() => void) | undefined;
  client.once('close', () => {
    isGone = true;
    gone?.();
  });
  return {
    connect: (host, port) =>
      new Promise((done, fail) => {
        if (isGone) return fail(new Error('the connection to the server was lost'));
        // Where it came from is nothing that the server needs to know.
        client.forwardOut('127.0.0.1', 0, host, port, (error, channel) =>
          error ? fail(new Error(wordsOf(error))) : done(channel),
        );
      }),
    onGone(listener) {
      gone = listener;
      if (isGone) listener();
    },
    close() {
      client.end();
      socket.destroySoon();
    },
  };
}
