// Servers for every door: who may list, add and remove them, what the audit log hears of it, and who else must.
import { randomUUID } from 'node:crypto';
import { SSH_PORT, withPort } from '../../../contract/address.ts';
import type { AdminAnswers } from '../../../contract/admin.ts';
import { Failure } from '../../../contract/failure.ts';
import type { HostKey } from '../../../contract/host-keys.ts';
import type { JoinMethod } from '../../../contract/join-methods.ts';
import { type AwsPlace, EC2_SUB_KIND, type Node } from '../../../contract/nodes.ts';
import type { Label, ListQuery, Page } from '../../../contract/shapes.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Target } from '../../ports/servers.ts';
import type { Actor, Who } from '../../ports/who.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';
import { allOf, resourceQuery, shownLabels } from '../lists.ts';
import { TUNNEL_LABEL } from '../tunnel-way.ts';
import { findToChange } from './host-keys.ts';
import { findServer, newServer, refuseKnownName, targetOf } from './servers.ts';

export interface ServerParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly clusterName: string;
  /** The server that is this gateway's own machine. */
  readonly gatewayId: string;
  /** Why things with these labels cannot be reached now, by the id of their tunnel. */
  readonly offline: (all: readonly Readonly<Record<string, string>>[]) => Promise<ReadonlyMap<string, string>>;
  /** Throws Failure bad_request for a line that is no public key. */
  readonly checkHostKey: (line: string) => void;
  /** Connects to host:port, of a machine of EC2 through AWS, and answers the host key it shows. Throws ConnectError. */
  readonly probe: (addr: string, pinned?: readonly string[], aws?: AwsPlace) => Promise<HostKey>;
  /** Throws Failure unless the machine is where that says, at this address (host:port). */
  readonly checkInstance: (aws: AwsPlace, addr: string) => Promise<void>;
}

/** What is asked for of a new server. `hostKey` is the key that a person has confirmed. */
interface WantedServer {
  readonly hostname: string;
  readonly addr: string;
  readonly labels: readonly Label[];
  readonly hostKey: string;
}
/** A machine of EC2 that is to be reached through an instance connect endpoint: the key that is pinned is the one it shows there. */
interface WantedInstance extends Omit<WantedServer, 'hostKey'> {
  /** Its id in the list. */
  readonly name: string;
  readonly aws: AwsPlace;
}
type ServerChange = 'created' | 'updated' | 'removed';
/** Through which door a server came, as the audit log words it. */
type Door = 'console' | 'command-line' | 'resource' | JoinMethod;

export interface Servers {
  /** A page of those that the person's roles select. Throws Failure bad_request. */
  list(who: Who, query: ListQuery): Promise<Page<Node>>;
  /** All, for the gateway's own machine. */
  all(): Promise<readonly AdminAnswers['server'][]>;
  /** How many the person's roles select. */
  count(who: Who): Promise<number>;
  /** Throws Failure bad_request, ConnectError. */
  probe(addr: string): Promise<{ readonly addr: string; readonly hostKey: HostKey }>;
  /** Throws Failure bad_request, denied, exists; for a machine of EC2 also what AWS says, and ConnectError. */
  add(wanted: WantedServer | WantedInstance, by: Actor): Promise<Resource>;
  /** One that has joined by itself, with a token of this name. Labels are not looked at. Throws Failure bad_request, exists. */
  enroll(
    wanted: Omit<WantedServer, 'labels'> & { readonly labels: Readonly<Record<string, string>> },
    token: string,
    method: JoinMethod,
  ): Promise<Resource>;
  /** By id, and for the gateway's own machine also by name or address. Throws Failure bad_request, not_found. */
  remove(wanted: string, by: Actor): Promise<Resource>;
  /** The server that a person means, as the broker needs it. Throws Failure not_found, bad_request. */
  target(who: Who, wanted: string): Promise<Target>;
  /** Those that a predicate selects and the person's roles list. Throws Failure bad_request, also for more than `most`, and not_found for none. */
  targets(who: Who, query: string, most: number): Promise<readonly Target[]>;
  /** The server that a person means and may change. Throws Failure not_found, denied. */
  toChange(who: Who, wanted: string): Promise<Resource>;
  /** Tells the audit log and the bus what became of a server, also for what YAML changes. */
  note(change: ServerChange, server: NewResource, by: string, door: Door): Promise<void>;
  shownTo(who: Who, server: Resource): Node;
  shownToMachine(server: Resource): AdminAnswers['server'];
}

