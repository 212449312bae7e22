// What the command line may ask of a gateway: one schema for each body. The answers are in the contract.
import * as z from 'zod';
import { hostAndPort, hostName } from '../../contract/address.ts';
import { createHold, releaseHold } from '../../contract/holds.ts';
import { hostKeyLine } from '../../contract/host-keys.ts';
import { givenLabels } from '../../contract/shapes.ts';

export const probeBody = z.strictObject({ addr: hostAndPort });
export const serverBody = z.strictObject({
  addr: hostAndPort,
  hostname: hostName,
  labels: givenLabels,
  hostKey: hostKeyLine,
});
export const userBody = z.strictObject({
  name: z.string().min(1).max(255),
  roles: z.array(z.string().min(1).max(255)).min(1).max(100),
  logins: z.array(z.string().min(1).max(255)).max(1000),
});
/** `force`: also where nobody can sign in then. */
export const passwordsBody = z.strictObject({ accepted: z.boolean(), force: z.boolean() });
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
/** What was written down elsewhere of the audit log, a line of JSON each. */
export const verifyBody = z.strictObject({ anchors: z.string().optional() });
export const expireBody = z.strictObject({ dryRun: z.boolean() });
export const holdBody = createHold.parts.body;
export const releaseBody = releaseHold.parts.body;
