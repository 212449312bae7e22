// A running session as lists and session frames show it.
import type { LiveSession, Mode } from '../../../contract/live-sessions.ts';
import type { Target } from '../../ports/servers.ts';
import type { Size } from '../../ports/shell.ts';
import type { Who, WorkingAgent } from '../../ports/who.ts';
import { isProduction } from './production.ts';

interface Described {
  readonly kind?: LiveSession['kind'];
  /** Of a session in a database: the server's name. */
  readonly databaseName?: string;
  readonly applicationName?: string;
  readonly desktopName?: string;
  /** Of a session in a container: the cluster's name. */
  readonly kubernetesCluster?: string;
  readonly sid: string;
  readonly owner: string;
  readonly login: string;
  readonly target: Omit<Target, 'subKind' | 'hostKeys'>;
  readonly size: Size;
  readonly started: Date;
  readonly lastInput: Date;
  readonly clusterName: string;
  readonly moderated: boolean;
  readonly state: LiveSession['state'];
  /** What it runs; absent: a shell in a terminal. */
  readonly command?: string;
  /** What a shell ran last; absent or '': nobody knows. */
  readonly lastCommand?: string;
  /** Absent: its owner began it. */
  readonly agent?: WorkingAgent | undefined;
  readonly seats: readonly {
    readonly participant: { readonly id: string };
    readonly who: Who;
    readonly mode: Mode;
    readonly lastActive: Date;
  }[];
}

/** The wire's Session. Fields that belong to other kinds of session are empty. */
export const describe = ({
  databaseName = '',
  applicationName = '',
  desktopName = '',
  kubernetesCluster = '',
  kind = kubernetesCluster !== '' ? 'k8s' : databaseName === '' ? 'ssh' : 'db',
  sid,
  owner,
  login,
  target,
  size,
  started,
  lastInput,
  clusterName,
  moderated,
  state,
  command = '',
  lastCommand = '',
  agent,
  seats,
}: Described): LiveSession => ({
  kind,
  id: sid,
  namespace: 'default',
  login,
  owner,
  created: started.toISOString(),
  last_active: lastInput.toISOString(),
  parties: seats.map(({ participant, who, mode, lastActive }) => ({
    id: participant.id,
    user: who.user,
    remote_addr: who.remoteAddr,
    server_id: target.id,
    last_active: lastActive.toISOString(),
    mode,
    ...(who.impersonator !== undefined && { impersonator: who.impersonator }),
  })),
  terminal_params: { w: size.cols, h: size.rows },
  server_id: target.id,
  server_hostname: target.hostname,
  server_hostport: target.addr,
  server_addr: target.addr,
  cluster_name: clusterName,
  kubernetes_cluster_name: kubernetesCluster,
  desktop_name: desktopName,
  database_name: databaseName,
  app_name: applicationName,
  moderated,
  command,
  state,
  last_command: lastCommand,
  agent: agent?.name ?? '',
  agent_reason: agent?.reason ?? '',
  production: isProduction(target.labels),
});
