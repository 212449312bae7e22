// Ports of what a server reaches, over one SSH connection to it.
import type { Client } from 'ssh2';
import type { ReachedStream } from '../../../ports/reach.ts';
import type { Forwarder } from '../../../ports/servers.ts';
import { wordsOf } from './reasons.ts';

const LOST = 'the connection to the server was lost';
const placeOf = (host: string, port: number): string => `${host}:${port}`;

/** Takes over a connected client. */
export function createForwarder(client: Client, socket: ReachedStream): Forwarder {
  let isGone = false;
  let gone: (() => void) | undefined;
  const listeners = new Map<string, Parameters<Forwarder['listen']>[2]>();
  client.on('tcp connection', ({ destIP, destPort, srcIP, srcPort }, accept, reject) => {
    const came = listeners.get(placeOf(destIP, destPort));
    if (!came) return reject();
    came({ address: srcIP, port: srcPort }, accept).catch(() => reject());
  });
  client.once('close', () => {
    isGone = true;
    gone?.();
  });
  return {
    connect: (host, port) =>
      new Promise((done, fail) => {
        if (isGone) return fail(new Error(LOST));
        // Where it came from is nothing that the server needs to know.
        client.forwardOut('127.0.0.1', 0, host, port, (error, channel) =>
          error ? fail(new Error(wordsOf(error))) : done(channel),
        );
      }),
    listen: (host, port, came) =>
      new Promise((done, fail) => {
        if (isGone) return fail(new Error(LOST));
        client.forwardIn(host, port, (error, bound) => {
          if (error) return fail(new Error(`the server does not listen at ${placeOf(host, port)}`));
          listeners.set(placeOf(host, bound), came);
          done(bound);
        });
      }),
    unlisten: (host, port) =>
      new Promise((done, fail) => {
        listeners.delete(placeOf(host, port));
        if (isGone) return done();
        client.unforwardIn(host, port, error => (error ? fail(new Error(wordsOf(error))) : done()));
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
