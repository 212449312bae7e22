// What a machine says that dials in with `ssh -N -R`: names of remote sockets, and nothing else.
import type { Duplex } from 'node:stream';
import type { Connection } from 'ssh2';
import { ConnectError } from '../../../../ports/reach.ts';
import type { TunnelGate } from '../../../../ports/tunnels.ts';
import type { Way } from './way.ts';

/** A peer that says nothing is asked, and cut off after this, ms. */
const SILENT_MOST_MS = 8000;
/** What does not answer at the other end by then is not there, ms. */
const OPEN_MS = 10_000;
const ED25519 = 'ssh-ed25519';

export const createTunnelWay = (gate: TunnelGate): Way => ({
  async judge({ algorithm, blob }) {
    const meet = algorithm === ED25519 ? await gate.judge(blob) : null;
    if (!meet) return null;
    return {
      publicKey: blob,
      silentMostMs: SILENT_MOST_MS,
      gathersPackets: true,
      begin({ connection, remoteAddr, hangUp }) {
        const events = meet({ remoteAddr, hangUp, open: path => openChannel(connection, path) });
        connection.on('request', (accept, reject, asked: string, info) => {
          // The engine's types leave out what is OpenSSH's own.
          const { socketPath = '' } = info as { readonly socketPath?: string };
          if (asked === 'cancel-streamlocal-forward@openssh.com') {
            events.withdraws(socketPath);
            accept?.();
          } else if (asked === 'streamlocal-forward@openssh.com' && events.offers(socketPath)) accept?.();
          // Another's name, a port of ours: OpenSSH ends by that.
          else reject?.();
        });
        connection.on('close', () => events.over());
      },
    };
  },
});

function openChannel(connection: Connection, path: string): Promise<Duplex> {
  return new Promise((done, fail) => {
    let isOver = false;
    const lost = (why: string): void => {
      isOver = true;
      clearTimeout(late);
      connection.off('close', gone);
      fail(new ConnectError('unreachable', why));
    };
    const gone = (): void => lost('its tunnel has just broken');
    const late = setTimeout(() => lost(`no answer within ${OPEN_MS / 1000} s over its tunnel`), OPEN_MS);
    connection.once('close', gone);
    try {
      connection.openssh_forwardOutStreamLocal(path, (error, channel) => {
        if (isOver) return void channel?.destroy();
        if (error) return lost('its tunnel is up, but nothing answers at its end');
        clearTimeout(late);
        connection.off('close', gone);
        done(asSocket(channel));
      });
    } catch (error) {
      lost(error instanceof Error ? error.message : String(error));
    }
  });
}

/** What those who were promised a socket call, and a channel does not have. */
export function asSocket(channel: Duplex): Duplex {
  const itself = () => channel;
  const missing = {
    setTimeout: itself,
    setNoDelay: itself,
    setKeepAlive: itself,
    ref: itself,
    unref: itself,
    destroySoon: () => channel.end(),
  };
  for (const [name, act] of Object.entries(missing))
    if (!(name in channel)) Object.defineProperty(channel, name, { value: act });
  return channel;
}
