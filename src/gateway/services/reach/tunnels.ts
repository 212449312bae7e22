// Machines that dial in with plain `ssh -N -R`: each proves a pinned key, names what it leads to, and is reached over that one connection.
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ConnectError, type TunnelWay } from '../../ports/reach.ts';
import type { ConnectionEvents, DialledConnection, TunnelGate } from '../../ports/tunnels.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';
import { TUNNEL_LABEL, type TunnelledKind, tunnelPath } from '../tunnel-way.ts';
import { newTunnel, readTunnel, type TunnelSpec } from './stored-tunnel.ts';

/** Connections of one machine at once: the one that counts, and those on their way to take its place. */
const CONNECTIONS_MOST = 4;
/** One that leads to less than the one before takes its place after this all the same, ms. */
const REPLACE_MS = 3000;
/** One that offers nothing by then is hung up on, ms. */
const LEADS_MS = 10_000;

export interface TunnelParts {
  readonly resources: Pick<Resources, 'get' | 'named' | 'put' | 'delete'>;
  readonly gateway: { readonly id: string; readonly hostname: string };
  readonly clock?: () => Date;
  readonly report: (problem: string, error: unknown) => void;
}
export interface Tunnels {
  /** For the gateway's SSH port: whoever dials in. */
  readonly gate: TunnelGate;
  /** A stream to what is behind a tunnel. Throws ConnectError unreachable with why it cannot be had. */
  open(way: TunnelWay): Promise<Duplex>;
  /** Why things with these labels cannot be reached now, by tunnel id; those that can, or need none, are not in it. */
  offline(all: readonly Readonly<Record<string, string>>[]): Promise<ReadonlyMap<string, string>>;
  /** How many are connected. */
  count(): number;
  /** Lets a machine dial in, and lead to these from now on. `title`: what people call it; `token`: name of its join token. */
  pin(id: string, title: string, token: string, serves: readonly TunnelSpec['serves'][number][]): Promise<void>;
  /** Has been taken out of the list: its tunnel is cut. Where it leads to something else it is back in a second. */
  forget(kind: TunnelledKind, name: string): void;
}

/** A connection of one machine, and what it leads to. */
interface Connection extends DialledConnection {
  readonly paths: Set<string>;
}
interface Machine {
  /** All that it was joined for. */
  readonly serves: ReadonlySet<string>;
  /** Those that lead somewhere, the newest first. */
  readonly connections: Connection[];
  /** All that are open, also those that lead nowhere yet. */
  readonly all: Set<Connection>;
}

/** As one word. */
const keyOf = ({ kind, name }: TunnelSpec['serves'][number]): string => `${kind} ${name}`;
/** Id of a tunnel: the digest of the public key that it is pinned to. */
const tunnelIdOf = (blob: Buffer): string => createHash('sha256').update(blob).digest('hex');

