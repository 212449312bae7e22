// Leaf clusters, as their root sees them: who has joined, which are connected, and who may go there.

import type { RuleResource, Verb } from '../../../contract/acl.ts';
import { DNS_NAME } from '../../../contract/address.ts';
import { Failure } from '../../../contract/failure.ts';
import type { JoinRole } from '../../../contract/join-tokens.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { RemoteCluster } from '../../../contract/trusted-clusters.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { TunnelGate } from '../../ports/tunnels.ts';
import type { Actor, Who } from '../../ports/who.ts';
import type { Resource, Resources } from '../../store/store.ts';
import { addressAt, leafApplicationHost } from '../application-host.ts';
import { allOf, shownLabels } from '../lists.ts';
import { type Asserting, FACTOR_HEADER, VISITOR_HEADER } from './assertion.ts';
import { LEAF_PATH, type LeafConnection, openLeafConnection } from './leaf-connection.ts';
import { blobOf, newLeaf, readLeaf, withoutTimes } from './stored.ts';
import { isVisitor } from './visitors.ts';

/** Connections of one leaf at once: of each of its gateways one, and one on its way to take its place. */
const CONNECTIONS_MOST = 20;
/** Leaves that one root has. */
const LEAVES_MOST = 500;

export interface LeafParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  readonly tokens: {
    find(text: string, role: JoinRole): Promise<{ readonly labels: Readonly<Record<string, string>> }>;
    use(
      text: string,
      role: JoinRole,
    ): Promise<{ readonly name: string; readonly labels: Readonly<Record<string, string>> }>;
    giveBack(name: string): Promise<void>;
  };
  readonly audit: AuditLog;
  readonly asserting: Asserting;
  readonly clusterName: string;
  /** Address of the console. */
  readonly publicUrl: string;
  readonly gateway: { readonly id: string; readonly hostname: string };
  /** The key that this gateway's tunnel port shows; null where nothing listens there. */
  readonly hostKey: () => Promise<string | null>;
  /** Of a public key as it goes over the wire, as ssh-keygen shows it. */
  readonly fingerprint: (blob: Uint8Array) => string;
  /** Hears who goes to which leaf. */
  readonly noted: (who: Who, leaf: string) => void;
  readonly clock?: () => Date;
  readonly report: (problem: string, error: unknown) => void;
}
/** What a leaf shows when it joins. */
interface Joining {
  readonly token: string;
  readonly cluster_name: string;
  readonly root_name: string;
  readonly public_key: string;
}
/** A leaf that somebody may go to. */
export interface Leaf {
  readonly name: string;
  readonly lastConnected: string;
  /** Null while it is offline; `why` then says more. */
  readonly connection: LeafConnection | null;
  readonly why: string;
}
export interface ReachedLeaf {
  readonly name: string;
  readonly connection: LeafConnection;
  readonly vouched: Readonly<Record<string, string>>;
  /** Where browsers come to an application of it here: the host, and what is typed; '' where they cannot. */
  applicationPlace(application: string): { readonly fqdn: string; readonly address: string };
}
export interface Leaves {
  /** For the gateway's SSH port: leaves that dial in. */
  readonly gate: TunnelGate;
  /** Throws Failure with one sentence. */
  join(asked: Joining): Promise<{ cluster_name: string; host_key: string; identity_key: string }>;
  /** Those that a person's roles select, by name. */
  shownTo(who: Who): Promise<readonly Leaf[]>;
  /** Null for one that there is none of, or that no role selects. */
  find(who: Who, name: string): Promise<Leaf | null>;
  connectionOf(name: string): LeafConnection | null;
  /** Of all that have joined. */
  names(): Promise<readonly string[]>;
  /**
   * Connected, and the headers that say who goes there. `leaf`: its name, or what was found just now for this person. `device`: of the second factor that this gateway has seen them show for it; such headers
   * are good for one request. Throws Failure cluster_offline, not_found.
   */
  reach(who: Who, leaf: string | Leaf, device?: string): Promise<ReachedLeaf>;
  /** Those that roles let a person go to, or keep. */
  list(who: Who): Promise<RemoteCluster[]>;
  /** Throws Failure not_found, denied, bad_request. */
  relabel(name: string, labels: readonly Label[], by: Actor): Promise<RemoteCluster>;
  /** Throws Failure not_found, denied. */
  remove(name: string, by: Actor): Promise<void>;
  close(): void;
}

