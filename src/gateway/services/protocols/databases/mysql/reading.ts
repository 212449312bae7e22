// What the gateway asks a MySQL server itself, on a connection that nobody else speaks on meanwhile.
import type { Duplex } from 'node:stream';
import { Malformed } from '../frames.ts';
import { EOF, ERROR, errorText, numberAt, OK, packet, readPacket } from './messages.ts';

/** Rows and columns of an answer, together. */
const PACKETS_MOST = 1000;
const NULL_VALUE = 0xfb;
const END_MOST_BYTES = 9;

/** The rows of a statement as text; none where it answers no rows. Rejects with the server's words, with Malformed, and when it hangs up. */
export async function ask(
  server: Duplex,
  statement: string,
  packetsMost = PACKETS_MOST,
): Promise<readonly (readonly string[])[]> {
  server.write(packet(0, Buffer.from(`\x03${statement}`)));
  const first = (await readPacket(server)).body;
  if (first[0] === ERROR) throw new Error(errorText(first));
  if (first[0] === OK) return [];
  const rows: string[][] = [];
  let ends = 0;
  for (let packets = 0; packets < packetsMost; packets++) {
    const { body } = await readPacket(server);
    if (body[0] === ERROR) throw new Error(errorText(body));
    if (body[0] === EOF && body.length < END_MOST_BYTES) ends += 1;
    else if (ends === 1) rows.push(values(body));
    if (ends === 2) return rows;
  }
  throw new Malformed('an answer without end');
}
function values(row: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < row.length; ) {
    if (row[at] === NULL_VALUE) {
      texts.push('NULL');
      at += 1;
      continue;
    }
    const [length, next] = numberAt(row, at);
    texts.push(row.toString('utf8', next, next + length));
    at = next + length;
  }
  return texts;
}

/** Modes in which quotes and escapes mean something else, and other languages begin. */
const OTHER_MODES = /ANSI|NO_BACKSLASH_ESCAPES|ORACLE|MSSQL|DB2|POSTGRESQL|MAXDB/;
const CHARSETS = /^(?:utf8|utf8mb3|utf8mb4|latin1|ascii|binary)$/;
/** Whether texts mean in this session what their words say. Rejects when the server hangs up. */
export async function isPlain(server: Duplex): Promise<boolean> {
  const [[mode = 'ANSI', charset = ''] = []] = await ask(server, 'select @@sql_mode, @@character_set_client');
  return !OTHER_MODES.test(mode) && CHARSETS.test(charset);
}
