// Pods of a cluster as the console shows them: in one row each, watched, with their logs and as YAML.
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import * as z from 'zod/mini';
import { Failure } from '../../../../contract/failure.ts';
import { LOG_LINES, type Pod, type PodsMessage, podKey } from '../../../../contract/pods.ts';
import type { KubernetesDoor } from './door.ts';

/** Pods of one answer of the API server, and of one list here: beyond it a namespace has to be chosen. */
const PAGE_PODS = 500;
const LIST_MOST_PODS = 5000;
/** One event of a watch, characters. */
const EVENT_MOST_CHARACTERS = 4 * 1024 * 1024;
/** API servers end a watch after a while: everything is then asked anew, at most so often, ms. */
const AGAIN_MS = 1000;

const text = z._default(z.string(), '');
const containerState = z.object({
  waiting: z.optional(z.object({ reason: text })),
  running: z.optional(z.object({})),
  terminated: z.optional(z.object({ reason: text, exitCode: z._default(z.number(), 0) })),
});
const containerStatus = z.object({
  name: z.string(),
  ready: z._default(z.boolean(), false),
  restartCount: z._default(z.number(), 0),
  state: z._default(containerState, {}),
});
/** What is read of a pod as the API server has it. */
const storedPod = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: text,
    labels: z.nullish(z.record(z.string(), z.string())),
    creationTimestamp: z.nullish(z.string()),
    deletionTimestamp: z.nullish(z.string()),
  }),
  spec: z.object({ nodeName: text, containers: z.array(z.object({ name: z.string() })) }),
  status: z._default(
    z.object({ phase: text, reason: text, containerStatuses: z._default(z.array(containerStatus), []) }),
    { phase: '', reason: '', containerStatuses: [] },
  ),
});
const podList = z.object({
  metadata: z.object({ resourceVersion: text, continue: text }),
  items: z.array(storedPod),
});
const namespaceList = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });
const event = z.object({ type: z.string(), object: z.looseObject({}) });

const stateText = ({ waiting, running, terminated }: z.infer<typeof containerState>): string =>
  waiting
    ? waiting.reason || 'Waiting'
    : terminated
      ? terminated.reason || `ExitCode:${terminated.exitCode}`
      : running
        ? 'Running'
        : 'Unknown';

/** A pod in one row, its status in the word that kubectl has for it. */
function podOf(cluster: string, read: unknown): Pod {
  const { metadata, spec, status } = z.parse(storedPod, read);
  const { containerStatuses: told, phase, reason } = status;
  const containers = spec.containers.map(({ name }) => {
    const of = told.find(one => one.name === name);
    return { name, state: of ? stateText(of.state) : 'Waiting', restarts: of?.restartCount ?? 0 };
  });
  const troubled = told.map(({ state }) => stateText(state)).find(state => state !== 'Running' && state !== 'Unknown');
  return {
    kind: 'pod',
    cluster,
    namespace: metadata.namespace,
    name: metadata.name,
    labels: Object.entries(metadata.labels ?? {}).map(([name, value]) => ({ name, value })),
    status: metadata.deletionTimestamp ? 'Terminating' : (troubled ?? (reason || phase || 'Unknown')),
    ready: `${told.filter(({ ready }) => ready).length}/${spec.containers.length}`,
    restarts: told.reduce((sum, { restartCount }) => sum + restartCount, 0),
    node: spec.nodeName,
    created: metadata.creationTimestamp ?? '',
    containers,
  };
}

const podsIn = (namespace: string): string =>
  namespace === '' ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
const onePod = ({ namespace, pod }: { readonly namespace: string; readonly pod: string }): string =>
  `${podsIn(namespace)}/${encodeURIComponent(pod)}`;

/** All pods, sorted by namespace and name, and where a watch goes on. Throws Failure, ConnectError. */
export async function listPods(
  door: KubernetesDoor,
  cluster: string,
  namespace: string,
): Promise<{ readonly pods: Pod[]; readonly version: string }> {
  const pods: Pod[] = [];
  let version = '';
  let next = '';
  do {
    const query = new URLSearchParams({ limit: String(PAGE_PODS), ...(next !== '' && { continue: next }) });
    const { metadata, items } = z.parse(podList, await door.json('GET', `${podsIn(namespace)}?${query}`));
    pods.push(...items.map(item => podOf(cluster, item)));
    version = metadata.resourceVersion;
    next = metadata.continue;
  } while (next !== '' && pods.length < LIST_MOST_PODS);
  return { pods: pods.sort((one, other) => (podKey(one) < podKey(other) ? -1 : 1)), version };
}