export function createLeaves(parts: LeafParts): Leaves {
  const { resources, tokens, audit, clusterName, gateway, clock = () => new Date() } = parts;
  /** By name, the newest first. */
  const connections = new Map<string, LeafConnection[]>();
  const all = new Map<string, number>();

  const connectionOf = (name: string): LeafConnection | null => connections.get(name)?.[0] ?? null;
  function absence(row: Resource): string {
    const spec = readLeaf(row);
    if (!spec?.seenAt) return 'it has not been connected yet';
    const at = `${spec.seenAt.slice(0, 16).replace('T', ' ')} UTC`;
    return spec.gateway === gateway.id
      ? `it was last connected at ${at}`
      : `it was last connected at ${at}, to the gateway on ${spec.gatewayName}; this gateway does not hold it`;
  }
  const leafOf = (row: Resource): Leaf => {
    const connection = connectionOf(row.name);
    const seen = readLeaf(row)?.seenAt ?? '';
    return {
      name: row.name,
      connection,
      lastConnected: connection ? clock().toISOString() : seen === '' ? row.created.toISOString() : seen,
      why: connection ? '' : absence(row),
    };
  };
  /** One without labels is everybody's who may sign in, unless roles choose among leaves. */
  function selects(who: Who, { labels }: Resource): boolean {
    const { rights } = who;
    if (isVisitor(who)) return false;
    const { allow, deny } = rights.selection('remote_cluster');
    const bare = shownLabels(labels).length === 0;
    return (bare && allow.length === 0 && deny.length === 0) || rights.selects('remote_cluster', labels);
  }
  async function find(who: Who, name: string): Promise<Leaf | null> {
    const row = await resources.get('remote_cluster', name);
    return row && selects(who, row) ? leafOf(row) : null;
  }
  async function note(name: string): Promise<void> {
    const row = await resources.get('remote_cluster', name);
    const spec = row && readLeaf(row);
    if (!row || !spec) return;
    const seen = { gateway: gateway.id, gatewayName: gateway.hostname, seenAt: clock().toISOString() };
    await resources.put({ ...withoutTimes(row), spec: { ...spec, ...seen } }, row.revision);
  }
  const noteSafely = (name: string): void =>
    void note(name).catch((error: unknown) => {
      // Somebody else has written it meanwhile, or it is gone.
      if (!(error instanceof Failure)) parts.report('a leaf cluster could not be noted', error);
    });
  const wire = (row: Resource): RemoteCluster => {
    const { connection, why } = leafOf(row);
    return {
      name: row.name,
      status: connection ? 'online' : 'offline',
      why,
      labels: shownLabels(row.labels),
      created: row.created.toISOString(),
      fingerprint: parts.fingerprint(blobOf(readLeaf(row)?.publicKey ?? '')),
    };
  };
  async function existing(name: string, verb: Verb, by: Actor): Promise<Resource> {
    const row = await resources.get('remote_cluster', name);
    if (!row) throw new Failure('not_found', `there is no leaf cluster "${name}"`);
    if (!may(by, verb, row)) throw new Failure('denied', `access denied to leaf cluster "${name}"`);
    return row;
  }

  const gate: TunnelGate = {
    async judge(key) {
      const found = (await allOf(resources, 'remote_cluster')).find(row => {
        const spec = readLeaf(row);
        return spec !== null && blobOf(spec.publicKey).equals(key);
      });
      const name = found?.name;
      if (name === undefined || (all.get(name) ?? 0) >= CONNECTIONS_MOST) return null;
      return dialled => {
        all.set(name, (all.get(name) ?? 0) + 1);
        let connection: LeafConnection | null = null;
        return {
          offers(path) {
            // A leaf leads to itself, and to nothing else.
            if (path !== LEAF_PATH || connection) return path === LEAF_PATH;
            connection = openLeafConnection(dialled);
            connections.set(name, [connection, ...(connections.get(name) ?? [])]);
            noteSafely(name);
            return true;
          },
          withdraws: () => undefined,
          over() {
            all.set(name, (all.get(name) ?? 1) - 1);
            if (!connection) return;
            connection.close();
            const left = (connections.get(name) ?? []).filter(one => one !== connection);
            if (left.length > 0) connections.set(name, left);
            else connections.delete(name);
            noteSafely(name);
          },
        };
      };
    },
  };
  const hangUp = (name: string): void => {
    for (const { connection } of connections.get(name) ?? []) connection.hangUp();
  };

  async function pin({ token, cluster_name: name, root_name: root, public_key: publicKey }: Joining): Promise<void> {
    if (root !== clusterName)
      throw new Failure('bad_request', `metadata.name: given "${root}": this cluster is called "${clusterName}"`);
    if (name.toLowerCase() === clusterName.toLowerCase() || !DNS_NAME.test(name))
      throw new Failure('exists', `a cluster cannot join one of its own name: this one is ${clusterName} as well`);
    const rows = await allOf(resources, 'remote_cluster');
    const same = rows.find(row => row.name.toLowerCase() === name.toLowerCase());
    if (same) {
      // It asks again because it did not hear the answer.
      if (same.name === name && readLeaf(same)?.publicKey === publicKey)
        return void (await tokens.find(token, 'Trusted_cluster').catch(() => undefined));
      throw new Failure(
        'exists',
        `leaf cluster "${same.name}" has joined already, with another key: remove it at ${clusterName} first`,
      );
    }
    if (rows.some(row => readLeaf(row)?.publicKey === publicKey))
      throw new Failure('exists', 'a leaf cluster of another name has joined with this key');
    if (rows.length >= LEAVES_MOST)
      throw new Failure('limited', `this cluster has ${LEAVES_MOST} leaf clusters already`);
    const used = await tokens.use(token, 'Trusted_cluster');
    try {
      const labels = Object.fromEntries(Object.entries(used.labels).filter(([label]) => !label.startsWith('postern.')));
      await resources.create(newLeaf(name, labels, { publicKey, token: used.name }));
      await audit.emit({
        code: 'TJ002I',
        user: `join-token:${used.name}`,
        success: true,
        host_id: name,
        node_name: name,
        role: 'Trusted_cluster',
        method: 'token',
        token_name: used.name,
      });
    } catch (error) {
      await tokens.giveBack(used.name);
      throw error;
    }
  }

  return {
    gate,
    async join(asked) {
      const hostKey = await parts.hostKey();
      if (hostKey === null)
        throw new Failure('unavailable', 'this gateway listens for no tunnels (its setting is --ssh-listen)');
      try {
        await pin(asked);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        await audit.emit({
          code: 'TJ002E',
          success: false,
          error: error.message,
          node_name: asked.cluster_name,
          role: 'Trusted_cluster',
          method: 'token',
          token_name: asked.token.split('.', 1)[0]?.slice(0, 63) ?? '',
        });
        throw error;
      }
      return { cluster_name: clusterName, host_key: hostKey, identity_key: await parts.asserting.publicKey() };
    },
    shownTo: async who => (await allOf(resources, 'remote_cluster')).filter(row => selects(who, row)).map(leafOf),
    find,
    async reach(who, wanted, device) {
      const leaf = typeof wanted === 'string' ? await find(who, wanted) : wanted;
      if (!leaf) throw new Failure('not_found', `cluster "${String(wanted)}" not found`);
      const { name } = leaf;
      if (!leaf.connection) throw new Failure('cluster_offline', `cluster "${name}" is offline: ${leaf.why}`);
      parts.noted(who, name);
      return {
        name,
        connection: leaf.connection,
        vouched: {
          [VISITOR_HEADER]: await parts.asserting.assertion(who, name),
          ...(device !== undefined && { [FACTOR_HEADER]: await parts.asserting.factor(who, name, device) }),
        },
        applicationPlace(application) {
          const fqdn = leafApplicationHost(name, application, parts.publicUrl);
          return { fqdn, address: fqdn === '' ? '' : addressAt(parts.publicUrl, fqdn) };
        },
      };
    },
    list: async who =>
      (await allOf(resources, 'remote_cluster')).filter(row => may(who, 'update', row) || selects(who, row)).map(wire),
    async relabel(name, given, by) {
      const row = await existing(name, 'update', by);
      const wrong = given.find(({ name: label }) => label.startsWith('postern.'))?.name;
      if (wrong !== undefined)
        throw new Failure('bad_request', `labels: "${wrong}": names that begin with "postern." are the gateway's own`);
      const labels = Object.fromEntries(given.map(({ name: label, value }) => [label, value]));
      return wire(await resources.put({ ...withoutTimes(row), labels }, row.revision));
    },
    async remove(name, by) {
      await existing(name, 'delete', by);
      await resources.delete('remote_cluster', name);
      hangUp(name);
      await audit.emit({ code: 'T7001I', name, user: by.user });
    },
    connectionOf,
    names: async () => (await allOf(resources, 'remote_cluster')).map(({ name }) => name),
    close() {
      for (const name of connections.keys()) hangUp(name);
    },
  };
}

const RESOURCE: RuleResource = 'remote_cluster';
const may = ({ rights }: Actor, verb: Verb, { name, labels }: Resource): boolean =>
  rights === null || rights.may(RESOURCE, verb, { resource: { name, labels } });
