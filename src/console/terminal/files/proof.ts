// The second factor of what is done with files, where roles ask for one.
import type { MakeCall } from '../../../contract/call.ts';
import { authenticateChallenge, mfaRequired } from '../../../contract/mfa.ts';
import type { Place } from './place.ts';

export interface ProofPorts {
  readonly call: MakeCall;
  /** Asks for a hardware key: its answer as JSON. */
  readonly prove: (title: string, challenge: string, onGone: (run: () => void) => void) => Promise<string>;
}
/** The answer of a hardware key, as a call takes it; nothing where roles ask for none. */
export type Proof = (place: Place, signal?: AbortSignal) => Promise<{ readonly webauthn?: string }>;

export const createProof =
  ({ call, prove }: ProofPorts): Proof =>
  async ({ clusterId, serverId, login, title }, signal) => {
    const node = { node_name: serverId, login };
    const { required } = await call(mfaRequired, { params: { clusterId }, body: { node } });
    if (!required) return {};
    const challenge = await call(authenticateChallenge);
    const answer = await prove(title, JSON.stringify(challenge), run => signal?.addEventListener('abort', run));
    return { webauthn: JSON.stringify({ webauthnAssertionResponse: JSON.parse(answer) }) };
  };
