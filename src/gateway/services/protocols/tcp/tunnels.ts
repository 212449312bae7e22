// Tunnels: bytes both ways between a port of a person's machine and what they may reach, each connection a session of its own. Nothing in it
// is read, so nothing is recorded, and a database is reached so only by those whose roles let them be anybody in it.
import type { Duplex } from 'node:stream';
import type { CloudProvider } from '../../../../contract/cloud-applications.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { TunnelKind } from '../../../../contract/tunnels.ts';
import type { ApplicationSession, OpenApplication } from '../../../ports/applications.ts';
import type { OpenDatabase, Statements } from '../../../ports/databases.ts';
import { ConnectError, type Reach } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resources } from '../../../store/store.ts';
import type { CloudClients } from '../cloud-door.ts';
import { certifiedAs, type Identity } from '../identity.ts';
import { type PersonCertificate, type PersonCertificates, placeFor } from '../person-certificates.ts';
import { type TunnelTarget, tunnelTarget } from './target.ts';

/** Input counts against the idle limit no more often than this, ms. */
const ACTIVE_MS = 1000;
/** What is reached as bytes. */
type ByteTarget = Exclude<TunnelTarget, { readonly kind: 'cloud' }>;
/** Any: what a tunnel is in a database. */
const ANYBODY = '*';

export interface TunnelParts {
  readonly resources: Pick<Resources, 'get'>;
  /** The person as they are now. Throws Failure signed_out when their web session is over. */
  readonly again: (of: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>) => Promise<Who>;
  readonly sessions: {
    passOn(request: OpenApplication): Promise<ApplicationSession>;
    relay(request: OpenDatabase): Promise<Statements>;
    end(sid: string, why: string): boolean;
  };
  readonly reach: Pick<Reach, 'stream'>;
  readonly personCertificates: PersonCertificates;
  /** Where clients connect; null: nowhere. */
  readonly listensOn: () => { readonly host: string; readonly tlsPort: number } | null;
  /** HTTP to the APIs of clouds: takes the connections of certificates for one. */
  readonly clouds: Pick<CloudClients, 'take' | 'choose'>;
  readonly report: (problem: string, error: unknown) => void;
}
interface TunnelCredential extends PersonCertificate {
  readonly host: string;
  readonly tlsPort: number;
  /** Of the API of a cloud: which, and as whom. */
  readonly cloud?: { readonly provider: CloudProvider; readonly identity: string };
}
/** What a certificate for a tunnel is asked for with. */
interface Asked {
  readonly publicKey: string;
  /** Id of the device that was shown for it. */
  readonly device?: string;
  /** As whom, in which cloud. */
  readonly chosen?: Readonly<Record<CloudProvider, string | undefined>>;
}
export interface Tunnels {
  /** Throws Failure not_found, denied, unsupported, bad_request. */
  issue(who: Who, kind: TunnelKind, name: string, asked: Asked): Promise<TunnelCredential>;
  /** Takes a connection, whose certificate has been read: a line of text goes to the client, empty or with why not, and then bytes. */
  take(
    socket: Duplex,
    client: { readonly kind: TunnelKind; readonly identity: Identity; readonly remoteAddr: string },
  ): void;
}