/** Namespaces that the cluster lists for the person; none where it does not. */
async function listNamespaces(door: KubernetesDoor): Promise<string[]> {
  try {
    const { items } = z.parse(namespaceList, await door.json('GET', '/api/v1/namespaces?limit=500'));
    return items.map(({ metadata }) => metadata.name).sort();
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** Throws Failure with what the API server says, unless it gave what was asked for. */
async function refuseError({ status, body }: { readonly status: number; readonly body: Readable }): Promise<void> {
  if (status < 400) return;
  let said = '';
  for await (const piece of body) if (said.length < 65_536) said += String(piece);
  let message: unknown;
  try {
    ({ message } = JSON.parse(said) as { readonly message?: unknown });
  } catch {
    message = undefined;
  }
  throw new Failure(
    status === 403 ? 'denied' : status === 404 ? 'not_found' : 'bad_request',
    typeof message === 'string' ? message : `the cluster answered with status ${status}`,
  );
}

/** Tells all pods, then what changes, until `signal` ends it. Throws Failure and ConnectError, and what ends the person's way in. */
export async function watchPods(
  door: KubernetesDoor,
  { cluster, namespace }: { readonly cluster: string; readonly namespace: string },
  hear: (message: PodsMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const [{ pods, version }, listed] = await Promise.all([listPods(door, cluster, namespace), listNamespaces(door)]);
    if (signal.aborted) return;
    const namespaces = listed.length > 0 ? listed : [...new Set(pods.map(pod => pod.namespace))];
    hear({ pods, namespaces });
    const query = new URLSearchParams({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion: version });
    const answer = await door.request({ method: 'GET', path: `${podsIn(namespace)}?${query}`, signal });
    // What it remembers begins later: everything is asked anew.
    if (answer.status !== 410) {
      await refuseError(answer);
      await readEvents(answer.body, cluster, hear);
    } else answer.body.resume();
    await pause(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Tells each piece of a watch at once; ends with it, or where it says that it cannot go on. */
async function readEvents(body: Readable, cluster: string, hear: (message: PodsMessage) => void): Promise<void> {
  let rest = '';
  for await (const piece of body.setEncoding('utf8')) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > EVENT_MOST_CHARACTERS)
      throw new Failure('bad_request', 'the cluster sent an event that is too long');
    const changed = new Map<string, Pod>();
    const gone = new Set<string>();
    for (const line of lines.filter(one => one !== '')) {
      const { type, object } = z.parse(event, JSON.parse(line));
      if (type === 'ERROR') return;
      if (type === 'BOOKMARK') continue;
      const pod = podOf(cluster, object);
      const key = podKey(pod);
      changed.delete(key);
      gone.delete(key);
      if (type === 'DELETED') gone.add(key);
      else changed.set(key, pod);
    }
    if (changed.size + gone.size > 0) hear({ changed: [...changed.values()], gone: [...gone] });
  }
}

/** A container's log, its last lines and what comes. Throws Failure, ConnectError. */
export async function openLog(
  door: KubernetesDoor,
  of: { readonly namespace: string; readonly pod: string; readonly container: string; readonly previous: boolean },
  signal: AbortSignal,
): Promise<Readable> {
  const query = new URLSearchParams({
    tailLines: String(LOG_LINES),
    ...(of.container !== '' && { container: of.container }),
    // What is over does not go on.
    ...(of.previous ? { previous: 'true' } : { follow: 'true' }),
  });
  const answer = await door.request({ method: 'GET', path: `${onePod(of)}/log?${query}`, signal });
  await refuseError(answer);
  return answer.body;
}

/** A pod with all that is known of it, but for who wrote which field. Throws Failure, ConnectError. */
export async function describe(
  door: KubernetesDoor,
  cluster: string,
  of: { readonly namespace: string; readonly pod: string },
): Promise<Pod & { readonly yaml: string }> {
  const { metadata, ...rest } = z.parse(
    z.looseObject({ metadata: z.looseObject({}) }),
    await door.json('GET', onePod(of)),
  );
  const { managedFields: _who, ...kept } = metadata;
  const { apiVersion = 'v1', kind = 'Pod', ...more } = rest;
  return {
    ...podOf(cluster, { metadata, ...rest }),
    yaml: stringify({ apiVersion, kind, metadata: kept, ...more }),
  };
}
