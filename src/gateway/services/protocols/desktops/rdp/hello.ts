// The first message of either side behind TLS (MS-RDPBCGR, 2.2.1.3 and 2.2.1.4): what the client can draw, which channels there are. The
// browser's engine says less than it can do: what it says is mended here.
import { Malformed } from '../passing.ts';

/** Where the client's blocks begin, and the server's (T.124 keys). */
const KEY = { client: Buffer.from('Duca'), server: Buffer.from('McDn') } as const;
const BLOCK = {
  clientCore: 0xc001,
  clientNet: 0xc003,
  serverCore: 0x0c01,
  serverNet: 0x0c03,
  serverMessages: 0x0c04,
} as const;
/** Offsets in the client's core block. */
const CORE = { build: 20, highColours: 140, colours: 142, flags: 144, selected: 212 } as const;
/** As Windows 10 says it: xrdp resizes its screen for no older client. */
const BUILD = 19_041;
const HIGH_COLOURS = 24;
/** 24, 16, 15 and 32 bits. */
const COLOURS_ALL = 0xf;
const FLAG = { wants32Bits: 2, graphicsPipeline: 0x100 } as const;
const CHANNEL_BYTES = 12;
const CHANNELS_MOST = 31;

export interface ClientHello {
  readonly pdu: Buffer;
  /** Names of the static channels, in order. */
  readonly channels: readonly string[];
}
export interface ServerHello {
  readonly pdu: Buffer;
  /** Numbers of the static channels, in the order in which they were named. */
  readonly channels: readonly number[];
  /** What everything is drawn over. */
  readonly io: number;
  /** Measuring of the line goes over it; 0: there is none. */
  readonly messages: number;
}

/** `secured`: what the server has chosen, which the client was not told of. Throws Malformed. */
export function mendClientHello(pdu: Buffer, secured: number): ClientHello {
  const mended = Buffer.from(pdu);
  const channels: string[] = [];
  let hasCore = false;
  for (const { kind, bytes } of blocksOf(mended, KEY.client)) {
    if (kind === BLOCK.clientCore) {
      if (bytes.length < CORE.selected + 4) throw new Malformed('the client does not say what it can draw');
      hasCore = true;
      bytes.writeUInt32LE(BUILD, CORE.build);
      bytes.writeUInt16LE(HIGH_COLOURS, CORE.highColours);
      bytes.writeUInt16LE(bytes.readUInt16LE(CORE.colours) | COLOURS_ALL, CORE.colours);
      // What is drawn over a channel of its own would be in no recording.
      bytes.writeUInt16LE((bytes.readUInt16LE(CORE.flags) | FLAG.wants32Bits) & ~FLAG.graphicsPipeline, CORE.flags);
      bytes.writeUInt32LE(secured, CORE.selected);
    } else if (kind === BLOCK.clientNet) {
      const count = bytes.length >= 8 ? bytes.readUInt32LE(4) : 0;
      if (count > CHANNELS_MOST || bytes.length < 8 + count * CHANNEL_BYTES)
        throw new Malformed('the client names channels that are none');
      for (let at = 8; channels.length < count; at += CHANNEL_BYTES)
        channels.push(bytes.toString('latin1', at, at + 8).replace(/\0.*$/s, ''));
    }
  }
  if (!hasCore) throw new Malformed('the client does not say what it can draw');
  return { pdu: mended, channels };
}

/** `requested`: how the client asked to be secured, which the server was not. Throws Malformed. */
export function mendServerHello(pdu: Buffer, requested: number): ServerHello {
  const mended = Buffer.from(pdu);
  let channels: readonly number[] = [];
  let io = 0;
  let messages = 0;
  for (const { kind, bytes } of blocksOf(mended, KEY.server)) {
    if (kind === BLOCK.serverCore && bytes.length >= 12) bytes.writeUInt32LE(requested, 8);
    else if (kind === BLOCK.serverMessages && bytes.length >= 6) messages = bytes.readUInt16LE(4);
    else if (kind === BLOCK.serverNet && bytes.length >= 8) {
      io = bytes.readUInt16LE(4);
      const count = bytes.readUInt16LE(6);
      if (bytes.length < 8 + 2 * count) throw new Malformed('the server names channels that are none');
      channels = Array.from({ length: count }, (_, index) => bytes.readUInt16LE(8 + 2 * index));
    }
  }
  if (io === 0) throw new Malformed('the server does not say what it draws over');
  return { pdu: mended, channels, io, messages };
}

function* blocksOf(pdu: Buffer, key: Buffer): Generator<{ readonly kind: number; readonly bytes: Buffer }> {
  const found = pdu.indexOf(key);
  const first = pdu[found + key.length];
  if (found < 0 || first === undefined) throw new Malformed('a first message says nothing');
  let at = found + key.length + ((first & 0x80) === 0 ? 1 : 2);
  while (at + 4 <= pdu.length) {
    const length = pdu.readUInt16LE(at + 2);
    if (length < 4 || at + length > pdu.length) throw new Malformed('a first message is shorter than it says');
    yield { kind: pdu.readUInt16LE(at), bytes: pdu.subarray(at, at + length) };
    at += length;
  }
}
