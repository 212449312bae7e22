// What the command line may ask of a gateway. One schema for each body: the answers are plain JSON.
import * as z from 'zod';
import type { AppliedResource } from '../../contract/resource-documents.ts';

/** Header that names the OS user of the command line, for the audit log. */
export const ADMIN_USER_HEADER = 'x-postern-user';

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

/** What each call answers. */
export interface AdminAnswers {
  readonly probe: {
    readonly addr: string;
    readonly hostKey: { readonly type: string; readonly fingerprint: string; readonly publicKey: string };
  };
  readonly server: {
    readonly id: string;
    readonly hostname: string;
    readonly addr: string;
    readonly subKind: string;
    /** The machine that this very gateway runs on. */
    readonly own: boolean;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly alert: { readonly name: string; readonly severity: number; readonly message: string; readonly link: string };
  readonly invite: { readonly user: string; readonly link: string; readonly expires: string };
  /** With any problem nothing was changed. */
  readonly applied: { readonly problems: readonly string[]; readonly resources: readonly AppliedResource[] };
  readonly declared: {
    readonly kind: string;
    readonly name: string;
    readonly title: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly origin: string;
  };
  readonly document: { readonly content: string };
  readonly check: { readonly ok: boolean; readonly problem: string };
}
