// What the command line may ask of a gateway: one schema for each body. The answers are in the contract.
import * as z from 'zod';

const label = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[a-zA-Z/.0-9_*-]+$/, 'letters, digits and / . _ * -'),
  value: z.string().max(1024),
});
/** host or host:port; IPv6 in brackets. */
const address = z
  .string()
  .min(1)
  .max(262)
  .regex(/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/, 'host or host:port');

export const probeBody = z.strictObject({ addr: address });
export const serverBody = z.strictObject({
  addr: address,
  hostname: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[A-Za-z0-9._-]+$/, 'letters, digits and . _ -'),
  labels: z.array(label).max(64),
  hostKey: z.string().max(16_384),
});
export const userBody = z.strictObject({
  name: z.string().min(1).max(255),
  roles: z.array(z.string().min(1).max(255)).min(1).max(100),
  logins: z.array(z.string().min(1).max(255)).max(1000),
});
export const alertBody = z.strictObject({
  severity: z.number().int().min(0).max(100),
  message: z.string().min(1).max(1024),
  link: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
  billing: z.boolean().optional(),
});
/** Files as the command line read them; the names only begin problems. */
export const applyBody = z.strictObject({
  files: z.array(z.strictObject({ name: z.string().max(4096), content: z.string() })).max(1000),
  dryRun: z.boolean(),
});
