// The second step of a sign-in at a terminal: the code of an authenticator app. What a terminal cannot ask for is left to a browser.
import { ApiError } from '../../contract/failure.ts';
import { beginSignIn } from '../../contract/mfa.ts';
import { type SessionReply, signIn } from '../../contract/session.ts';
import { complain } from '../output.ts';
import { Refused } from '../verb.ts';
import { askUnseen, hasTerminal } from './secret.ts';
import type { Entrance } from './signed.ts';

/** Codes that one run sends: the gateway locks a name after five that are wrong. */
const CODES_MOST = 3;
/** What the gateway says of whatever was wrong. */
const WRONG = 'invalid credentials';

const isWrong = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'denied' && error.message === WRONG;

/** Signs in by password and, where it is asked for, a code. Null: the hardware key is to be used, in a browser. Throws Refused, ApiError. */
export async function signInByPassword(
  { call }: Entrance,
  given: { readonly user: string; readonly pass: string },
): Promise<SessionReply | null> {
  const { webauthn_challenge: key, totp_challenge: hasApp } = await call(beginSignIn, { body: given }).catch(
    (error: unknown) => {
      // Which of the two it is the gateway does not say, so that nobody learns which names there are.
      throw isWrong(error) ? new Refused(`${WRONG}: the user name or the password is wrong`) : error;
    },
  );
  if (!hasApp) return key === null ? call(signIn, { body: given }) : null;
  if (!hasTerminal())
    throw new Refused(
      'a code of your authenticator app is asked for, and there is no terminal to type it in: use --headless',
    );
  for (let left = CODES_MOST; ; left--) {
    const code = await askUnseen(
      `Code of your authenticator app${key === null ? '' : ' (or Enter for your hardware key in the browser)'}: `,
    );
    if (code === '' && key !== null) return null;
    if (code === '') throw new Refused('no code was typed');
    try {
      return await call(signIn, { body: { ...given, second_factor_token: code.replaceAll(' ', '') } });
    } catch (error) {
      if (!isWrong(error)) throw error;
      const said = `${WRONG}: the code is wrong, or was used already`;
      if (left === 1) throw new Refused(said);
      complain(`${said}; ${left === 2 ? 'one more try' : `${left - 1} more tries`}`);
    }
  }
}
