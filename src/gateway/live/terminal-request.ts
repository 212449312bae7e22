// What a terminal socket asks for, judged before the upgrade, so that a refusal is an HTTP answer.
import { type ContainerAddress, readContainerAddress } from '../../contract/container-address.ts';
import { Failure } from '../../contract/failure.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import { readPromptAddress } from '../../contract/prompt-address.ts';
import { type TerminalParams, terminalParams } from '../../contract/terminal.ts';
import type { DatabasePrompt } from '../ports/databases.ts';
import type { EnteredContainer, KubernetesTarget } from '../ports/kubernetes.ts';
import type { Target } from '../ports/servers.ts';
import type { Who } from '../ports/who.ts';
import type { Prompts } from '../services/protocols/databases/prompt/prompts.ts';
import { enterContainer } from '../services/protocols/kubernetes/container-shell.ts';
import type { Clusters } from '../services/protocols/kubernetes/entrance.ts';
import type { Servers } from '../services/servers/manage.ts';
import type { Broker } from '../services/sessions/participant.ts';
import { readParams, wrong } from './params.ts';

/** Longest `params` that is read, characters. */
const PARAMS_MOST_CHARACTERS = 4096;

interface Shared {
  readonly who: Who;
  readonly params: TerminalParams;
}
export type TerminalRequest =
  | (Shared & {
      readonly kind: 'open';
      readonly target: Target;
      readonly login: string;
      readonly prompt?: DatabasePrompt;
      /** The way into a container, once the device is known that it is proven with. Throws Failure. */
      readonly enter?: (device: string) => Promise<EnteredContainer>;
    })
  | (Shared & { readonly kind: 'join'; readonly sid: string; readonly mode: Mode | '' });

export interface RequestParts {
  readonly servers: Pick<Servers, 'target'>;
  readonly prompts: Prompts;
  readonly clusters: Pick<Clusters, 'open'>;
  readonly sessions: Broker;
}

/** Throws Failure bad_request (params), not_found (server, session), denied (login, mode). */
export async function readTerminalRequest(parts: RequestParts, who: Who, given: unknown): Promise<TerminalRequest> {
  const params = readTerminalParams(given);
  if (params.sid !== '') {
    joinable(parts.sessions, who, params.sid, params.mode);
    return { kind: 'join', who, params, sid: params.sid, mode: params.mode };
  }
  if (params.server_id === '') throw wrong('server_id', 'give the server, or the session to join');
  const { login } = params;
  const address = readPromptAddress(params.server_id);
  if (address) {
    if (login === '') throw wrong('login', 'give the database user');
    // Who may be whom there is looked at as the session begins, and a refusal is in the audit log as of any client.
    return { kind: 'open', who, params, login, ...(await parts.prompts.prompt(who, { ...address, dbUser: login })) };
  }
  const place = readContainerAddress(params.server_id);
  if (place) {
    const enter = async (device: string): Promise<EnteredContainer> =>
      enterContainer(await parts.clusters.open(who, place.cluster, device), place);
    // A cluster that no role selects is not there.
    const { cluster } = await parts.clusters.open(who, place.cluster);
    return { kind: 'open', who, params, login, target: containerTarget(params.server_id, cluster, place), enter };
  }
  if (login === '') throw wrong('login', 'give the login on the server');
  const target = await parts.servers.target(who, params.server_id);
  if (!who.rights.logins(target.labels).includes(login)) {
    throw new Failure('denied', `access denied: no role lets you log in as "${login}" on ${target.hostname}`);
  }
  return { kind: 'open', who, params, target, login };
}

/** As lists of sessions and recordings name it. */
const containerTarget = (
  id: string,
  { name, labels }: KubernetesTarget,
  { namespace, pod }: ContainerAddress,
): Target => ({
  id,
  hostname: pod,
  subKind: 'kube',
  addr: `${name}/${namespace}`,
  hostKeys: [],
  labels,
});

function joinable(sessions: Broker, who: Who, sid: string, mode: Mode | ''): void {
  if (sessions.get(sid) === null) {
    const ended = sessions.ended(sid);
    throw new Failure('not_found', ended?.text ? `session not found: ${ended.text}` : 'session not found');
  }
  const modes = sessions.modesFor(who, sid);
  if (modes.length === 0) throw new Failure('denied', 'access denied: no role lets you join this session');
  if (mode !== '' && !modes.includes(mode))
    throw new Failure('denied', `access denied: you may join this session as ${modes.join(' or ')}, not as ${mode}`);
}

/** Throws Failure bad_request that names the field. */
export const readTerminalParams = (given: unknown): TerminalParams =>
  readParams(terminalParams, given, PARAMS_MOST_CHARACTERS);
