// The licence that a dashboard hands out: one file, which begins with a certificate that says until when it is good.
import { createHash, X509Certificate } from 'node:crypto';

/** Largest file of a licence, bytes. */
const LICENSE_MOST_BYTES = 64 * 1024;

export interface License {
  readonly text: string;
  readonly ends: Date;
  readonly bytes: number;
  /** SHA-256, in hex. */
  readonly sum: string;
}

/** Answers what is wrong with the file in its place. */
export function readLicense(text: string): License | string {
  const bytes = Buffer.byteLength(text);
  if (bytes > LICENSE_MOST_BYTES) return `larger than ${LICENSE_MOST_BYTES / 1024} KiB`;
  try {
    const ends = new Date(new X509Certificate(text).validTo);
    return { text, ends, bytes, sum: createHash('sha256').update(text).digest('hex') };
  } catch {
    return 'no certificate in PEM, which a licence begins with';
  }
}
