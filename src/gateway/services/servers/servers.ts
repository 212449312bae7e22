// Servers as they are stored: resources of kind node. What the list shows, what the broker dials, and how a new one is made.
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { SSH_PORT, withPort } from '../../../contract/address.ts';
import { Failure } from '../../../contract/failure.ts';
import { type AwsPlace, awsPlace, EC2_SUB_KIND } from '../../../contract/nodes.ts';
import type { Expression } from '../../../contract/predicate.ts';
import type { Target } from '../../ports/servers.ts';
import type { Who } from '../../ports/who.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';

/** The JSON part of a stored server. */
const serverSpec = z.object({ hostKeys: z._default(z.array(z.string()), []), aws: z.optional(awsPlace) });
type ServerSpec = z.infer<typeof serverSpec>;

/** A stored server as connectors need it. */
export function targetOf(resource: Resource): Target {
  const spec = z.safeParse(serverSpec, resource.spec);
  return {
    id: resource.name,
    hostname: resource.title,
    subKind: resource.subtype,
    addr: resource.address,
    hostKeys: spec.success ? spec.data.hostKeys : [],
    labels: resource.labels,
    ...(spec.data?.aws && { aws: spec.data.aws }),
  };
}

/** A resource for an OpenSSH server whose host key a person has confirmed. */
export function newServer(given: {
  readonly hostname: string;
  /** host or host:port */
  readonly addr: string;
  readonly labels: Readonly<Record<string, string>>;
  /** One-line public key, already checked. */
  readonly hostKey: string;
  /** Its id; default: a new one. */
  readonly name?: string;
  /** A machine of EC2 that is reached through AWS. */
  readonly aws?: AwsPlace;
}): NewResource {
  const { aws } = given;
  const spec: ServerSpec = { hostKeys: [given.hostKey], ...(aws && { aws }) };
  return {
    kind: 'node',
    name: given.name ?? randomUUID(),
    title: given.hostname,
    description: '',
    address: withPort(given.addr, SSH_PORT),
    subtype: aws ? EC2_SUB_KIND : 'openssh',
    labels: given.labels,
    words: [],
    spec,
    expires: null,
  };
}

/**
 * A second server of one host name is nearly always the first one set up anew: throws Failure exists, with what to do then. YAML, which
 * names servers by id, may still hold several.
 */
export async function refuseKnownName(resources: Pick<Resources, 'list'>, hostname: string): Promise<void> {
  const page = await resources.list('node', {
    limit: 1,
    query: nameEquals(hostname),
    selection: null,
    count: false,
  });
  if (page.items.length === 0) return;
  const text = `a server named ${hostname} exists; if its host key has changed, run "Trust the new host key of ${hostname}…"`;
  throw new Failure('exists', text, { hostname: 'a server of this name exists' });
}

const NOT_FOUND = 'server not found';
/** Servers that one host name may match before it is refused as ambiguous. */
const MATCHES_LOOKED_AT = 50;

/** The predicate for one host name (a server's `name` field in predicates). */
const nameEquals = (host: string): Expression => ({
  kind: 'call',
  name: 'equals',
  args: [
    { kind: 'field', path: ['name'] },
    { kind: 'literal', value: host },
  ],
});

/**
 * The server that a person means: by id, or by host[:port] when exactly one that they may see matches. One they may not see is not found.
 * Throws Failure not_found, or bad_request when several match.
 */
export async function findServer(
  resources: Pick<Resources, 'get' | 'list'>,
  who: Who,
  wanted: string,
): Promise<Resource> {
  const byId = await resources.get('node', wanted);
  if (byId) {
    if (!who.rights.selects('node', byId.labels)) throw new Failure('not_found', NOT_FOUND);
    return byId;
  }
  const port = /^(.*):\d+$/.exec(wanted);
  const host = port?.[1] ?? wanted;
  if (host === '') throw new Failure('not_found', NOT_FOUND);
  const page = await resources.list('node', {
    limit: MATCHES_LOOKED_AT,
    query: nameEquals(host),
    selection: who.rights.selection('node'),
    count: false,
  });
  const matches = page.items.filter(
    server => port === null || server.address === `${server.address.replace(/:\d+$/, '')}${wanted.slice(host.length)}`,
  );
  const [only, another] = matches;
  if (!only) throw new Failure('not_found', `${NOT_FOUND}: "${wanted}"`);
  if (another)
    throw new Failure('bad_request', `"${wanted}" matches several servers; use the server's id`, {
      server_id: 'matches several servers',
    });
  return only;
}
