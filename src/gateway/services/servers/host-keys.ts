// A server's pinned host key, replaced by the one that it shows now: after a person compared both, and never by itself.
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import type { HostKey, HostKeyChange } from '../../../contract/host-keys.ts';
import type { AwsPlace } from '../../../contract/nodes.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Who } from '../../ports/who.ts';
import type { Resource, Resources } from '../../store/store.ts';
import { findServer, targetOf } from './servers.ts';

export interface HostKeyParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'put'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  /** Reads a one-line public key. Throws Failure bad_request. */
  readonly readKey: (line: string) => HostKey;
  /** Connects and answers the key that the host shows, of a pinned kind where it has one. Throws ConnectError. */
  readonly probe: (addr: string, pinned: readonly string[], aws?: AwsPlace) => Promise<HostKey>;
}

export interface HostKeys {
  /** Connects and answers both sides of the comparison. Throws Failure bad_request for a gateway's own machine, and ConnectError. */
  compare(server: Resource): Promise<HostKeyChange>;
  /**
   * Pins `hostKey` (one line) in place of the keys whose fingerprints are `replaces`. Throws as `compare`, and Failure changed when
   * other keys are pinned by now or the host shows yet another key.
   */
  trust(
    server: Resource,
    confirmed: { readonly hostKey: string; readonly replaces: readonly string[] },
    by: { readonly user: string; readonly remoteAddr: string },
  ): Promise<HostKeyChange>;
}

/** The server of this id, or of this host name where only one has it. Throws Failure not_found, or denied without the right to change it. */
export async function findToChange(resources: HostKeyParts['resources'], who: Who, wanted: string): Promise<Resource> {
  const server = (await resources.get('node', wanted)) ?? (await findServer(resources, who, wanted));
  const { name, labels, title } = server;
  if (who.rights.may('node', 'update', { resource: { name, labels } })) return server;
  if (!who.rights.selects('node', labels)) throw new Failure('not_found', 'server not found');
  throw new Failure('denied', `access denied: no role lets you change ${title}`);
}

/** Whether the asker may change the server is the caller's to ask (`findToChange`). */
export function createHostKeys({ resources, audit, changes, readKey, probe }: HostKeyParts): HostKeys {
  async function compare(server: Resource): Promise<HostKeyChange> {
    if (server.subtype === 'local')
      throw new Failure('bad_request', `${server.title} is a gateway's own machine: it is not reached by SSH`);
    const { id, hostname, addr, hostKeys, aws } = targetOf(server);
    return { id, hostname, addr, pinned: hostKeys.map(readKey), shown: await probe(addr, hostKeys, aws) };
  }
  return {
    compare,
    async trust(server, { hostKey, replaces }, by) {
      const confirmed = readKey(hostKey);
      const found = await compare(server);
      const pinned = found.pinned.map(key => key.fingerprint);
      if (!sameSet(pinned, replaces))
        throw new Failure('changed', `other keys of ${found.hostname} are pinned by now: ${pinned.join(', ')}`);
      if (found.shown.fingerprint !== confirmed.fingerprint)
        throw new Failure(
          'changed',
          `${found.hostname} now shows ${found.shown.fingerprint}, not the key you confirmed: compare again`,
        );
      const spec = { ...z.parse(storedSpec, server.spec), hostKeys: [confirmed.publicKey] };
      const { revision, created: _created, updated: _updated, ...rest } = server;
      await resources.put({ ...rest, spec }, revision);
      changes.emit({ kind: 'serverChanged', server: server.name });
      await audit.emit({
        code: 'TJ010I',
        user: by.user,
        'addr.remote': by.remoteAddr,
        server_id: found.id,
        server_hostname: found.hostname,
        server_addr: found.addr,
        replaced: pinned,
        trusted: confirmed.fingerprint,
      });
      return { ...found, pinned: [confirmed] };
    },
  };
}

const storedSpec = z.record(z.string(), z.unknown());

const sameSet = (left: readonly string[], right: readonly string[]): boolean => {
  const [one, other] = [new Set(left), new Set(right)];
  return one.size === other.size && [...one].every(item => other.has(item));
};
