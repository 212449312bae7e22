// The key by which this command line is a trusted device: one private file beside the session's, which only its owner may read.
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { DeviceKeys } from '../../client/own-device.ts';
import { Refused } from '../verb.ts';

const kept = z.array(
  z.strictObject({
    /** Origin of the gateway, and the person there. */
    url: z.string(),
    user: z.string(),
    device: z.string(),
    /** PKCS 8, PEM. */
    key: z.string(),
  }),
);
type Kept = z.infer<typeof kept>;
const FILE_MOST_BYTES = 262_144;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

function read(file: string): Kept {
  let text: string;
  try {
    const { mode, size } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Refused(`${file} may be read by others, so its keys count for nothing: delete it and enroll again`);
    if (size > FILE_MOST_BYTES) throw new Refused(notOurs(file));
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  try {
    return z.parse(kept, JSON.parse(text));
  } catch {
    throw new Refused(notOurs(file));
  }
}
const notOurs = (file: string): string => `${file} is no file of device keys: delete it and enroll again`;

/** Replaced as a whole, and never readable by others. */
function write(file: string, keys: Kept): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(beside, `${JSON.stringify(keys, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

const signWith = (pem: string, text: string): string =>
  sign('sha256', Buffer.from(text), { key: createPrivateKey(pem), dsaEncoding: 'ieee-p1363' }).toString('base64url');

/** The keys beside a session's file; `url`: the gateway that they are for. Throws Refused. */
export function commandLineKeys(sessionFile: string, url: string): DeviceKeys {
  const file = join(dirname(sessionFile), 'device-keys.json');
  const isFor = (user: string) => (one: Kept[number]) => one.url === url && one.user === user;
  const without = (user: string): Kept => read(file).filter(one => !isFor(user)(one));
  return {
    async read(user) {
      const found = read(file).find(isFor(user));
      return found
        ? { device: found.device, prove: async ({ text }) => ({ signature: signWith(found.key, text) }) }
        : null;
    },
    async make(user, { text }) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return {
        shown: {
          public_key: pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
          key_in: 'command line',
          signature: signWith(key, text),
        },
        keep: async device => write(file, [...without(user), { url, user, device, key }]),
      };
    },
    forget: async user => write(file, without(user)),
  };
}
