// The text that a message of the clipboard carries (RFC 6143, 7.5.6 and 7.6.4, and the extended clipboard of rfbproto).
import { inflateSync } from 'node:zlib';
import { CLIPBOARD_MOST_BYTES } from '../../../../../contract/desktop-sessions.ts';

/** Of the extended clipboard's flags: here is what was asked for. */
const PROVIDE = 1 << 28;
/** A text's own flag, and what may come beside a text: rich text and HTML are not looked at. */
const TEXT = 1;

/**
 * How many bytes of text there are; null where a message only speaks of the clipboard, without a text. `length` is the message's own, negative for
 * the extended form. What cannot be unpacked counts as it came.
 */
export function textLength(length: number, body: Buffer): number | null {
  if (length >= 0) return length;
  if (body.length < 4) return null;
  const flags = body.readUInt32BE(0);
  if ((flags & PROVIDE) === 0 || (flags & TEXT) === 0) return null;
  try {
    const unpacked = inflateSync(body.subarray(4), { maxOutputLength: 2 * CLIPBOARD_MOST_BYTES });
    return Math.max(0, unpacked.readUInt32BE(0) - 1);
  } catch {
    return body.length - 4;
  }
}
