// Messages of RDP as a recording has them, as far as whoever plays one must know them (MS-RDPBCGR 2.2).

/** Behind TPKT and X.224. */
const AT = 7;
const KIND = { connect: 0x7f, join: 0x38, joined: 0x3e, fromClient: 0x64, fromServer: 0x68 } as const;
const SHARE = { demandActive: 1, deactivateAll: 6, data: 7 } as const;
const FONT_MAP = 0x28;

const u16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
const u16le = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
const isSlow = (pdu: Uint8Array): boolean => pdu[0] === 3;

/** Cuts bytes into messages as they come. */
export function createCutter(): (bytes: Uint8Array) => Uint8Array[] {
  let held = new Uint8Array(0);
  return bytes => {
    const all = new Uint8Array(held.length + bytes.length);
    all.set(held);
    all.set(bytes, held.length);
    const found: Uint8Array[] = [];
    let at = 0;
    while (at + 4 <= all.length) {
      const second = all[at + 1] ?? 0;
      const length =
        all[at] === 3 ? u16(all, at + 2) : (second & 0x80) === 0 ? second : ((second & 0x7f) << 8) | (all[at + 2] ?? 0);
      if (length < 2 || at + length > all.length) break;
      found.push(all.subarray(at, at + length));
      at += length;
    }
    held = all.subarray(at);
    return found;
  };
}

/** What a message of the server's is to whoever plays it. */
export type Played =
  | { readonly kind: 'hello'; readonly channels: readonly number[] }
  | { readonly kind: 'joined' }
  /** A screen begins; another ends before it. */
  | { readonly kind: 'screen'; readonly width: number; readonly height: number }
  | { readonly kind: 'noScreen' }
  /** The last of what begins a screen. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'other' };

export function readPlayed(pdu: Uint8Array): Played {
  const kind = pdu[AT];
  if (!isSlow(pdu)) return { kind: 'other' };
  if (kind === KIND.connect) return { kind: 'hello', channels: channelsOf(pdu) };
  if (kind === KIND.joined) return { kind: 'joined' };
  if (kind !== KIND.fromServer) return { kind: 'other' };
  const data = dataOf(pdu);
  const share = u16le(data, 2) & 0xf;
  if (share === SHARE.deactivateAll) return { kind: 'noScreen' };
  if (u16le(data, 0) !== data.length) return { kind: 'other' };
  if (share === SHARE.data && data[14] === FONT_MAP) return { kind: 'begun' };
  return share === SHARE.demandActive ? screenOf(data) : { kind: 'other' };
}
function dataOf(pdu: Uint8Array): Uint8Array {
  const at = AT + 6;
  return pdu.subarray(at + (((pdu[at] ?? 0) & 0x80) === 0 ? 1 : 2));
}
function screenOf(data: Uint8Array): Played {
  let at = 14 + u16le(data, 10);
  const count = u16le(data, at);
  at += 4;
  for (let left = count; left > 0 && at + 4 <= data.length; left -= 1) {
    // The bitmap capabilities hold the size of the screen.
    if (u16le(data, at) === 2) return { kind: 'screen', width: u16le(data, at + 12), height: u16le(data, at + 14) };
    at += Math.max(4, u16le(data, at + 2));
  }
  return { kind: 'other' };
}
/** Blocks of a first message, behind the key that they begin with. */
function* blocksOf(pdu: Uint8Array, key: string): Generator<{ readonly kind: number; readonly bytes: Uint8Array }> {
  const found = String.fromCharCode(...pdu).indexOf(key);
  if (found < 0) return;
  let at = found + key.length + (((pdu[found + key.length] ?? 0) & 0x80) === 0 ? 1 : 2);
  while (at + 4 <= pdu.length) {
    const length = Math.max(4, u16le(pdu, at + 2));
    yield { kind: u16le(pdu, at), bytes: pdu.subarray(at, at + length) };
    at += length;
  }
}
function channelsOf(pdu: Uint8Array): readonly number[] {
  for (const { kind, bytes } of blocksOf(pdu, 'McDn'))
    if (kind === 0x0c03) return Array.from({ length: u16le(bytes, 6) }, (_, index) => u16le(bytes, 8 + 2 * index));
  return [];
}

/** What a message of the client's asks for. */
export type Asked =
  | { readonly kind: 'hello'; readonly channels: readonly string[] }
  | { readonly kind: 'join'; readonly answer: Uint8Array }
  | { readonly kind: 'sent'; readonly channel: number }
  | { readonly kind: 'other' };
export function readAsked(pdu: Uint8Array): Asked {
  if (!isSlow(pdu)) return { kind: 'other' };
  const kind = pdu[AT];
  if (kind === KIND.connect) {
    for (const { kind: block, bytes } of blocksOf(pdu, 'Duca'))
      if (block === 0xc003)
        return {
          kind: 'hello',
          channels: Array.from({ length: u16le(bytes, 4) }, (_, index) =>
            String.fromCharCode(...bytes.subarray(8 + 12 * index, 16 + 12 * index)).replace(/\0.*$/s, ''),
          ),
        };
    return { kind: 'hello', channels: [] };
  }
  if (kind === KIND.join) {
    const channel = pdu.subarray(AT + 3, AT + 5);
    const who = pdu.subarray(AT + 1, AT + 3);
    return {
      kind: 'join',
      answer: Uint8Array.of(3, 0, 0, 15, 2, 0xf0, 0x80, KIND.joined, 0, ...who, ...channel, ...channel),
    };
  }
  return kind === KIND.fromClient ? { kind: 'sent', channel: u16(pdu, AT + 3) } : { kind: 'other' };
}

