// The deployment's own logo: an image file of the operator's, looked at before it is served.
import { createHash } from 'node:crypto';

export interface Logo {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly bytes: Uint8Array;
  /** Where it is served. It changes with the image, so that browsers may keep it for good. */
  readonly path: string;
}

/** Part of what is loaded with every page of a browser that does not have it yet. */
const LOGO_MOST_BYTES = 256 * 1024;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** An SVG document: what may stand before its root, and the root. */
const SVG_START = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/s;

/** The image in a file, or what is wrong with it. */
export function readLogo(bytes: Uint8Array): Logo | string {
  if (bytes.length > LOGO_MOST_BYTES) return `a file of at most ${LOGO_MOST_BYTES / 1024} KiB expected`;
  const type = PNG_SIGNATURE.every((byte, index) => bytes[index] === byte)
    ? 'image/png'
    : SVG_START.test(new TextDecoder().decode(bytes))
      ? 'image/svg+xml'
      : undefined;
  if (type === undefined) return 'an SVG or PNG image expected';
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { type, bytes, path: `/web/logo/${name}.${type === 'image/png' ? 'png' : 'svg'}` };
}
