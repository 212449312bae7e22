import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Malformed } from '../passing.ts';
import { channelData } from './mcs.ts';
import { createMender, type MendParts } from './mend.ts';
import { readPdus } from './pdus.ts';

const u16 = (value: number): number[] => [value & 255, value >> 8];
const block = (kind: number, length: number, content: readonly number[] = []): number[] => [
  ...u16(kind),
  ...u16(length),
  ...content,
  ...Array.from({ length: length - 4 - content.length }, () => 0),
];
const hello = (key: string, ...blocks: readonly number[][]): Buffer => {
  const pdu = Buffer.from([3, 0, 0, 0, 2, 0xf0, 0x80, 0x7f, ...Buffer.from(key), 0x81, 0, ...blocks.flat()]);
  pdu.writeUInt16BE(pdu.length, 2);
  return pdu;
};
const name = (text: string): number[] => [...Buffer.from(text.padEnd(8, '\0')), 0, 0, 0, 0];
const clientHello = hello(
  'Duca',
  block(0xc001, 216),
  block(0xc003, 44, [3, 0, 0, 0, ...name('cliprdr'), ...name('drdynvc'), ...name('rdpdr')]),
);
const serverHello = hello(
  'McDn',
  block(0x0c03, 14, [...u16(1003), ...u16(3), ...u16(1004), ...u16(1005), ...u16(1006)]),
);
/** Unicode, three texts that are empty, and two. */
const info = (user: string): Buffer => {
  const text = Buffer.from(`${user}\0`, 'utf16le');
  const head = Buffer.alloc(4 + 18);
  head.writeUInt16LE(0x40, 0);
  head.writeUInt32LE(0x10 | 0x80, 8);
  head.writeUInt16LE(text.length - 2, 14);
  return Buffer.concat([head, Buffer.alloc(2), text, Buffer.alloc(6), Buffer.from('rest')]);
};
const piece = (content: readonly number[], flags = 3): Buffer =>
  Buffer.from([...u16(content.length), 0, 0, flags, 0, 0, 0, ...content]);

function rig(parts: Partial<MendParts> = {}) {
  const [server, client, copied]: [Buffer[], { pdu: Buffer; isDrawn: boolean }[], [string, number][]] = [[], [], []];
  const mender = createMender({
    credentials: { domain: 'EXAMPLE', user: 'alice', password: 'kept' },
    secured: 2,
    requested: 1,
    sharesClipboard: () => true,
    copied: (from, bytes) => void copied.push([from, bytes]),
    toServer: pdu => void server.push(pdu),
    toClient: (pdu, isDrawn) => void client.push({ pdu, isDrawn }),
    ...parts,
  });
  return { mender, server, client, copied };
}
function begun(parts: Partial<MendParts> = {}) {
  const at = rig(parts);
  at.mender.fromClient(clientHello);
  at.mender.fromServer(serverHello);
  at.mender.fromClient(channelData('fromClient', 1007, 1003, info('mallory')));
  const server = at.server.splice(0);
  at.client.splice(0);
  return { ...at, begin: server };
}

test('the gateway writes who logs in, whatever the client says, and what the server has chosen', () => {
  const { begin } = begun();
  expect(begin[0]?.readUInt32LE(begin[0].indexOf('Duca') + 6 + 212)).toBe(2);
  const written = begin[1]?.toString('utf16le', begin[1]?.indexOf(Buffer.from('EXAMPLE', 'utf16le')) ?? 0) ?? '';
  expect(written).toMatch(/^EXAMPLE\0alice\0kept\0\0\0/);
  expect(begin[1]?.includes(Buffer.from('mallory', 'utf16le'))).toBe(false);
  // Logged in by itself, and nothing packed.
  expect((begin[1]?.readUInt32LE(15 + 8) ?? 0) & 0x88).toBe(0x8);
});

test('what comes before its turn ends the session', () => {
  const early = rig();
  expect(() => early.mender.fromClient(channelData('fromClient', 1007, 1003, info('x')))).toThrow(Malformed);
  expect(() => early.mender.fromServer(serverHello)).toThrow('the server answered what nobody asked');
  early.mender.fromClient(clientHello);
  expect(() => early.mender.fromClient(clientHello)).toThrow('the client began twice');
  expect(() => early.mender.fromClient(Buffer.of(4, 4, 0, 1))).toThrow('before it logged in');
});

