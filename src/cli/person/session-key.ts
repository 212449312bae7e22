// The hardware key that a role asks for with each session: a browser has it, asks for it, and comes back to this machine with the answer.
import * as z from 'zod/mini';
import { readJson } from '../../contract/json.ts';
import { challenge } from '../../contract/mfa.ts';
import { to } from '../../features/paths.ts';
import { plainText } from '../output.ts';
import { Refused } from '../verb.ts';
import { openBrowser } from './browser.ts';
import { openLoopback } from './loopback.ts';

/** In the path of the page where other requests have their id: this one is known by its challenge. */
const REQUEST = 'key';

/** Says it on standard error, the address on a line of its own. */
export const sayOnError = (what: string, address: string): void =>
  void process.stderr.write(`postern: ${what}:\n${plainText(address)}\n`);

/**
 * Answers a session's question, JSON for JSON. `say` tells the person what to do and where; `onGone` takes what ends the waiting.
 * Throws Refused when nobody came back in time.
 */
export async function askKeyInBrowser(
  url: string,
  asked: string,
  say: (what: string, address: string) => void,
  onGone: (run: () => void) => void,
): Promise<string> {
  const read = z.safeParse(challenge, readJson(asked)).data?.webauthn_challenge;
  if (!read) throw new Refused('the gateway asked for a hardware key in a way that cannot be read');
  const loopback = await openLoopback(`${url}${to('loginTerminal')}`);
  onGone(loopback.close);
  try {
    const query = {
      challenge: read.publicKey.challenge,
      redirect_url: `${loopback.address}?state=${loopback.state}`,
    };
    const address = `${url}${to('headless', { requestId: REQUEST }, query)}`;
    say('Touch your hardware key in the browser, within five minutes', address);
    openBrowser(address);
    const assertion = (await loopback.answer).get('assertion');
    if (assertion === null) throw new Refused('the browser came back without an answer: try again');
    return assertion;
  } finally {
    loopback.close();
  }
}
