// TCP applications, and databases whose protocol the gateway does not speak: bytes both ways, from a port of a person's own machine.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { assertion, challenge } from './mfa.ts';
import { clusterParams, name, time } from './shapes.ts';

/** What a tunnel leads to. */
const tunnelKind = z.enum(['app', 'db']);
export type TunnelKind = z.infer<typeof tunnelKind>;
/** What clients of tunnels name as their protocol when TLS begins (ALPN). */
export const TUNNEL_PROTOCOL = 'postern-tcp';

const identity = z.string().check(z.maxLength(512, 'at most 512 characters'));
const one = z.extend(clusterParams, { kind: tunnelKind, name });

export const tunnelKeyChallenge = call('POST', 'sites/:clusterId/tunnels/:kind/:name/challenge', {
  summary: 'What a hardware key is asked before a tunnel to this one, where roles ask for one for each session.',
  access: 'signedIn',
  params: one,
  atRoot: true,
  reply: challenge,
});
export const createTunnelCertificate = call('POST', 'sites/:clusterId/tunnels/:kind/:name/certificate', {
  summary:
    'A certificate for tunnels of this person to a TCP application, to the API of a cloud, or to a database whose protocol is not relayed, for a key that stays on their machine.',
  access: 'signedIn',
  params: one,
  body: z.object({
    /** PEM (SPKI), P-256. */
    publicKey: z.string().check(z.maxLength(2048, 'at most 2048 characters')),
    /** In the API of a cloud: as whom. Left out, as the only one that roles give. */
    azureIdentity: z.nullish(identity),
    gcpServiceAccount: z.nullish(identity),
    /** Where roles ask for a second factor for each session: the answer to the challenge of this target. */
    webauthnAssertionResponse: z.nullish(assertion),
  }),
  atRoot: true,
  reply: z.object({
    /** PEM; it counts as long as the web session that it was made in. */
    certificate: z.string(),
    /** PEM: vouches for the gateway. */
    authority: z.string(),
    /** Where the client connects with TLS, naming `postern-tcp`; a line of text comes first: empty, or why not. */
    host: z.string(),
    tlsPort: z.number(),
    expires: time,
    /** Of the API of a cloud, where HTTP follows that line: which, and as whom. */
    cloud: z.optional(z.object({ provider: z.enum(['azure', 'gcp']), identity: z.string() })),
  }),
});
