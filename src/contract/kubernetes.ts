// Kubernetes clusters for people's own clients.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { assertion, challenge } from './mfa.ts';
import { clusterParams, name, time } from './shapes.ts';

const oneCluster = z.extend(clusterParams, { name });

export const kubernetesKeyChallenge = call('POST', 'sites/:clusterId/kubernetes/:name/certificate/challenge', {
  summary:
    'What a hardware key is asked before a certificate for this one cluster, where roles ask for one for each session.',
  access: { resource: 'kube_server', verb: 'read' },
  params: oneCluster,
  atRoot: true,
  reply: challenge,
});
export const createKubernetesCertificate = call('POST', 'sites/:clusterId/kubernetes/:name/certificate', {
  summary:
    'A certificate for a client of a cluster, such as kubectl, for a key that stays on the machine of this person.',
  access: { resource: 'kube_server', verb: 'read' },
  params: oneCluster,
  body: z.object({
    /** PEM (SPKI), P-256. */
    publicKey: z.string().check(z.maxLength(2048, 'at most 2048 characters')),
    /** Where roles ask for a second factor for each session: the answer to the challenge of this cluster. */
    webauthnAssertionResponse: z.nullish(assertion),
  }),
  atRoot: true,
  reply: z.object({
    /** PEM; it counts as long as the web session that it was made in. */
    certificate: z.string(),
    /** PEM: vouches for the gateway. */
    authority: z.string(),
    /** Where the client asks, such as https://gateway:3081/v1/clusters/prod. */
    server: z.string(),
    expires: time,
    /** Users and groups that roles name there; `*`: any. */
    users: z.array(z.string()),
    groups: z.array(z.string()),
  }),
});
