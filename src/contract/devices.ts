// The devices of the second factor that somebody has.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { time } from './shapes.ts';

/** One of them. */
export const device = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['TOTP', 'U2F', 'WebAuthn']),
  lastUsed: time,
  addedAt: time,
  /** Ours: it signs in by itself. */
  passwordless: z._default(z.boolean(), false),
  /** Ours: why it cannot be removed now; absent where it can. */
  kept: z.optional(z.string()),
});
export type Device = z.infer<typeof device>;
export const listDevices = call('GET', 'mfa/devices', {
  summary: "One's own devices.",
  access: 'signedIn',
  reply: z.array(device),
});