/** Fields of the wire by which the list is sorted. */
const SORT_FIELDS = { hostname: 'title', name: 'name', address: 'address' } as const;
const NOT_FOUND = 'server not found';
const codes = { created: 'TJ002I', updated: 'TJ011I', removed: 'TJ012I' } as const;

export function createServers(parts: ServerParts): Servers {
  const { resources, audit, changes, clusterName, gatewayId } = parts;

  const shownTo: Servers['shownTo'] = (who, server) => ({
    kind: 'node',
    id: server.name,
    siteId: clusterName,
    subKind: server.subtype,
    hostname: server.title,
    addr: TUNNEL_LABEL in server.labels ? '' : server.address,
    tunnel: TUNNEL_LABEL in server.labels,
    tags: shownLabels(server.labels),
    sshLogins: [...who.rights.logins(server.labels)],
    ...awsOf(server),
  });
  const shownToMachine: Servers['shownToMachine'] = ({ name, title, address, subtype, labels }) => ({
    id: name,
    hostname: title,
    addr: address,
    subKind: subtype,
    own: name === gatewayId,
    labels,
  });
  const doorOf = ({ rights }: Actor): Door => (rights === null ? 'command-line' : 'console');

  const note: Servers['note'] = async (change, server, by, door) => {
    changes.emit({ kind: change === 'removed' ? 'serverRemoved' : 'serverChanged', server: server.name });
    const { name, title, address } = server;
    await audit.emit({
      code: codes[change],
      user: by,
      ...(change === 'created'
        ? { success: true, host_id: name, node_name: title, role: 'Node', method: door, 'addr.remote': address }
        : { server_id: name, server_hostname: title, server_addr: address, method: door }),
    });
  };

  /** Throws Failure not_found for a server that is not there, or not theirs to remove; bad_request when several are called so. */
  async function removable(wanted: string, { rights }: Actor): Promise<Resource> {
    const byId = await resources.get('node', wanted);
    if (rights !== null) {
      if (byId && rights.may('node', 'delete', { resource: { name: byId.name, labels: byId.labels } })) return byId;
      throw new Failure('not_found', NOT_FOUND);
    }
    if (byId) return byId;
    const called = (await allOf(resources, 'node')).filter(({ title, address }) => [title, address].includes(wanted));
    const [server, another] = called;
    if (!server) throw new Failure('not_found', `no server is called "${wanted}"`);
    if (!another) return server;
    const ids = called.map(({ name }) => name).join(', ');
    throw new Failure('bad_request', `several servers are called "${wanted}"; use the id: ${ids}`);
  }

  /** The key that a machine of EC2 shows over the way that its sessions take. Throws Failure, ConnectError. */
  async function keyOf({ name, addr, aws }: WantedInstance): Promise<string> {
    if (await resources.get('node', name)) throw new Failure('exists', `there is a server "${name}" already`);
    const at = withPort(addr, SSH_PORT);
    await parts.checkInstance(aws, at);
    return (await parts.probe(at, [], aws)).publicKey;
  }

  return {
    note,
    shownTo,
    shownToMachine,
    async list(who, query) {
      const page = await resources.list('node', resourceQuery(query, SORT_FIELDS, who.rights.listing('node')));
      const offline = await parts.offline(page.items.map(({ labels }) => labels));
      const items = page.items.map(server => {
        const why = offline.get(server.labels[TUNNEL_LABEL] ?? '');
        return { ...shownTo(who, server), ...(why !== undefined && { offline: why }) };
      });
      return { ...page, items };
    },
    all: async () => (await allOf(resources, 'node', { sort: 'title' })).map(shownToMachine),
    async count(who) {
      const query = { limit: 1, selection: who.rights.listing('node'), count: true };
      return (await resources.list('node', query)).totalCount;
    },
    async probe(given) {
      const addr = withPort(given, SSH_PORT);
      return { addr, hostKey: await parts.probe(addr) };
    },
    async add(wanted, by) {
      const { hostname, addr } = wanted;
      const labels = labelsOf(wanted.labels);
      const { rights } = by;
      const name = 'aws' in wanted ? wanted.name : randomUUID();
      if ('hostKey' in wanted) parts.checkHostKey(wanted.hostKey);
      if (rights !== null && !rights.may('node', 'create', { resource: { name, labels } })) throw new Failure('denied');
      // Whoever may not use an integration reaches no machine by it.
      if ('aws' in wanted && rights !== null && !rights.may('integration', 'use'))
        throw new Failure('denied', 'access denied: no role gives you "use" on "integration"');
      await refuseKnownName(resources, hostname);
      const stored = await resources.create(
        'aws' in wanted
          ? newServer({ name, hostname, addr, labels, hostKey: await keyOf(wanted), aws: wanted.aws })
          : newServer({ name, hostname, addr, labels, hostKey: wanted.hostKey.trim() }),
      );
      await note('created', stored, by.user, doorOf(by));
      return stored;
    },
    async enroll({ hostname, addr, labels, hostKey }, token, method) {
      parts.checkHostKey(hostKey);
      await refuseKnownName(resources, hostname);
      const stored = await resources.create(newServer({ hostname, addr, labels, hostKey: hostKey.trim() }));
      await note('created', stored, `join-token:${token}`, method);
      return stored;
    },
    async remove(wanted, by) {
      const server = await removable(wanted, by);
      // The machine of another gateway may be that of one that is gone.
      if (server.name === gatewayId)
        throw new Failure('bad_request', 'this is the machine the gateway runs on; it cannot be removed');
      if (!(await resources.delete('node', server.name))) throw new Failure('not_found', NOT_FOUND);
      await note('removed', server, by.user, doorOf(by));
      return server;
    },
    toChange: (who, wanted) => findToChange(resources, who, wanted),
    target: async (who, wanted) => targetOf(await findServer(resources, who, wanted)),
    async targets(who, query, most) {
      const asked = resourceQuery({ query, limit: most, sort: 'hostname' }, SORT_FIELDS, who.rights.listing('node'));
      const { items, totalCount } = await resources.list('node', asked);
      if (totalCount === 0) throw new Failure('not_found', 'no server that you may see is selected by that query');
      if (totalCount <= most) return items.map(targetOf);
      const why = `selects ${totalCount} servers: ${most} at most`;
      throw new Failure('bad_request', `query: ${why}`, { query: why });
    },
  };
}

/** What is stored of a server is read for machines of EC2 alone: this is asked for every row of a list. */
function awsOf(server: Resource): Pick<Node, 'aws'> {
  const aws = server.subtype === EC2_SUB_KIND ? targetOf(server).aws : undefined;
  return aws ? { aws } : {};
}

/** Throws Failure bad_request for names that are the gateway's own, or given twice. */
function labelsOf(given: readonly Label[]): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const { name, value } of given) {
    if (name.startsWith('postern.'))
      throw new Failure('bad_request', `labels: "${name}": names that begin with "postern." are the gateway's own`, {
        labels: 'names must not begin with "postern."',
      });
    if (Object.hasOwn(labels, name))
      throw new Failure('bad_request', `labels: "${name}" is given twice`, { labels: 'each name once' });
    labels[name] = value;
  }
  return labels;
}
