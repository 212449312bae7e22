// What the command line may ask of a gateway: one schema for each body. The answers are in the contract.
import * as z from 'zod/mini';
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
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  roles: z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.minLength(1), z.maxLength(100)),
  logins: z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.maxLength(1000)),
});
/** `force`: also where nobody can sign in then. */
export const passwordsBody = z.strictObject({ accepted: z.boolean(), force: z.boolean() });
export const alertBody = z.strictObject({
  severity: z.int().check(z.gte(0), z.lte(100)),
  message: z.string().check(z.minLength(1), z.maxLength(1024)),
  link: z.optional(z.url({ protocol: /^https?$/ }).check(z.maxLength(2048))),
  billing: z.optional(z.boolean()),
});
/** Files as the command line read them; the names only begin problems. */
export const applyBody = z.strictObject({
  files: z
    .array(z.strictObject({ name: z.string().check(z.maxLength(4096)), content: z.string() }))
    .check(z.maxLength(1000)),
  dryRun: z.boolean(),
});
/** What was written down elsewhere of the audit log, a line of JSON each. */
export const verifyBody = z.strictObject({ anchors: z.optional(z.string()) });
export const expireBody = z.strictObject({ dryRun: z.boolean() });
export const holdBody = createHold.parts.body;
export const releaseBody = releaseHold.parts.body;
