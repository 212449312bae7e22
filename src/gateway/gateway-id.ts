// Which of the gateways that share a store this one is: an id kept in the data folder, made once.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the id; when there is none, keeps `earlier` or a new one. The caller holds the folder's lock. Throws Error for a file that holds
 * another thing.
 */
export async function readGatewayId(dataFolder: string, earlier: () => Promise<unknown>): Promise<string> {
  const file = join(dataFolder, 'gateway.id');
  if (existsSync(file)) {
    const id = readFileSync(file, 'utf8').trim();
    if (!isId(id)) throw new Error(`${file}: a UUID expected, as this gateway wrote it`);
    return id;
  }
  const known = await earlier();
  const id = typeof known === 'string' && isId(known) ? known : randomUUID();
  // Whole or not at all: half an id would stop the next start.
  const draft = openSync(`${file}.new`, 'w', 0o600);
  try {
    writeSync(draft, `${id}\n`);
    fsyncSync(draft);
  } finally {
    closeSync(draft);
  }
  renameSync(`${file}.new`, file);
  return id;
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
