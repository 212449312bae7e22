// Connections to API servers: over TLS, with the gateway's own credential, kept open for the next request of whoever may go the same way.
import { createHash } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent, request } from '../../../../node/http.ts';
import { ConnectError, type Reach } from '../../../ports/reach.ts';
import { secure } from '../tls.ts';
import type { Cluster } from './target.ts';

/** A connection that nobody uses is closed after this long, ms. */
const IDLE_MS = 30_000;
/** Connections to one API server at once. */
const CONNECTIONS_MOST = 512;
const UNUSED_MOST = 16;
/** API servers whose connections are kept. */
const AGENTS_MOST = 256;

interface ClusterCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}
export interface ClusterConnections {
  /**
   * Begins a request: the caller sends the body, and hears of errors as of any. `own`: the cluster may be on this machine or its link.
   * What cannot be reached is an error event with a ConnectError.
   */
  request(cluster: Cluster, own: boolean, call: ClusterCall): ClientRequest;
  close(): void;
}

/** You must close it. */
export function openClusterConnections(reach: Pick<Reach, 'stream'>): ClusterConnections {
  const agents = new Map<string, Agent>();
  function agentOf(cluster: Cluster, own: boolean): Agent {
    // Whoever may not reach this machine uses no connection of somebody who may; and a cluster that was changed is another one.
    const key = createHash('sha256')
      .update(JSON.stringify([cluster, own]))
      .digest('base64');
    const agent = agents.get(key) ?? new ClusterAgent(reach, cluster, own);
    agents.delete(key);
    agents.set(key, agent);
    const [oldest] = agents.keys();
    if (agents.size > AGENTS_MOST && oldest !== undefined) {
      agents.get(oldest)?.destroy();
      agents.delete(oldest);
    }
    return agent;
  }
  return {
    request(cluster, own, { method, path, headers }) {
      const host = isIPv6(cluster.host) ? `[${cluster.host}]` : cluster.host;
      const credential = cluster.token === undefined ? [] : ['Authorization', `Bearer ${cluster.token}`];
      return request({
        agent: agentOf(cluster, own),
        method,
        path: `${cluster.base}${path}`,
        setHost: false,
        headers: ['Host', `${host}:${cluster.port}`, ...credential, ...headers],
      });
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

class ClusterAgent extends Agent {
  readonly #open: () => Promise<Duplex>;
  constructor(reach: Pick<Reach, 'stream'>, cluster: Cluster, own: boolean) {
    super({ keepAlive: true, timeout: IDLE_MS, maxSockets: CONNECTIONS_MOST, maxFreeSockets: UNUSED_MOST });
    this.#open = async () => {
      const { name, host, port, serverName, authorities, shown } = cluster;
      const raw = await reach.stream({ target: name, host, port }, own);
      return secure(raw, {
        name,
        serverName,
        authorities,
        shown,
        alpn: ['http/1.1'],
        advice: {
          otherName: 'set spec.server_name to the name that it has',
          unknown: 'set spec.ca_cert to the certificate authority of the cluster',
        },
      });
    };
  }
  override createConnection(
    _options: unknown,
    done?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const failed = (error: unknown): void =>
      done?.(
        error instanceof Error ? error : new ConnectError('failed', String(error)),
        undefined as unknown as Duplex,
      );
    this.#open().then(stream => done?.(null, stream), failed);
    return undefined;
  }
}
