// What a verb reads: a file, or what is piped in.
import { readBytes } from '../../node/read-file.ts';
import { UsageError } from '../verb.ts';

/** Stands for standard input. */
export const STDIN = '-';
/** Largest text on standard input, bytes. */
const STDIN_MOST_BYTES = 16 * 1024 * 1024;

/** Throws UsageError for more than it may be. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > STDIN_MOST_BYTES) throw new UsageError(`standard input: more than ${STDIN_MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Text of a file, or of standard input. Throws UsageError where there is none. */
export async function readText(path: string): Promise<string> {
  if (path === STDIN) return readStdin();
  const bytes = readBytes(path);
  if (bytes === null) throw new UsageError(`${path}: no such file`);
  return bytes.toString();
}
