// Dials the tunnel port of another gateway, and offers one name there: what comes for it arrives as streams.
import { connect, type Socket } from 'node:net';
import type { Client } from 'ssh2';
import type { Dial } from '../../../ports/tunnels.ts';
import { asSocket } from './port/tunnel.ts';
import { gatherPackets, prepareKeys } from './ssh2-private.ts';

/** Until the connection stands, ms. */
const DIAL_MS = 15_000;
/** A peer that says nothing is asked this often, and given up after as many unanswered questions, ms. */
const ASK_MS = 2000;
const ASKED_TIMES = 3;
/** The user name of whoever dials in. */
const USER = 'tunnel';

export const dialGateway: Dial = async ({ host, port, hostKey, privateKey, path, take }) => {
  const { default: ssh2 } = await import('ssh2');
  const client: Client = new ssh2.Client();
  const socket: Socket = connect({ host, port, noDelay: true });
  const over = Promise.withResolvers<string>();
  let isStranger = false;
  let why = 'the connection ended';
  const hangUp = (): void => {
    client.destroy();
    socket.destroy();
  };
  const late = setTimeout(() => {
    why = `no answer within ${DIAL_MS / 1000} s`;
    hangUp();
  }, DIAL_MS);
  client.on('error', error => {
    why = isStranger ? 'another key is shown there than the one that was pinned: nothing was sent' : sentence(error);
    hangUp();
  });
  socket.on('error', error => {
    why = sentence(error);
  });
  socket.on('close', () => {
    clearTimeout(late);
    over.resolve(why);
  });
  client.on('handshake', () => {
    prepareKeys(client);
    gatherPackets(client, socket);
  });
  client.on('unix connection', (_info, accept) => take(asSocket(accept())));
  const offered = new Promise<void>((done, fail) => {
    void over.promise.then(said => fail(new Error(said)));
    client.once('ready', () =>
      client.openssh_forwardInStreamLocal(path, error => {
        clearTimeout(late);
        if (!error) return done();
        why = 'the other gateway does not take this cluster there';
        hangUp();
      }),
    );
  });
  client.connect({
    sock: socket,
    username: USER,
    privateKey,
    hostVerifier: (shown: Buffer) => {
      isStranger = !shown.equals(hostKey);
      return !isStranger;
    },
    algorithms: {
      serverHostKey: ['ssh-ed25519'],
      cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'chacha20-poly1305@openssh.com'],
    },
    // The other gateway speaks OpenSSH's forwarding, and does not call itself OpenSSH.
    strictVendor: false,
    readyTimeout: DIAL_MS,
    keepaliveInterval: ASK_MS,
    keepaliveCountMax: ASKED_TIMES,
  });
  await offered;
  return { over: over.promise, hangUp };
};

const sentence = (error: Error): string =>
  /authentication methods failed/i.test(error.message)
    ? 'the other gateway does not know this cluster: it has been removed there'
    : error.message;
