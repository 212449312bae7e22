// A running program in a container, which a client of its own runs and the gateway relays and records. Its life is `lifecycle.ts`'s.
import type { ContainerSession, OpenContainer } from '../../ports/kubernetes.ts';
import type { ReachedClient } from '../../ports/sessions.ts';
import type { Size } from '../../ports/shell.ts';
import { createReturns } from './command-session.ts';
import { describe } from './describe.ts';
import { type LifecycleParts, openLifecycle } from './lifecycle.ts';
import { lackOf } from './policy/attendance.ts';
import type { SessionAudit } from './session-audit.ts';
import type { Running } from './shell-session.ts';

interface ContainerSessionParts extends Omit<LifecycleParts, 'body'>, Omit<OpenContainer, 'who' | 'reach'> {
  readonly mfaDevices: readonly string[];
  readonly client: ReachedClient;
  readonly sessionAudit: SessionAudit;
  readonly clusterName: string;
}
export interface RelayedContainer extends Running {
  /** What the relay tells of. */
  readonly relayed: ContainerSession;
}

/** What a session's recording is played in before the client has said its size. */
export const CONTAINER_SIZE: Size = { cols: 80, rows: 25 };

/** A session's target where it is no server. */
export const containerTarget = ({ cluster, namespace, pod }: OpenContainer) => ({
  id: '',
  hostname: cluster.name,
  addr: `${namespace}/${pod}`,
  subKind: '',
  hostKeys: [],
  labels: cluster.labels,
});

/** Why nobody but the console may begin such a session, where roles ask for others in it. */
export const needsOthers = (clusterName: string): string =>
  `Your sessions in ${clusterName} begin when others have joined, and nobody can join what kubectl runs: open a shell in the console.`;

export function openContainerSession(parts: ContainerSessionParts): RelayedContainer {
  const { sid, who: owner, client, sessionAudit, cluster, kubeUser, terminal, command } = parts;
  let { roles: ownerRoles } = owner;
  let size = CONTAINER_SIZE;
  let tx = 0;
  let rx = 0;
  let exit: { readonly code: number | null; readonly signal: null } | null = null;
  const asPlayed = terminal ? (bytes: Uint8Array) => bytes : createReturns();
  const life = openLifecycle({
    ...parts,
    body: {
      hangUp: () => client.close(),
      flush: () => undefined,
      tell: end => client.farewell(end.kind === 'exited' ? '' : end.text),
      noteEnd: facts => sessionAudit.end({ ...facts, size, tx, rx, exit }),
    },
  });
  // Its client waits for it: it is ended when that goes, not kept.
  life.attended(true);
  return {
    relayed: {
      sid,
      output(bytes) {
        // Without a terminal nobody types: what it prints is what keeps it from being idle.
        if (!terminal) life.active();
        tx += bytes.length;
        life.record(to => to.output(asPlayed(bytes)));
      },
      input(bytes) {
        life.active();
        rx += bytes;
      },
      resize(wanted) {
        if (life.over || (wanted.cols === size.cols && wanted.rows === size.rows)) return;
        size = wanted;
        if (life.record(to => to.resize(size))) sessionAudit.resize(owner, size);
      },
      exited(code, error) {
        if (!life.ending) exit = { code, signal: null };
        life.gone(error === '' ? { kind: 'exited', text: '' } : { kind: 'lost', text: error });
      },
      gone: error => life.gone({ kind: error === '' ? 'exited' : 'lost', text: error }),
    },
    get session() {
      return describe({
        kubernetesCluster: cluster.name,
        sid,
        owner: owner.user,
        login: kubeUser,
        target: containerTarget({ ...parts, reach: async () => client }),
        size,
        started: parts.started,
        lastInput: life.lastActive,
        clusterName: parts.clusterName,
        moderated: false,
        state: 'running',
        command,
        seats: [{ participant: { id: sid }, who: owner, mode: 'peer', lastActive: life.lastActive }],
      });
    },
    ownerId: owner.userId,
    trustedDevice: owner.trustedDevice?.id ?? '',
    accessRequests: owner.grants.map(({ request }) => request),
    impersonatedIn: owner.impersonator === undefined ? undefined : owner.webSessionId,
    mfaDevices: parts.mfaDevices,
    reached: parts.reached,
    get ownerRoles() {
      return ownerRoles;
    },
    follow({ roles, rights }) {
      ownerRoles = roles;
      life.follow(rights.options);
      if (lackOf(rights.joinDemands('k8s'), owner.userId, [])) void life.end('forbidden', needsOthers(cluster.name));
    },
    end: life.end,
    done: life.done,
  };
}