/** Asks the client for a channel that it does not have: it answers once it has done all before. */
export function question(channel: number): Uint8Array<ArrayBuffer> {
  const create = [0x10, 1, 0x3f, 0];
  const piece = [create.length, 0, 0, 0, 3, 0, 0, 0, ...create];
  const head = [2, 0xf0, 0x80, KIND.fromServer, 0x03, 0xea, channel >> 8, channel & 255, 0x70, 0x80, piece.length];
  return Uint8Array.of(3, 0, 0, 4 + head.length + piece.length, ...head, ...piece);
}

/** Any certificate will do: the engine wants one, and nothing is encrypted. Made for this; its key was thrown away. DER, in base64. */
export const recordedCertificate =
  'MIIBfzCCASWgAwIBAgIUDCJeaWJUkHT7BGZMs8CkE8UL0F4wCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJcmVjb3JkaW5nMCAXDTI2MTEyMzE0NDkyNVoYDzIxMjYxMDMwMTQ0OTI1WjAUMRIwEAYDVQQDDAlyZWNvcmRpbmcwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASjlpIxy8962xbeRItL6l40vwIFFquxFkwfyt4DA1Sb0mHjsuX/ZNFpVAr1R4flM55D10grizqB7Z3jRND6tRPdo1MwUTAdBgNVHQ4EFgQUTKWre4dqNJ0vVDiwCrgz8jLw1wYwHwYDVR0jBBgwFoAUTKWre4dqNJ0vVDiwCrgz8jLw1wYwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiB98CaCCHansstyotBxM1yy2ggOMpjNofgSvpblm0u51AIhALZz+vTiaWaET1V7nfAHnAzmjIEySKpMPPchBmLlILAD';
const VERSION = Uint8Array.of(2, 2, 0x0d, 0x3e);

function der(tag: number, content: ArrayLike<number>): Uint8Array {
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Uint8Array.from([...head, ...Array.from(content)]);
}
/** What a player says to an engine that begins with RDCleanPath: a confirm for plain TLS, and the certificate, DER. */
export function recordedWelcome(certificate: Uint8Array): Uint8Array {
  const confirm = [3, 0, 0, 19, 14, 0xd0, 0, 0, 0, 0, 0, 2, 0, 8, 0, 1, 0, 0, 0];
  return der(0x30, [
    ...der(0xa0, VERSION),
    ...der(0xa6, der(4, confirm)),
    ...der(0xa7, der(0x30, der(4, certificate))),
    ...der(
      0xa9,
      der(
        0x0c,
        Array.from('recording', letter => letter.charCodeAt(0)),
      ),
    ),
  ]);
}

/** Keeps pieces of a picture that come in several messages of the fast path: those that are not whole yet. */
export function createFragments(): { take(pdu: Uint8Array): void; readonly open: readonly Uint8Array[] } {
  let open: Uint8Array[] = [];
  return {
    take(pdu) {
      if (isSlow(pdu)) return;
      let at = ((pdu[1] ?? 0) & 0x80) === 0 ? 2 : 3;
      let isOpen = open.length > 0;
      while (at + 3 <= pdu.length) {
        const head = pdu[at] ?? 0;
        const isPacked = head >> 6 === 2;
        const piece = (head >> 4) & 3;
        if (piece !== 0) isOpen = piece !== 1;
        at += (isPacked ? 4 : 3) + u16le(pdu, at + (isPacked ? 2 : 1));
      }
      open = isOpen ? [...open, pdu] : [];
    },
    get open() {
      return open;
    },
  };
}

/** Side of the pieces that a picture is told in: one fits into a message. */
const PIECE_SIDE = 96;
/** Of a bitmap (MS-RDPBCGR, 2.2.9.1.1.3.1.2.2): packed as planes, without a head of its own. */
const PLANES = 0x401;
/** Planes as they are, without transparency (MS-RDPEGDI, 2.2.2.5.1). */
const PLAIN_PLANES = 0x20;

/** Messages of a server that draws a picture all over its screen. `pixels`: red, green, blue and one more byte each. */
export function* drawnPicture(width: number, height: number, pixels: ArrayLike<number>): Generator<Uint8Array> {
  for (let top = 0; top < height; top += PIECE_SIDE)
    for (let left = 0; left < width; left += PIECE_SIDE) {
      const [wide, high] = [Math.min(PIECE_SIDE, width - left), Math.min(PIECE_SIDE, height - top)];
      const planes = new Uint8Array(2 + 3 * wide * high);
      planes[0] = PLAIN_PLANES;
      for (let plane = 0; plane < 3; plane += 1)
        for (let y = 0; y < high; y += 1)
          for (let x = 0; x < wide; x += 1)
            // The lowest line is the first.
            planes[1 + plane * wide * high + (high - 1 - y) * wide + x] =
              pixels[((top + y) * width + left + x) * 4 + plane] ?? 0;
      const place = [left, top, left + wide - 1, top + high - 1, wide, high, 32, PLANES, planes.length];
      const head = [1, 1, ...place].flatMap(value => [value & 255, value >> 8]);
      const size = head.length + planes.length;
      const all = size + 6;
      const message = new Uint8Array(all);
      message.set([0, 0x80 | (all >> 8), all & 255, 1, size & 255, size >> 8, ...head]);
      message.set(planes, all - planes.length);
      yield message;
    }
}
