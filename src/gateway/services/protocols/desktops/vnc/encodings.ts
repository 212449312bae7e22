// Encodings of VNC that are relayed (RFC 6143, 7.7 and 7.8, and rfbproto): those that can be followed message by message.

export const encodings = {
  raw: 0,
  copyRect: 1,
  tight: 7,
  desktopSize: -223,
  lastRect: -224,
  cursor: -239,
  qemuKeys: -258,
  desktopName: -307,
  extendedDesktopSize: -308,
  fence: -312,
  continuousUpdates: -313,
  extendedClipboard: 0xc0a1e5ce - 2 ** 32,
} as const;

const known: ReadonlySet<number> = new Set(Object.values(encodings));

/** Whether a client may ask for it: how fine and how small pictures are, too. */
export const isRelayed = (encoding: number): boolean =>
  known.has(encoding) || (encoding >= -32 && encoding <= -23) || (encoding >= -256 && encoding <= -247);
