// Names on a host are bytes; here they are text. A byte that is no part of valid UTF-8 stands as the lone surrogate U+DC00 + byte, which
// no valid text holds, so that every name can be read, shown and given back as it was.

/** Bytes of a path or name as text. */
export function textOfName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd') || Buffer.from(text, 'utf8').equals(bytes)) return text;
  let whole = '';
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const piece = bytes.subarray(at, at + length);
    const read = piece.toString('utf8');
    const isValid = piece.length === length && Buffer.from(read, 'utf8').equals(piece);
    whole += isValid ? read : String.fromCharCode(0xdc00 + lead);
    at += isValid ? length : 1;
  }
  return whole;
}

/** The bytes behind a text of `textOfName`, or behind any text. */
export const bytesOfName = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/([\udc80-\udcff])/u)
      .map((part, index) => (index % 2 === 1 ? Buffer.of(part.charCodeAt(0) - 0xdc00) : Buffer.from(part, 'utf8'))),
  );
