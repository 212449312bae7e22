// What the sign-in form says when the gateway refuses.
import type { ApiError } from '../../../contract/failure.ts';

/** A sentence for the form. The gateway's own words stand, but for a hardware key, which no browser form can give. */
export function signInRefused(error: ApiError): string {
  if (error.code === 'hardware_key')
    return `${error.message}. Keys held in hardware cannot be used in browsers: sign in with the command line.`;
  if (error.code === 'network') return `${error.message}. Check the connection, then try again.`;
  return error.message;
}
