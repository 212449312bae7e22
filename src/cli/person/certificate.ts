// A certificate for one target, for a key that is made here and stays here.
import { generateKeyPairSync } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError } from '../../contract/failure.ts';
import { assertion } from '../../contract/mfa.ts';
import { complain } from '../output.ts';
import { askKeyInBrowser } from './session-key.ts';
import type { Session } from './signed.ts';

interface Asked {
  /** PEM. */
  readonly publicKey: string;
  readonly webauthnAssertionResponse?: z.output<typeof assertion>;
}

/** `ask` fetches it; `challenge` what a hardware key is asked where roles want one for each session. Throws Refused, ApiError. */
export async function certify<Credential>(
  session: Session,
  ask: (body: Asked) => Promise<Credential>,
  challenge: () => Promise<unknown>,
): Promise<Credential & { readonly privateKey: string }> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const credential = await ask({ publicKey }).catch(async (error: unknown) => {
    // The words by which clients of this wire know that they must ask for a touch.
    if (!(error instanceof ApiError && error.message.startsWith('MFA required'))) throw error;
    const say = (what: string, address: string): void => complain(`${what}:\n${address}`);
    const answer = await askKeyInBrowser(session.url, JSON.stringify(await challenge()), say, () => undefined);
    return ask({ publicKey, webauthnAssertionResponse: z.parse(assertion, JSON.parse(answer)) });
  });
  return { ...credential, privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
