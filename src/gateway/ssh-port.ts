// The gateway's SSH port: its keys from the store, its address from the settings, and who stands behind it.
import { createRateLimit } from './http/rate-limit.ts';
import { openSockets } from './live/sockets.ts';
import type { AuditLog } from './ports/audit.ts';
import type { Changes } from './ports/changes.ts';
import type { Connector } from './ports/servers.ts';
import type { SshDoor } from './ports/ssh-door.ts';
import type { Who } from './ports/who.ts';
import type { SecretBox } from './services/identity/secret-box.ts';
import type { Sessions } from './services/identity/web-sessions.ts';
import { watchSftp } from './services/protocols/sftp/watch.ts';
import { type PeopleParts, wayByCertificate, wayOfVouched } from './services/protocols/ssh/door/people.ts';
import { createPersonAuthority } from './services/protocols/ssh/door/person-authority.ts';
import { createPortHostKey } from './services/protocols/ssh/port/host-key.ts';
import { FAILED, listenForSsh, type SshPortParts } from './services/protocols/ssh/port/listener.ts';
import type { Way } from './services/protocols/ssh/port/way.ts';
import type { Servers } from './services/servers/manage.ts';
import type { Broker } from './services/sessions/participant.ts';
import type { Passages } from './services/sessions/passages.ts';
import type { SessionPolicy } from './services/sessions/policy/policy.ts';
import { createServerClients } from './services/sessions/server-clients.ts';
import type { Settings } from './store/store.ts';

export interface SshDoorParts {
  readonly settings: Pick<Settings, 'get' | 'putIfAbsent'>;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'subscribe'>;
  readonly webSessions: Pick<Sessions, 'again' | 'over' | 'authenticate' | 'active'>;
  readonly broker: Broker;
  readonly policy: Pick<SessionPolicy, 'permit' | 'permitFiles'>;
  readonly passages: Pick<Passages, 'enter'>;
  readonly connectors: Readonly<Record<string, Connector>> & { readonly ssh: Connector };
  readonly servers: Pick<Servers, 'target'>;
  /** Takes machines that dial in. */
  readonly tunnel: Way;
  /** By which people reach the gateway. */
  readonly host: string;
  /** Null: nothing is listened on. `chosen`: by somebody, and then it must be free. */
  readonly listen: { readonly host: string; readonly port: number; readonly chosen: boolean } | null;
  readonly clock?: () => Date;
  readonly warn: (problem: string, error: unknown) => void;
  readonly report: (problem: string, error: unknown) => void;
}
export interface OpenSshDoor extends SshDoor {
  close(): Promise<void>;
}

/** Throws what listening does, where the address was chosen. You must close it. */
export async function openSshDoor(parts: SshDoorParts): Promise<OpenSshDoor> {
  const { settings, secretBox: secrets, audit, changes, webSessions, servers, tunnel, listen, report } = parts;
  const { clock = () => new Date() } = parts;
  const hostKey = createPortHostKey({ settings, secrets });
  const authority = createPersonAuthority({ settings, secrets, audit, clock });
  const failed = (error: unknown) => report('web sessions of SSH clients could not be checked', error);
  const sockets = openSockets({ sessions: webSessions, changes, isOwn: () => false, failed });
  const people: PeopleParts = {
    authority,
    again: webSessions.again,
    watch: sockets.add,
    report,
    clients: createServerClients({
      ...parts,
      servers: { target: (who: Who, name: string) => servers.target(who, name) },
      watchFiles: watchSftp,
      active: webSessions.active,
    }),
  };
  const port: SshPortParts = {
    hostKey,
    ways: { tunnel, people: wayByCertificate(people) },
    failures: createRateLimit(FAILED, clock),
    report,
  };
  const listening = await listenForSsh(port, listen).catch((error: unknown) => {
    if (!listen || listen.chosen) throw error;
    parts.warn(`SSH clients cannot connect: port ${listen.port} is not free (--ssh-listen)`, error);
    return listenForSsh(port, null);
  });
  return {
    certificate: authority.issue,
    access: async () => ({
      hostKey: (await hostKey()).line,
      address: listening.port === null ? null : { host: parts.host, port: listening.port },
    }),
    take: (stream, vouched) =>
      listening.take(stream, { remoteAddr: vouched.who.remoteAddr, way: wayOfVouched(people, vouched) }),
    async close() {
      sockets.dispose();
      await listening.close();
    },
  };
}
