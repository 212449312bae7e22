// Reads of a kubeconfig how its current cluster is reached. What it says of this machine, its files and programs, is refused: they are not here.
import { parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import { documentErrors, documentValue, PARSING } from '../../../contract/yaml-offset.ts';

type ClusterSpec = NonNullable<ResourceDocument<'kube_cluster'>['spec']>;

const text = z.optional(z.string());
const config = z.looseObject({
  'current-context': text,
  contexts: z.array(
    z.looseObject({ name: z.string(), context: z.looseObject({ cluster: z.string(), user: z.string() }) }),
  ),
  clusters: z.array(
    z.looseObject({
      name: z.string(),
      cluster: z.looseObject({
        server: z.string(),
        'certificate-authority-data': text,
        'tls-server-name': text,
        'insecure-skip-tls-verify': z.optional(z.boolean()),
      }),
    }),
  ),
  users: z.array(
    z.looseObject({
      name: z.string(),
      user: z.looseObject({ 'client-certificate-data': text, 'client-key-data': text, token: text }),
    }),
  ),
});
/** What cannot be taken along, with what to do. */
const elsewhere = {
  'certificate-authority': 'names a file: write it with kubectl config view --raw --flatten --minify',
  'client-certificate': 'names a file: write it with kubectl config view --raw --flatten --minify',
  'client-key': 'names a file: write it with kubectl config view --raw --flatten --minify',
  tokenFile: 'names a file: give the token itself',
  exec: 'runs a program that is not here: make a service account for the gateway, and give its token',
  'auth-provider': 'runs a program that is not here: make a service account for the gateway, and give its token',
  username: 'API servers take no passwords any more: make a service account for the gateway, and give its token',
  'proxy-url': 'is not gone through: the gateway connects by itself',
} as const;

/** Throws Failure bad_request with what to do. */
export function readKubeconfig(content: string): ClusterSpec {
  const refuse = (why: string): never => {
    throw new Failure('bad_request', `kubeconfig: ${why}`);
  };
  let value: unknown;
  try {
    const document = parseDocument(content, PARSING);
    const [broken] = documentErrors(document);
    if (broken) throw broken;
    value = documentValue(document, 0);
  } catch (error) {
    return refuse(`not readable as YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = z.safeParse(config, value);
  if (!read.success) return refuse('contexts, clusters and users expected, as kubectl config view --raw writes them');
  const { contexts, clusters, users } = read.data;
  const current = read.data['current-context'] ?? contexts[0]?.name ?? '';
  const context = contexts.find(({ name }) => name === current)?.context;
  if (!context) return refuse(`there is no context "${current}"`);
  const cluster = clusters.find(({ name }) => name === context.cluster)?.cluster;
  const user = users.find(({ name }) => name === context.user)?.user;
  if (!cluster || !user) return refuse(`the context "${current}" names a cluster or a user that is not there`);
  for (const [key, why] of Object.entries(elsewhere)) if (key in cluster || key in user) return refuse(`${key} ${why}`);
  if (cluster['insecure-skip-tls-verify'])
    return refuse('insecure-skip-tls-verify: a server that shows nothing is not connected to: give its authority');
  const { 'certificate-authority-data': authority, 'tls-server-name': serverName, server } = cluster;
  const { 'client-certificate-data': certificate, 'client-key-data': key, token } = user;
  const plain = (data: string): string => Buffer.from(data, 'base64').toString();
  return {
    server,
    ...(authority !== undefined && { ca_cert: plain(authority) }),
    ...(serverName !== undefined && { server_name: serverName }),
    ...(certificate !== undefined && { client_cert: plain(certificate) }),
    ...(key !== undefined && { client_key: plain(key) }),
    // A certificate counts before a token, as for kubectl.
    ...(token !== undefined && certificate === undefined && { token }),
  };
}
