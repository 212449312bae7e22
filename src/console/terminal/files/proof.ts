// What is needed before something is done with files: a second factor where roles ask for one, and the approval of those in a session there.
import type { MakeCall } from '../../../contract/call.ts';
import { authenticateChallenge, mfaRequired } from '../../../contract/mfa.ts';
import type { FileRequest } from '../../../contract/terminal.ts';
import type { Place } from './place.ts';

/** What a call says of the leave it has of others. */
export type Leave = Readonly<Record<string, string>>;
export interface ProofPorts {
  readonly call: MakeCall;
  /** Asks for a hardware key: its answer as JSON. */
  readonly prove: (title: string, challenge: string, onGone: (run: () => void) => void) => Promise<string>;
  /** Waits for those whom the session there asks; nothing where nobody is asked. Rejects with a sentence. */
  readonly approval: (place: Place, transfer: FileRequest, signal: AbortSignal) => Promise<Leave>;
}
/** The answer of a hardware key, as a call takes it; nothing where roles ask for none. */
export type Proof = (place: Place, signal?: AbortSignal) => Promise<{ readonly webauthn?: string }>;

export const createProof =
  ({ call, prove }: Pick<ProofPorts, 'call' | 'prove'>): Proof =>
  async ({ clusterId, serverId, login, title }, signal) => {
    const node = { node_name: serverId, login };
    const { required } = await call(mfaRequired, { params: { clusterId }, body: { node } });
    if (!required) return {};
    const challenge = await call(authenticateChallenge);
    const answer = await prove(title, JSON.stringify(challenge), run => signal?.addEventListener('abort', run));
    return { webauthn: JSON.stringify({ webauthnAssertionResponse: JSON.parse(answer) }) };
  };
