// People's own SSH clients: certificates for the gateway's SSH port, and the socket that leads to it.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, time } from './shapes.ts';

/**
 * Path of the socket; `access_token` and `params` are its query. Where roles ask for a hardware key for each session, a challenge comes first, as
 * in a terminal's. Then comes one text message, and from there on the binary ones are what an SSH client and the gateway's SSH server say.
 */
export const sshSocketPath = '/v1/webapi/sites/:clusterId/ssh/connect';
/** The text message. */
export const SSH_READY = 'ready';

export const sshSocketParams = z.object({
  /** Name or id of the server. */
  server: z.string().check(z.minLength(1), z.maxLength(255)),
});
export type SshSocketParams = z.infer<typeof sshSocketParams>;

export const createSshCertificate = call('POST', 'sites/:clusterId/ssh/certificate', {
  summary: "A certificate for SSH at the gateway's own SSH port, for a key that stays on the machine of this person.",
  access: 'signedIn',
  params: clusterParams,
  body: z.object({
    /** One line, Ed25519, as ssh-keygen writes it. */
    publicKey: z.string().check(z.maxLength(1024, 'at most 1024 characters')),
  }),
  reply: z.object({
    /** One line, as ssh reads it from a CertificateFile; it counts as long as the web session that it was made in. */
    certificate: z.string(),
    expires: time,
  }),
});
export const getSshAccess = call('GET', 'sites/:clusterId/ssh', {
  summary: 'Where SSH clients connect, and the host key that they are shown.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({
    /** One line, algorithm and key. */
    hostKey: z.string(),
    /** Null: by the command line only, nothing is listened on. */
    address: z.nullable(z.object({ host: z.string(), port: z.number() })),
  }),
});
