// Signing in at an identity provider: in the person's browser, which comes back to this machine with a code that is worth a session.
import type { WebConfig } from '../../contract/config.ts';
import { consoleSignInPaths, exchangeCode } from '../../contract/connectors.ts';
import type { SessionReply } from '../../contract/session.ts';
import { to } from '../../features/paths.ts';
import { Refused, UsageError } from '../verb.ts';
import { openLoopback } from './loopback.ts';
import { type Entrance, newVerifier } from './signed.ts';

type Provider = WebConfig['auth']['providers'][number];

/** The connector that is meant: the one there is, or the one that is named. Throws UsageError. */
export function chosenProvider(name: string | undefined, providers: readonly Provider[]): Provider {
  const [only, second] = providers;
  if (only === undefined) throw new UsageError('sign-in: --user NAME is needed: this gateway has no identity provider');
  if (name === undefined && second === undefined) return only;
  const found = providers.find(provider => provider.name === name);
  if (found !== undefined) return found;
  const names = providers.map(provider => provider.name).join(', ');
  throw new UsageError(
    `sign-in: ${name === undefined ? '' : `--connector: "${name}": `}--connector is one of ${names}`,
  );
}

/** Shows the address and answers when the browser has come back. Throws Refused: nobody came, or ApiError: the code is not taken. */
export async function signInAtProvider(
  { url, call }: Entrance,
  { name, type, displayName }: Provider,
  show: (what: string, address: string) => void,
): Promise<SessionReply> {
  const { verifier, challenge } = newVerifier();
  const loopback = await openLoopback(`${url}${to('loginTerminal')}`);
  try {
    const query = new URLSearchParams({
      connector_id: name,
      code_challenge: challenge,
      redirect_url: `${loopback.address}?state=${loopback.state}`,
    });
    show(`Sign in with ${displayName || name} within five minutes`, `${url}${consoleSignInPaths[type]}?${query}`);
    const code = (await loopback.answer).get('code');
    if (code === null) throw new Refused('the browser came back without a code: sign in again');
    return await call(exchangeCode, { body: { code, verifier } });
  } finally {
    loopback.close();
  }
}