test("files, drives and channels that nobody knows stay; the clipboard's text goes by its right and is counted", () => {
  let isShared = true;
  const { mender, server, client, copied } = begun({ sharesClipboard: () => isShared });
  const sends = (channel: number, content: readonly number[]) =>
    mender.fromClient(channelData('fromClient', 1007, channel, piece(content)));
  const text = [5, 0, 1, 0, 6, 0, 0, 0, 0x61, 0, 0x62, 0, 0, 0];
  sends(1004, text);
  expect(server.splice(0)).toHaveLength(1);
  expect(copied).toEqual([['fromClient', 6]]);
  // Files, and a picture: whoever asks for that is told that there is none.
  sends(1004, [9, 0, 1, 0, 0, 0, 0, 0]);
  sends(1006, [1, 2, 3]);
  sends(1999, [1, 2, 3]);
  sends(1004, [4, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0]);
  expect(server).toHaveLength(0);
  expect(client.splice(0).map(({ pdu }) => [...pdu.subarray(-8, -4)])).toEqual([[5, 0, 2, 0]]);
  isShared = false;
  sends(1004, text);
  expect(server).toHaveLength(0);
});

test('servers open no channel but that of the size of the screen, and what is sent on others is not shown', () => {
  const { mender, server, client } = begun();
  const opens = (id: number, called: string) =>
    mender.fromServer(channelData('fromServer', 1002, 1005, piece([0x10, id, ...Buffer.from(`${called}\0`)])));
  opens(1, 'Microsoft::Windows::RDS::DisplayControl');
  expect(client.splice(0)).toHaveLength(1);
  opens(2, 'Microsoft::Windows::RDS::Graphics');
  mender.fromServer(channelData('fromServer', 1002, 1005, piece([0x30, 2, 1, 2, 3])));
  expect(client).toHaveLength(0);
  expect([...(server[0]?.subarray(-6) ?? [])]).toEqual([0x10, 2, 1, 0x40, 0, 0x80]);
});

test('what xrdp says too short of an end is made whole, and a bitmap is given the place that it fills', () => {
  const { mender, client } = begun();
  mender.fromServer(channelData('fromServer', 1002, 1003, Buffer.from([6, 0, 0x16, 0, 0xea, 3])));
  expect(client[0]?.pdu.length).toBe(15 + 13);
  const bitmap = [1, 0, 1, 0, 8, 0, 0, 0, 9, 0, 0, 0, 4, 0, 1, 0, 24, 0, 0, 0, 2, 0, 7, 7];
  mender.fromServer(Buffer.from([0, 2 + 3 + bitmap.length, 1, bitmap.length, 0, ...bitmap]));
  expect(client[1]?.pdu.readUInt16LE(5 + 4 + 4)).toBe(11);
});

test('5000 streams of what is none, cut anywhere, end with a reason or go on: nothing dies', () => {
  const slow = (from: 'fromClient' | 'fromServer') =>
    fc
      .tuple(fc.constantFrom(1003, 1004, 1005, 1006, 77), fc.uint8Array({ maxLength: 80 }))
      .map(([channel, data]) => channelData(from, 1007, channel, Buffer.from(data)));
  const wild = fc.uint8Array({ maxLength: 60 }).map(data => Buffer.from(data));
  const fast = fc.uint8Array({ maxLength: 60 }).map(data => Buffer.from([0, 2 + data.length, ...data]));
  const share = fc
    .tuple(fc.integer({ min: 0, max: 15 }), fc.uint8Array({ maxLength: 60 }))
    .map(([kind, data]) =>
      channelData('fromServer', 1002, 1003, Buffer.from([6 + data.length, 0, kind, 0, 0, 0, ...data])),
    );
  const side = fc.constantFrom('fromClient', 'fromServer');
  const sent = side.chain(from =>
    fc.tuple(fc.constant(from), fc.array(fc.oneof(slow(from), wild, fast, share), { maxLength: 4 })),
  );
  fc.assert(
    fc.property(sent, fc.integer({ min: 1, max: 40 }), ([from, pdus], cut) => {
      const { mender } = begun();
      const read = readPdus(from === 'fromClient' ? mender.fromClient : mender.fromServer);
      const all = Buffer.concat(pdus);
      try {
        for (let at = 0; at < all.length; at += cut) read(all.subarray(at, at + cut));
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
      }
    }),
    { numRuns: 5000 },
  );
});
