// Passwords by which the gateway signs in to databases that cannot tell users by certificates: derived, so that none is kept, and each good
// at one server alone. Nobody is shown one; a server is given its hash.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Settings } from '../../store/store.ts';

const PLACE = 'databases.passwords';
const KEY_BYTES = 32;

export interface DatabasePasswords {
  /** `serverName`: the name that the server's certificate has. */
  of(serverName: string, dbUser: string): Promise<string>;
  /** SHA-256, hexadecimal. */
  hashOf(serverName: string, dbUser: string): Promise<string>;
}
interface PasswordParts {
  readonly settings: Pick<Settings, 'get' | 'putIfAbsent'>;
  readonly secrets: {
    seal(secret: string, place: string): Promise<string>;
    open(sealed: string, place: string): string;
  };
}

/** The key is made at the first use; gateways that share a store have the same one. */
export function createDatabasePasswords({ settings, secrets }: PasswordParts): DatabasePasswords {
  const key = async (): Promise<string> => {
    const kept =
      (await settings.get(PLACE)) ??
      (await settings.putIfAbsent(PLACE, await secrets.seal(randomBytes(KEY_BYTES).toString('base64'), PLACE)));
    return secrets.open(z.parse(z.string(), kept), PLACE);
  };
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
