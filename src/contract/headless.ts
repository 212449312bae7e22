/**
 * Signing in on a machine without a browser: it asks, and its person approves in a browser elsewhere, with a hardware key.
 *
 * Whoever asks makes a secret of its own, the verifier, shows the link `/web/headless/<id>` whose id is the SHA-256 of the verifier's 64
 * characters, as hex, and makes `headlessSignIn` again and again until it answers a session or refuses. The person sees the address that
 * asks, and answers the challenge of `mfa/authenticatechallenge`. The link alone opens no session: only the verifier does, once.
 */
import * as z from 'zod/mini';
import { call } from './call.ts';
import { assertion } from './mfa.ts';
import { sessionReply } from './session.ts';
import { ok, time, verifier } from './shapes.ts';

/** A request can be answered for so long, from the first call on, milliseconds. */
export const HEADLESS_MS = 180_000;
/** Longest wait of one call of `headlessSignIn`, milliseconds. */
export const HEADLESS_WAIT_MS = 25_000;

const id = verifier;

export const headlessSignIn = call('POST', 'headless/login', {
  summary:
    'Ask for a session that the person approves elsewhere. Answers after 25 seconds at most: null while nobody has, then ask again with the same verifier.',
  access: 'public',
  csrf: true,
  body: z.object({ user: z.string().check(z.minLength(1), z.maxLength(255)), verifier }),
  /** Refused with `denied` when the person said no, or said nothing for three minutes. */
  reply: z.object({ session: z.nullable(sessionReply) }),
});

/** As the wire numbers them. */
export const headlessStates = { pending: 1, denied: 2, approved: 3 } as const;
export const getHeadless = call('GET', 'headless/:id', {
  summary: "A request for one's own session. Waits up to three minutes until somebody asks.",
  access: 'signedIn',
  params: z.object({ id }),
  /** Whoever has answered is shown how, for three minutes; to everybody else an answered request is gone. */
  reply: z.object({
    user: z.string(),
    state: z.enum(headlessStates),
    /** Where it is asked from, without the port. */
    client_ip_address: z.string(),
    /** Ours: what the program that asks calls itself. */
    user_agent: z.string(),
    /** Ours: until when it can be answered. */
    expires: time,
  }),
});
export const answerHeadless = call('PUT', 'headless/:id', {
  summary: 'Approve the request with a hardware key, or refuse it.',
  access: 'signedIn',
  params: z.object({ id }),
  body: z.object({ action: z.enum(['accept', 'denied']), webauthnAssertionResponse: z.nullish(assertion) }),
  reply: ok,
});
