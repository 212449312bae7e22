// Passwords by which the gateway signs in to databases that cannot tell users by certificates: derived, so that none is kept, and each good
// at one server alone. Nobody is shown one; a server is given its hash.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type SharedKeyParts, sharedKey } from '../shared-key.ts';

const PLACE = 'databases.passwords';
const KEY_BYTES = 32;

export interface DatabasePasswords {
  /** `serverName`: the name that the server's certificate has. */
  of(serverName: string, dbUser: string): Promise<string>;
  /** SHA-256, hexadecimal. */
  hashOf(serverName: string, dbUser: string): Promise<string>;
}

/** The key is made at the first use; gateways that share a store have the same one. */
export function createDatabasePasswords(parts: SharedKeyParts): DatabasePasswords {
  const key = sharedKey(parts, PLACE, () => randomBytes(KEY_BYTES).toString('base64'));
  const of = async (serverName: string, dbUser: string): Promise<string> =>
    createHmac('sha256', await key())
      .update(JSON.stringify([serverName, dbUser]))
      .digest('base64url');
  return {
    of,
    hashOf: async (serverName, dbUser) =>
      createHash('sha256')
        .update(await of(serverName, dbUser))
        .digest('hex'),
  };
}
