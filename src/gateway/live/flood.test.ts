// More output than the network takes at once: the memory of frames is used again, and no byte may change meanwhile.
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { decodeFrame, frameTypes } from '../../contract/envelope.ts';
import { CLUSTER, openRig } from '../app.testing.ts';

const STEP = 2 * 1024 * 1024;

test('a flood that the network takes slowly arrives byte for byte', async () => {
  // A busy machine is no silent peer.
  const rig = await openRig({ config: { keepAliveMs: 60_000 } });
  try {
    await rig.addUser('ann', ['access'], ['root']);
    const server = await rig.addServer('db-3');
    await rig.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = rig.app.server.address() as AddressInfo;
    const { bearer, cookie } = await rig.signIn('ann');
    const query = new URLSearchParams({
      access_token: bearer,
      params: JSON.stringify({ server_id: server, login: 'root', sid: '', mode: '', term: { h: 24, w: 80 } }),
      traceparent: '',
    });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/webapi/sites/${CLUSTER}/connect?${query}`, {
      headers: { cookie: `__Host-session=${cookie}` },
    } as unknown as string[]);
    socket.binaryType = 'arraybuffer';
    const begun = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    // Every line says where it stands.
    const whole = Array.from({ length: STEP / 2 }, (_, line) => `${String(line).padStart(7, '0')}\n`).join('');
    const pieces: Uint8Array[] = [];
    let came = 0;
    socket.addEventListener('message', ({ data }) => {
      const { type, payload } = decodeFrame(new Uint8Array(data as ArrayBuffer));
      if (type === frameTypes.session) begun.resolve();
      if (type !== frameTypes.raw) return;
      pieces.push(payload);
      came += payload.length;
      if (came >= whole.length) over.resolve();
    });
    socket.addEventListener('close', () => over.resolve());
    await begun.promise;
    const [shell] = rig.shells;
    // The client reads in this same loop: while we print, frames wait; between, some are taken and their memory serves again.
    for (let at = 0; at < whole.length; at += STEP) {
      shell?.print(whole.slice(at, at + STEP));
      await new Promise(resolve => setImmediate(resolve));
    }
    await over.promise;
    expect(came).toBe(whole.length);
    expect(Buffer.concat(pieces).toString('latin1') === whole).toBe(true);
    socket.close();
  } finally {
    await rig.dispose();
  }
}, 30_000);
