// The binary messages of a socket as a stream of bytes.
import { Duplex } from 'node:stream';
import { closeCodes } from '../../contract/terminal.ts';
import { finish, type Socket } from './socket.ts';

/** Ends, and is destroyed, with the socket, and the socket with it. */
export function streamOf(socket: Socket): Duplex {
  const stream = new Duplex({
    read: () => socket.resume(),
    write(bytes: Buffer, _encoding, done) {
      if (socket.readyState !== socket.OPEN) return done();
      socket.send(bytes, { binary: true }, error => done(error ?? null));
    },
    final(done) {
      finish(socket, closeCodes.normal, '');
      done();
    },
    destroy(error, done) {
      finish(socket, closeCodes.normal, '');
      done(error);
    },
  });
  socket.on('message', (message, isBinary) => {
    if (!isBinary || !Buffer.isBuffer(message)) return;
    if (!stream.push(message)) socket.pause();
  });
  socket.on('close', () => {
    stream.push(null);
    stream.destroy();
  });
  return stream;
}
