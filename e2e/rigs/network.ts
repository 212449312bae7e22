// The network between browser and gateway: a forwarder that can be cut and mended.
import { connect, createServer, type Socket } from 'node:net';

export interface NetworkRig {
  readonly port: number;
  /** Drops every connection and refuses new ones. */
  cut(): void;
  mend(): void;
  dispose(): void;
}

/** Forwards a free port of this machine to another one. */
export function openNetwork(target: number): Promise<NetworkRig> {
  const open = new Set<Socket>();
  let whole = true;
  const keep = (socket: Socket, other: Socket) => {
    open.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  };
  const server = createServer(near => {
    if (!whole) return void near.resetAndDestroy();
    const far = connect(target, '127.0.0.1');
    keep(near, far);
    keep(far, near);
    near.pipe(far);
    far.pipe(near);
  });
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address !== 'object' || address === null) return fail(new Error('no port'));
      done({
        port: address.port,
        cut: () => {
          whole = false;
          for (const socket of open) socket.resetAndDestroy();
        },
        mend: () => {
          whole = true;
        },
        dispose: () => {
          for (const socket of open) socket.destroy();
          server.close();
        },
      });
    });
  });
}
