// Signing in where there is no browser: a link that the person opens elsewhere, and the wait for their answer.
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../contract/failure.ts';
import { HEADLESS_MS, headlessSignIn } from '../../contract/headless.ts';
import type { SessionReply } from '../../contract/session.ts';
import { to } from '../../features/paths.ts';
import { complain } from '../output.ts';
import { type Entrance, newVerifier } from './signed.ts';

/** Pause before a gateway that went away is asked again, ms. */
const RETRY_MS = 1000;

/** Shows the link, and answers when it was approved. Throws ApiError: refused, run out, or the gateway did not come back in time. */
export async function signInHeadless(
  { url, call }: Entrance,
  user: string,
  show: (what: string, address: string) => void,
): Promise<SessionReply> {
  const { verifier, challenge: requestId } = newVerifier();
  const until = performance.now() + HEADLESS_MS;
  show(
    `Approve this as ${user} with a hardware key, within ${HEADLESS_MS / 60_000} minutes`,
    `${url}${to('headless', { requestId })}`,
  );
  let isAway = false;
  for (;;) {
    try {
      const { session } = await call(headlessSignIn, { body: { user, verifier } });
      if (session !== null) return session;
      isAway = false;
    } catch (error) {
      // The request waits in the gateway's store: one that restarts knows it still.
      const mayReturn = error instanceof ApiError && (error.code === 'network' || error.code === 'unavailable');
      if (!mayReturn || performance.now() > until) throw error;
      if (!isAway) complain(`${error.message}; trying again`);
      isAway = true;
      await pause(RETRY_MS);
    }
  }
}