export function createTunnels({ resources, gateway, clock = () => new Date(), report }: TunnelParts): Tunnels {
  const machines = new Map<string, Machine>();

  /** What of all that a tunnel was made for is in the lists still, and still its own. */
  async function pathsOf(id: string, { serves }: TunnelSpec): Promise<ReadonlySet<string>> {
    const kinds = [...new Set(serves.map(({ kind }) => kind))];
    const found = await Promise.all(
      kinds.map(async kind => {
        const names = serves.flatMap(one => (one.kind === kind ? [one.name] : []));
        const rows = await resources.named(kind, names);
        return rows.flatMap(({ name, labels }) => (labels[TUNNEL_LABEL] === id ? [tunnelPath(kind, name)] : []));
      }),
    );
    return new Set(found.flat());
  }

  /** Notes where and when it was last seen, for the words of other gateways and of later. */
  async function note(id: string): Promise<void> {
    const row = await resources.get('tunnel', id);
    const spec = row && readTunnel(row);
    if (!row || !spec) return;
    const seen = { gateway: gateway.id, gatewayName: gateway.hostname, seenAt: clock().toISOString() };
    await resources.put({ ...withoutTimes(row), spec: { ...spec, ...seen } }, row.revision);
  }
  const noteSafely = (id: string): void =>
    void note(id).catch((error: unknown) => report('a tunnel could not be noted', error));

  function meet(
    id: string,
    spec: TunnelSpec,
    allowed: ReadonlySet<string>,
    dialled: DialledConnection,
  ): ConnectionEvents {
    const machine: Machine = machines.get(id) ?? {
      serves: new Set(spec.serves.map(keyOf)),
      connections: [],
      all: new Set(),
    };
    machines.set(id, machine);
    const { connections, all } = machine;
    const connection: Connection = { ...dialled, paths: new Set() };
    all.add(connection);
    // Whoever leads nowhere has nothing to do here.
    const idle = setTimeout(() => connection.paths.size === 0 && connection.hangUp(), LEADS_MS).unref();
    let late: NodeJS.Timeout | undefined;
    const replaceOlder = (): void => {
      for (const older of connections.slice(connections.indexOf(connection) + 1)) older.hangUp();
    };
    return {
      offers(path) {
        if (!allowed.has(path)) return false;
        connection.paths.add(path);
        if (!connections.includes(connection)) {
          connections.unshift(connection);
          late = setTimeout(replaceOlder, REPLACE_MS).unref();
          if (connections.length === 1) noteSafely(id);
        }
        // A mere probe takes no place away: only what leads wherever the one before did.
        const before = connections[connections.indexOf(connection) + 1];
        if (before && [...before.paths].every(one => connection.paths.has(one))) replaceOlder();
        return true;
      },
      withdraws: path => void connection.paths.delete(path),
      over() {
        clearTimeout(late);
        clearTimeout(idle);
        all.delete(connection);
        const at = connections.indexOf(connection);
        if (at >= 0) connections.splice(at, 1);
        if (all.size > 0 || machines.get(id) !== machine) return;
        machines.delete(id);
        if (at >= 0) noteSafely(id);
      },
    };
  }

  const gate: TunnelGate = {
    async judge(key) {
      const id = tunnelIdOf(key);
      const row = await resources.get('tunnel', id);
      const spec = row && readTunnel(row);
      if (!spec || (machines.get(id)?.all.size ?? 0) >= CONNECTIONS_MOST) return null;
      const allowed = await pathsOf(id, spec);
      if (allowed.size > 0) return connection => meet(id, spec, allowed, connection);
      // Whatever it led to has been taken out of the lists.
      await resources.delete('tunnel', id);
      return null;
    },
  };

  /** Why nothing leads there, in words. */
  function absence(row: Resource | null | undefined): string {
    const spec = row && readTunnel(row);
    if (!spec?.seenAt) return 'its tunnel has not been up yet: run the join line on that machine';
    const at = `${spec.seenAt.slice(0, 16).replace('T', ' ')} UTC`;
    if (spec.gateway !== gateway.id)
      return `its tunnel was last up at ${at}, at the gateway on ${spec.gatewayName}; this gateway does not hold it`;
    return `its tunnel is down: it was last up at ${at}`;
  }

  return {
    gate,
    count: () => machines.size,
    async open({ tunnel, path }) {
      const machine = machines.get(tunnel);
      const connection = machine?.connections.find(({ paths }) => paths.has(path));
      if (connection) return connection.open(path);
      if (machine && machine.connections.length > 0)
        throw new ConnectError('unreachable', `its tunnel is up but does not lead there (${path})`);
      throw new ConnectError('unreachable', absence(await resources.get('tunnel', tunnel)));
    },
    async offline(all) {
      const ids = new Set(all.flatMap(labels => labels[TUNNEL_LABEL] ?? []));
      for (const id of ids) if ((machines.get(id)?.connections.length ?? 0) > 0) ids.delete(id);
      const rows = new Map((await resources.named('tunnel', [...ids])).map(row => [row.name, row]));
      return new Map([...ids].map(id => [id, absence(rows.get(id))]));
    },
    async pin(id, title, token, serves) {
      const row = await resources.get('tunnel', id);
      const before = row && readTunnel(row);
      const isKnown = (one: (typeof serves)[number]) =>
        before?.serves.some(({ kind, name }) => kind === one.kind && name === one.name);
      if (row && before) {
        const all = [...before.serves, ...serves.filter(one => !isKnown(one))];
        await resources.put({ ...withoutTimes(row), spec: { ...before, serves: all } }, row.revision);
      } else await resources.put(newTunnel(id, title, { serves: [...serves], token }));
    },
    forget(kind, name) {
      for (const { serves, all } of machines.values())
        if (serves.has(keyOf({ kind, name }))) for (const { hangUp } of all) hangUp();
    },
  };
}

const withoutTimes = ({ revision: _revision, created: _created, updated: _updated, ...row }: Resource): NewResource =>
  row;
