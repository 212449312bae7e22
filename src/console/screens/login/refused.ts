// What the sign-in form says when the gateway refuses.
import type { ApiError } from '../../../contract/failure.ts';

/** A sentence for the form: the gateway's own words, and what to do where they say too little. */
export const signInRefused = ({ code, message }: ApiError): string =>
  code === 'network' ? `${message}. Check the connection, then try again.` : message;
