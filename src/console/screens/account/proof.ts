// Proving again who one is: with the code that was typed, or else with a hardware key.
import type { Assertion, Challenge } from '../../../contract/mfa.ts';
import { askKey } from '../../wizards/credentials/hardware-key.ts';

interface Proof {
  readonly code?: string;
  readonly assertion?: Assertion;
}

/** Nothing where nothing is asked. Rejects with Error whose message is a sentence for people. */
export async function proofFor(challenge: Challenge, code: string): Promise<Proof> {
  if (code.trim() !== '') return { code: code.trim() };
  if (challenge.webauthn_challenge !== null) return { assertion: await askKey(challenge) };
  if (challenge.totp_challenge) throw new Error('Token is required');
  return {};
}
