// Somebody who watches over a network that takes nothing any more.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { decodeFrame, frameTypes } from '../../contract/envelope.ts';
import { CLUSTER, openRig } from '../app.testing.ts';

const STEP_BYTES = 64 * 1024;
/** More than the kernel's buffers and the most that is kept for a watcher. */
const STEPS = 256;

test('an observer whose network stalls never holds the shell, is kept little for, and is shown the present when it is back', async () => {
  // A busy machine is no silent peer.
  const rig = await openRig({ config: { keepAliveMs: 60_000 } });
  try {
    await rig.addUser('ann', ['access'], ['root']);
    const server = await rig.addServer('db-3');
    await rig.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = rig.app.server.address() as AddressInfo;
    const { bearer, cookie } = await rig.signIn('ann');
    const addressOf = (params: object): string =>
      `/v1/webapi/sites/${CLUSTER}/connect?${new URLSearchParams({ access_token: bearer, params: JSON.stringify({ ...params, term: { h: 24, w: 80 } }) })}`;
    const owner = new WebSocket(`ws://127.0.0.1:${port}${addressOf({ server_id: server, login: 'root' })}`, {
      headers: { cookie: `__Host-session=${cookie}` },
    } as unknown as string[]);
    owner.binaryType = 'arraybuffer';
    let came = 0;
    let heard = (): void => undefined;
    owner.addEventListener('message', ({ data }) => {
      const { type, payload } = decodeFrame(new Uint8Array(data as ArrayBuffer));
      if (type === frameTypes.raw) came += payload.length;
      heard();
    });
    await once(owner, 'message');
    const [shell] = rig.shells;
    if (!shell) throw new Error('no shell was opened');
    let pauses = 0;
    Object.assign(shell, { pause: () => (pauses += 1) });

    const watcher = connect(port, '127.0.0.1');
    watcher.write(
      `GET ${addressOf({ sid: shell.sid, mode: 'observer' })} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: __Host-session=${cookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    await expect.poll(() => rig.services.sessions.get(shell.sid)?.session.parties.length).toBe(2);
    watcher.pause();

    for (let step = 1; step <= STEPS; step += 1) {
      shell.print(`step ${step} `.padEnd(STEP_BYTES, '.'));
      while (came < step * STEP_BYTES)
        await new Promise<void>(resolve => {
          heard = resolve;
        });
    }
    expect(pauses).toBe(0);

    let text = '';
    watcher.on('data', bytes => {
      text += bytes.toString('latin1');
    });
    watcher.resume();
    await expect.poll(() => text.includes(`step ${STEPS} `), { timeout: 10_000 }).toBe(true);
    // What it missed is left out, behind a second session frame that clears the screen.
    expect(text.split('"fresh":true').length - 1).toBe(2);
    expect(text.length).toBeLessThan((STEPS * STEP_BYTES) / 2);
    watcher.destroy();
    owner.close();
  } finally {
    await rig.dispose();
  }
}, 30_000);
