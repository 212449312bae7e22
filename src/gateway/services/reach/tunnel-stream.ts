// A channel of a tunnel as a stream that can be had before the channel is there, and that hands its bytes on without keeping them.
import { Duplex } from 'node:stream';
import type { ReachedStream } from '../../ports/reach.ts';

export class TunnelStream extends Duplex implements ReachedStream {
  /** As a socket says it: `connect` is still to come. */
  connecting = true;
  #channel: Duplex | null = null;

  constructor(open: () => Promise<Duplex>, receive: (bytes: Uint8Array) => void) {
    super({ allowHalfOpen: true });
    open().then(
      channel => {
        if (this.destroyed) return void channel.destroy();
        this.#channel = channel;
        channel.on('data', receive);
        channel.on('end', () => this.push(null));
        channel.on('error', error => this.destroy(error));
        channel.on('close', () => this.destroy());
        if (this.isPaused()) channel.pause();
        this.connecting = false;
        this.emit('connect');
      },
      (error: Error) => this.destroy(error),
    );
  }
  override pause(): this {
    this.#channel?.pause();
    return super.pause();
  }
  override resume(): this {
    this.#channel?.resume();
    return super.resume();
  }
  destroySoon(): void {
    this.end(() => this.destroy());
  }
  // What comes goes to whoever receives it.
  override _read(): void {}
  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#channel) this.#channel.write(bytes, encoding, done);
    else this.once('connect', () => this._write(bytes, encoding, done));
  }
  override _final(done: () => void): void {
    this.#channel?.end();
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#channel?.destroy();
    done(error);
  }
}
