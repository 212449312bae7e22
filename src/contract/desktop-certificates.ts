// The certificate that a desktop over RDP shows, and trusting another one in its place.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, name } from './shapes.ts';

/** SHA-256 of a certificate in DER, 64 hexadecimal digits in lower case. */
const fingerprint = z.string().check(z.regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits expected'));
const oneDesktop = z.extend(clusterParams, { name });

/** What a person compares before another certificate is trusted. */
export const desktopCertificateChange = z.object({
  name: z.string(),
  addr: z.string(),
  /** The one that is trusted; '' where none is yet. */
  pinned: z.string(),
  /** The one that the desktop shows now. */
  shown: z.string(),
});
export type DesktopCertificateChange = z.infer<typeof desktopCertificateChange>;

export const compareDesktopCertificate = call('POST', 'sites/:clusterId/desktops/:name/certificate', {
  summary:
    'Connect to a desktop over RDP and answer the certificate it shows beside the one that is trusted. Nothing is changed.',
  access: { resource: 'windows_desktop', verb: 'update' },
  params: oneDesktop,
  reply: desktopCertificateChange,
});
export const trustDesktopCertificate = call('PUT', 'sites/:clusterId/desktops/:name/certificate', {
  summary: 'Trust the certificate that a desktop shows now in place of the one it had, after a person compared them.',
  access: { resource: 'windows_desktop', verb: 'update' },
  params: oneDesktop,
  body: z.object({
    /** The one that was confirmed. Refused when the desktop shows another one by now. */
    certificate: fingerprint,
    /** The trusted one that the person was shown, '' for none. Refused when another one is trusted by now. */
    replaces: z.union([z.literal(''), fingerprint]),
  }),
  reply: desktopCertificateChange,
});