export function createTunnels(parts: TunnelParts): Tunnels {
  const { resources, sessions } = parts;

  async function open(target: ByteTarget, who: Who, device: string, socket: Duplex): Promise<void> {
    const asked = { who, ...(device !== '' && { device }), isUnread: true };
    const name = target.kind === 'app' ? target.application.name : target.database.name;
    const reach = () =>
      parts.reach.stream({ target: name, host: target.host, port: target.port }, who.rights.options.reachLoopback);
    if (target.kind === 'app') {
      const { application } = target;
      const far: { stream?: Duplex } = {};
      const session = await sessions.passOn({
        ...asked,
        application,
        hangUp() {
          if (!far.stream) return;
          far.stream.destroy();
          socket.destroy();
        },
      });
      const closed = session.opened();
      let bytes = 0;
      try {
        far.stream = await reach();
        if (session.over) far.stream.destroy();
        else bytes = await join(socket, far.stream, session.active);
      } finally {
        session.carried(bytes);
        closed();
        sessions.end(session.sid, '');
      }
      return;
    }
    let far: Duplex | undefined;
    const close = (): void => {
      far?.destroy();
      socket.destroy();
    };
    const statements = await sessions.relay({
      ...asked,
      database: target.database,
      dbUser: ANYBODY,
      dbName: ANYBODY,
      async reach() {
        far = await reach();
        return { close, farewell: close };
      },
    });
    if (far) await join(socket, far, statements.active);
    statements.gone('');
  }
  return {
    async issue(who, kind, name, { publicKey, device = '', chosen = { azure: undefined, gcp: undefined } }) {
      const target = await tunnelTarget(resources, who.rights, kind, name);
      const as = target.kind === 'cloud' ? await parts.clouds.choose(who, target, chosen, device) : undefined;
      if (target.kind !== 'cloud' && (chosen.azure ?? chosen.gcp) !== undefined)
        throw new Failure('bad_request', `${name} is the API of no cloud: nobody has an identity there`);
      const isAnybody = (of: 'db_users' | 'db_names', labels: Readonly<Record<string, string>>) =>
        who.rights.principals(of, labels).includes(ANYBODY);
      if (target.kind === 'db') {
        const { protocol, labels } = target.database;
        if (!isAnybody('db_users', labels) || !isAnybody('db_names', labels))
          throw new Failure(
            'denied',
            `what is done in ${name} cannot be checked, since the gateway does not speak ${protocol}: a tunnel is for roles with db_users: ["*"] and db_names: ["*"]`,
          );
      }
      const at = placeFor(who, parts.listensOn());
      const route =
        target.kind !== 'db'
          ? { route_to_app: { name, ...as?.route } }
          : { route_to_database: { service_name: name, protocol: target.database.protocol } };
      return {
        ...(await parts.personCertificates.issue(who, {
          ...{ kind: certifiedAs[kind], name, publicKey, device, route },
          ...(as && { chosen: as.identity }),
        })),
        host: at.host,
        tlsPort: at.tlsPort,
        ...(as && { cloud: { provider: as.provider, identity: as.identity } }),
      };
    },
    take(socket, { kind, identity, remoteAddr }) {
      // Whoever has said all may still want the answer.
      if (identity.chosen !== undefined) return parts.clouds.take(socket, { identity, remoteAddr });
      socket.allowHalfOpen = true;
      const { userId, webSessionId, target: name, device } = identity;
      const begin = async (): Promise<void> => {
        const who = await parts.again({ userId, webSessionId, remoteAddr });
        const target = await tunnelTarget(resources, who.rights, kind, name);
        if (target.kind === 'cloud')
          throw new Failure('bad_request', `${name} has become the API of a cloud: begin anew`);
        await open(target, who, device, socket);
      };
      begin()
        .catch((error: unknown) => {
          const isSaid = error instanceof Failure || error instanceof ConnectError;
          if (!isSaid) parts.report('a tunnel failed', error);
          const why = isSaid ? error.message : 'something went wrong at the gateway';
          if (!socket.destroyed) socket.end(`${why.replace(/\s+/g, ' ')}\n`);
        })
        .finally(() => socket.end(() => socket.destroy()));
    },
  };
}

/** Tells the client that it may begin, and hands bytes over until one side is gone, which takes the other with it. Answers how many came. */
async function join(client: Duplex, far: Duplex, active: () => void): Promise<number> {
  let bytes = 0;
  let last = 0;
  const touch = (): void => {
    const now = Date.now();
    if (now - last < ACTIVE_MS) return;
    last = now;
    active();
  };
  const gone = (side: Duplex, other: Duplex): Promise<void> =>
    new Promise(done => {
      const over = (): void => {
        // What was written to the other still goes out.
        other.end(() => other.destroy());
        done();
      };
      if (side.destroyed) over();
      else side.once('error', () => side.destroy()).once('close', over);
    });
  const both = Promise.all([gone(client, far), gone(far, client)]);
  client.write('\n');
  far.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    touch();
  });
  client.on('data', touch);
  client.pipe(far);
  far.pipe(client);
  await both;
  return bytes;
}
