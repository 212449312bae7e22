// What people set for themselves: password and device by an invite or reset link, and another password.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { assertion, code, creation, recovery } from './mfa.ts';
import { name, ok } from './shapes.ts';
import { visible } from './visible-text.ts';

export const getResetToken = call('GET', 'users/password/token/:token', {
  summary: 'Who an invite or reset link is for.',
  access: 'public',
  params: z.object({ token: name }),
  reply: z.object({ tokenId: z.string(), user: z.string(), qrCode: z.string() }),
});
/** Passwords travel as base64 of UTF-8. */
const password64 = z.string().check(z.maxLength(4096));
export const completeReset = call('PUT', 'users/password/token', {
  summary:
    'Set the password and device that an invite or reset link asks for, and sign in. Without a password the device must be a passkey.',
  access: 'public',
  csrf: true,
  body: z.object({
    token: name,
    password: z.nullable(password64),
    second_factor_token: z.nullish(code),
    deviceName: z.nullish(z.string().check(z.maxLength(255), visible)),
    webauthnCreationResponse: z.nullish(creation),
  }),
  reply: z.object({
    recovery,
    privateKeyPolicyEnabled: z.optional(z.boolean()),
    /** Ours: the person may add others. */
    mayInvite: z.optional(z.boolean()),
  }),
});
export const changePassword = call('PUT', 'users/password', {
  summary: "Change one's own password, or set the first one.",
  access: 'signedIn',
  body: z.object({
    /** Null: there is none yet, and an answer to what `mfa/authenticatechallenge` asked stands in its place. */
    old_password: z.nullable(password64),
    new_password: password64,
    second_factor_token: z.nullish(code),
    webauthnAssertionResponse: z.nullish(assertion),
  }),
  reply: ok,
});
