/**
 * A lost password or a lost device, replaced by whoever has a recovery code: the code gives a token, and with the token and what is not
 * lost the other is set anew. All earlier devices, links and sessions end, and new codes take the place of the old.
 */
import * as z from 'zod/mini';
import { call } from './call.ts';
import { assertion, challenge, code, creation, recovery } from './mfa.ts';
import { name, time } from './shapes.ts';
import { visible } from './visible-text.ts';

/** Life of a recovery token, milliseconds. */
export const RECOVERY_MS = 15 * 60_000;

export const beginRecovery = call('POST', 'users/recovery', {
  summary:
    'Use up a recovery code for a token of fifteen minutes. Refused the same for every name and code that do not fit.',
  access: 'public',
  csrf: true,
  body: z.object({
    user: z.string().check(z.minLength(1), z.maxLength(255)),
    /** As it is printed; capitals, spaces and a missing prefix do not matter. */
    code: z.string().check(z.minLength(1), z.maxLength(255)),
    lost: z.enum(['password', 'device']),
  }),
  reply: z.object({ tokenId: z.string(), expires: time }),
});

export const recoveryChallenge = call('POST', 'mfa/token/:token/authenticatechallenge', {
  summary: 'What is asked, beside the token, of somebody who lost their password; nothing where both fields say no.',
  access: 'public',
  params: z.object({ token: name }),
  reply: challenge,
});

export const completeRecovery = call('PUT', 'users/recovery', {
  summary:
    'Set what was lost. A lost password: the new one, and the code or the answer of a device to the challenge of the token. A lost device: the password, if there is one, and the new device, registered with the challenge of the token; all others go. Then sign in.',
  access: 'public',
  csrf: true,
  body: z.object({
    token: name,
    /** base64 of UTF-8: the new one where it was lost, otherwise the present one, or null for whoever has none. */
    password: z.nullable(z.string().check(z.maxLength(4096))),
    /** Of a device that one has, or of the new one. */
    second_factor_token: z.nullish(code),
    webauthnAssertionResponse: z.nullish(assertion),
    deviceName: z.nullish(z.string().check(z.maxLength(255), visible)),
    webauthnCreationResponse: z.nullish(creation),
  }),
  reply: z.object({ recovery, privateKeyPolicyEnabled: z.optional(z.boolean()) }),
});
