// What the console asks of a new password before the gateway is asked (specification section 5).
import { PASSWORD_LEAST_CHARACTERS } from '../../../contract/users.ts';

/** Passwords longer than this are refused by the gateway, bytes of UTF-8. */
const PASSWORD_MOST_BYTES = 1024;

/** What is wrong with a password, or undefined. `least` is the gateway's own rule, never below the specification's floor. */
export function passwordProblem(password: string, least: number): string | undefined {
  const floor = Math.max(PASSWORD_LEAST_CHARACTERS, least);
  // Counted as people count: an emoji is one.
  if ([...password].length < floor) return `Enter at least ${floor} characters`;
  if (new TextEncoder().encode(password).length > PASSWORD_MOST_BYTES)
    return `Enter at most ${PASSWORD_MOST_BYTES} bytes`;
  return undefined;
}

/** What is wrong with the repeated password, or undefined. */
export function confirmProblem(password: string, confirmed: string): string | undefined {
  if (confirmed === '') return 'Please confirm your password';
  return confirmed === password ? undefined : 'Password does not match';
}
