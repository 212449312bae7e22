import { expect, test, vi } from 'vitest';
import { openRdpSocket, rdpSocketAt } from './rdp-socket.ts';

/** As the engine uses one. */
interface Used {
  addEventListener(type: string, listener: (event: { data?: ArrayBuffer; code?: number }) => void): void;
  send(data: Blob): void;
}
function use(address: string) {
  const socket = rdpSocketAt(address) as Used | undefined;
  const heard: string[] = [];
  socket?.addEventListener('open', () => heard.push('open'));
  socket?.addEventListener('message', ({ data }) => heard.push(String.fromCharCode(...new Uint8Array(data ?? []))));
  socket?.addEventListener('close', ({ code }) => heard.push(`closed ${code}`));
  return { socket, heard };
}

test('sockets that were opened one after the other lead each to its own, whichever the engine asks for first', async () => {
  const said: string[] = [];
  const [one, two] = [openRdpSocket(bytes => said.push(`1:${bytes}`)), openRdpSocket(bytes => said.push(`2:${bytes}`))];
  const [first, second] = [use(one.address), use(two.address)];
  await vi.waitFor(() => expect([first.heard, second.heard]).toEqual([['open'], ['open']]), 4_000);
  one.tell(Uint8Array.of(65));
  two.tell(Uint8Array.of(66));
  expect([first.heard, second.heard]).toEqual([
    ['open', 'A'],
    ['open', 'B'],
  ]);
  second.socket?.send(new Blob([Uint8Array.of(7)]));
  await vi.waitFor(() => expect(said).toEqual(['2:7']), 4_000);
  one.close();
  await vi.waitFor(() => expect(first.heard.at(-1)).toBe('closed 1000'), 4_000);
  expect(rdpSocketAt(one.address)).toBeUndefined();
  expect(rdpSocketAt('wss://elsewhere.example/')).toBeUndefined();
  two.close();
});

test('what is sent is heard in order, and nothing is heard or told once it is closed', async () => {
  const said: number[] = [];
  const socket = openRdpSocket(([first = 0]) => said.push(first));
  const { socket: used, heard } = use(socket.address);
  await vi.waitFor(() => expect(heard).toEqual(['open']), 4_000);
  // The second is read sooner.
  used?.send({ arrayBuffer: () => new Promise(done => setImmediate(() => done(Uint8Array.of(1).buffer))) } as Blob);
  used?.send(new Blob([Uint8Array.of(2)]));
  await vi.waitFor(() => expect(said).toEqual([1, 2]), 4_000);
  socket.close();
  socket.tell(Uint8Array.of(65));
  used?.send(new Blob([Uint8Array.of(3)]));
  await vi.waitFor(() => expect(heard).toEqual(['open', 'closed 1000']), 4_000);
  expect(said).toEqual([1, 2]);
});
