// Pods of Kubernetes clusters: found by name, watched as they change, with their logs and as YAML.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { challenge } from './mfa.ts';
import { clusterParams, labels, name, page } from './shapes.ts';

const container = z.object({
  name: z.string(),
  /** `Running`, `Terminated`, `CrashLoopBackOff`, as kubectl calls it. */
  state: z.string(),
  restarts: z.number(),
});
export const pod = z.object({
  kind: z._default(z.literal('pod'), 'pod'),
  /** The Kubernetes cluster that it runs in. */
  cluster: z.string(),
  namespace: z.string(),
  name: z.string(),
  labels: z._default(labels, []),
  /** In one word, as kubectl calls it. */
  status: z.string(),
  /** Containers that are ready, of all: `1/2`. */
  ready: z.string(),
  restarts: z.number(),
  node: z.string(),
  /** RFC 3339; '' = unknown. */
  created: z.string(),
  containers: z.array(container),
});
export type Pod = z.infer<typeof pod>;

/** Pods that one search answers. */
export const PODS_MOST = 50;
export const findPods = call('GET', 'sites/:clusterId/pods', {
  summary: 'Pods whose names hold all words of a search, of every Kubernetes cluster that this person may look into.',
  access: { resource: 'kube_server', verb: 'list' },
  params: clusterParams,
  query: z.object({
    search: z.optional(z.string().check(z.maxLength(512))),
    /** Of this cluster alone, and of this namespace of its. */
    kubeCluster: z.optional(name),
    kubeNamespace: z.optional(name),
  }),
  reply: page(pod),
});
export const describePod = call('GET', 'sites/:clusterId/kubernetes/:name/namespaces/:namespace/pods/:pod', {
  summary: 'A pod with all that the cluster says of it.',
  access: { resource: 'kube_server', verb: 'read' },
  params: z.object({ clusterId: name, name, namespace: name, pod: name }),
  reply: z.extend(pod, { yaml: z.string() }),
});

/** Query: `access_token` and `params`. The gateway sends text frames; a client its answer to a challenge as JSON, and nothing else. */
export const podsPath = '/v1/webapi/sites/:clusterId/kubernetes/:name/live';
export const podsParams = z.object({
  /** `proof`: nothing but the second factor that roles ask for, which counts for calls about the cluster as well. */
  what: z.enum(['pods', 'log', 'proof']),
  /** '' = all, for pods. */
  namespace: z._default(z.string().check(z.maxLength(255)), ''),
  /** Whose log. */
  pod: z._default(z.string().check(z.maxLength(255)), ''),
  container: z._default(z.string().check(z.maxLength(255)), ''),
  /** That of the container before its last restart. */
  previous: z._default(z.boolean(), false),
});
export type PodsParams = z.infer<typeof podsParams>;
/** Lines of a log that were there before. */
export const LOG_LINES = 2000;

/** Frames, each with the one field that it is about. */
export const podsMessage = z.object({
  /** All pods there are, sorted; comes first and whenever everything was asked anew. */
  pods: z.optional(z.array(pod)),
  /** Namespaces that may be looked into; those of the pods where the cluster does not list them. */
  namespaces: z.optional(z.array(z.string())),
  changed: z.optional(z.array(pod)),
  /** `podKey` of those that are gone. */
  gone: z.optional(z.array(z.string())),
  /** Roles ask for a second factor first: what a key is to answer. It counts until a minute after the page has gone. */
  challenge: z.optional(challenge),
  /** What a log goes on with. */
  text: z.optional(z.string()),
  /** The last thing that is said: why there is no more, in words. '' = the log is over. */
  over: z.optional(z.string()),
});
export type PodsMessage = z.infer<typeof podsMessage>;

/** What tells a pod from all others of its cluster. */
export const podKey = ({ namespace, name }: Pick<Pod, 'namespace' | 'name'>): string => `${namespace}/${name}`;
