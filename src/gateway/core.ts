// What both the gateway and the command line stand on: the locked folder, the store, and the services over it. No port, no sockets.
import { hostname, userInfo } from 'node:os';
import type { Logger } from 'pino';
import { refuseEmptiedStore } from './emptied-store.ts';
import { readGatewayId } from './gateway-id.ts';
import { createNouns, type Nouns } from './nouns.ts';
import type { CertificateSigner } from './ports/certificates.ts';
import type { Changes } from './ports/changes.ts';
import type { Reach } from './ports/reach.ts';
import type { Instances } from './ports/servers.ts';
import type { Assumed, Barring, FindDevice } from './ports/who.ts';
import { ensurePresets } from './preset-roles.ts';
import { createListed } from './services/access-lists/listed.ts';
import { type Anchors, createAnchors } from './services/audit/anchors.ts';
import { type Audit, createAuditLog } from './services/audit/audit.ts';
import { createCertificates } from './services/certificates/certificates.ts';
import { createChanges } from './services/changes/changes.ts';
import { shareChanges } from './services/changes/other-gateways.ts';
import type { GatewayConfiguration } from './services/configuration/configuration.ts';
import { createDatabasePasswords, type DatabasePasswords } from './services/databases/passwords.ts';
import { createIdentity, type Identity } from './services/identity/identity.ts';
import { openSecretBox, type SecretBox } from './services/identity/secret-box.ts';
import { createBarring } from './services/locks/in-force.ts';
import { createStatementReader, type StatementReader } from './services/protocols/databases/statement-reader.ts';
import { type Authority, openAuthority } from './services/protocols/ssh/authority.ts';
import { createSshConnector } from './services/protocols/ssh/connector.ts';
import { createHostAuthority, type HostAuthority } from './services/protocols/ssh/host-authority.ts';
import { withHostUsers } from './services/protocols/ssh/host-users.ts';
import { createDirectReach } from './services/reach/direct.ts';
import { createReach } from './services/reach/router.ts';
import { createTunnels, type Tunnels } from './services/reach/tunnels.ts';
import { openArchive } from './services/recordings/open-archive.ts';
import { createRecordings, type Recordings } from './services/recordings/recordings.ts';
import { createRetention, type Retention } from './services/recordings/retention.ts';
import { createAssumed } from './services/requests/assumed.ts';
import { createRightsSource, type RightsSource } from './services/rights/source.ts';
import { createChecking } from './services/trust/assertion.ts';
import { createVisitors, type Visitors } from './services/trust/visitors.ts';
import { createFindDevice } from './services/trusted-devices/stored.ts';
import { lockFolder } from './store/lock.ts';
import { databaseFile, openStore, type StoreOptions } from './store/open.ts';
import type { Settings, Store } from './store/store.ts';

export interface Core extends Nouns {
  readonly configuration: GatewayConfiguration;
  readonly clusterName: string;
  /** Of several gateways on one store, this one: the id of its own machine among the servers. */
  readonly gatewayId: string;
  readonly log: Logger;
  readonly store: Store;
  readonly audit: Audit;
  readonly anchors: Anchors;
  readonly rights: RightsSource;
  readonly identity: Identity;
  /** People of roots that this cluster trusts. */
  readonly visitors: Visitors;
  readonly secretBox: SecretBox;
  readonly authority: Authority;
  readonly certificates: CertificateSigner;
  readonly databasePasswords: DatabasePasswords;
  readonly statementReader: StatementReader;
  readonly reach: Reach;
  readonly reverseTunnels: Tunnels;
  readonly hostAuthority: HostAuthority;
  readonly ssh: ReturnType<typeof createSshConnector>;
  readonly changes: Changes;
  readonly barring: Barring;
  readonly assumed: Assumed;
  readonly findDevice: FindDevice;
  readonly recordings: Recordings;
  readonly retention: Retention;
  /** Closes the store and frees the folder. Calling it again does nothing. */
  close(): Promise<void>;
}

/** Opens everything. Throws FolderInUse, the store's own errors, or Error with a sentence for people. */
export async function openCore(
  configuration: GatewayConfiguration,
  log: Logger,
  /** Address that people type. */
  publicUrl = configuration.publicUrl ?? 'http://localhost',
  timed?: StoreOptions['timed'],
): Promise<Core> {
  const lock = await lockFolder(configuration.dataFolder);
  let store: Store | undefined;
  try {
    if (configuration.store.kind === 'sqlite')
      refuseEmptiedStore(databaseFile(configuration.store.folder), configuration.recordingsFolder);
    const opened = await openStore(configuration.store, {
      warn: message => log.warn(message),
      ...(timed && { timed }),
    });
    store = opened;
    const { settings } = opened;
    const clusterName = await nameCluster(settings, configuration.clusterName);
    const authority = await openAuthority(settings, clusterName);
    const audit = createAuditLog({ events: opened.events, users: opened.users, clusterName });
    await ensurePresets(opened, audit, text => log.info(text));
    const gatewayId = await readGatewayId(configuration.dataFolder, async () =>
      // A store of one folder may know this machine by an id from before gateways had one.
      opened.dialect === 'sqlite' ? await settings.get(`local_server.${hostname()}`) : null,
    );
    await ensureThisMachine(opened, audit, gatewayId);
    const rights = createRightsSource(opened.resources, problem => log.warn(problem));
    const report = (problem: string, error: unknown) => log.error({ err: error }, problem);
    const archive = openArchive(configuration, { audit, events: opened.events, report });
    const recordings = createRecordings({
      folder: configuration.recordingsFolder,
      ...(archive && { archive }),
      settings,
      report,
      vouched: async sid => (await opened.events.endOf(sid))?.raw ?? null,
    });
    const changes = createChanges(report);
    const unshare = opened.announcements ? await shareChanges(changes, opened.announcements, report) : () => {};
    const barring = createBarring({ resources: opened.resources, changes, locking: configuration.lockingMode });
    const findDevice = createFindDevice(opened.resources);
    const listed = createListed({ resources: opened.resources, lists: opened.accessLists });
    const assumed = createAssumed({ resources: opened.resources, rights, listed: listed.person, barring });
    const secretBox = await openSecretBox(configuration.secretKey, settings);
    const visitors = createVisitors({
      resources: opened.resources,
      checking: createChecking(clusterName),
      rights,
      barring,
      changes,
    });
    const identified = createIdentity({
      store: opened,
      secretBox,
      audit,
      changes,
      rightsOf: user => rights.rightsOf(user),
      assumed,
      barring,
      findDevice,
      sessionTtlMs: configuration.sessionTtlMs,
      inactiveTimeoutMs: configuration.inactivityTimeoutMs,
      keyPolicy: configuration.webConfig.auth.privateKeyPolicy,
      passwordLeastCharacters: configuration.passwordLeastCharacters,
      factorSettings: { ...configuration.factors, publicUrl },
      clusterName,
      osUser: userInfo().username,
    });
    const identity = { ...identified, sessions: visitors.sessions(identified.sessions) };
    const reverseTunnels = createTunnels({
      resources: opened.resources,
      gateway: { id: gatewayId, hostname: hostname() },
      report,
    });
    const instances: Instances = {
      introduce: (...asked) => nouns.awsOidc.instances.introduce(...asked),
      open: (...asked) => nouns.awsOidc.instances.open(...asked),
    };
    const reach = createReach(createDirectReach(), reverseTunnels, instances);
    const ssh = withHostUsers(createSshConnector({ authority, reach, audit, instances }), report);
    const forgetServers = changes.subscribe(change => {
      if (change.kind === 'serverRemoved') reverseTunnels.forget('node', change.server);
      if (change.kind === 'tunnelledRemoved') reverseTunnels.forget(change.of, change.name);
    });
    const certificates = createCertificates({ settings, secrets: secretBox, clusterName });
    const databasePasswords = createDatabasePasswords({ settings, secrets: secretBox });
    const statementReader = createStatementReader(report);
    const nouns = createNouns({
      store: opened,
      audit,
      changes,
      accounts: identity.accounts,
      sessions: identity.sessions,
      barring,
      mode: configuration.deviceTrust,
      rights,
      listed,
      secretBox,
      clusterName,
      publicUrl,
      gatewayId,
      deployment: configuration.webConfig,
      pluginsLoopback: configuration.pluginsLoopback,
      ...(configuration.awsEndpoint !== null && { awsEndpoint: () => configuration.awsEndpoint ?? '' }),
      report,
      probe: ssh.probe,
      offline: reverseTunnels.offline,
    });
    let closing: Promise<void> | undefined;
    const close = async () => {
      unshare();
      forgetServers();
      await statementReader.close();
      await recordings.close();
      await opened.close();
      lock.release();
    };
    return {
      configuration,
      clusterName,
      gatewayId,
      log,
      store: opened,
      audit,
      anchors: createAnchors({ events: opened.events, settings, secrets: secretBox, clusterName }),
      rights,
      identity,
      visitors,
      secretBox,
      authority,
      certificates,
      databasePasswords,
      statementReader,
      reach,
      reverseTunnels,
      hostAuthority: createHostAuthority({ settings, secrets: secretBox }),
      ssh,
      changes,
      barring,
      assumed,
      findDevice,
      ...nouns,
      recordings,
      retention: createRetention({
        recordings,
        events: opened.events,
        audit,
        settings,
        rules: configuration.retention,
        clock: () => new Date(),
        report,
      }),
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await store?.close();
    lock.release();
    throw error;
  }
}

/** The cluster keeps the name it was born with: certificates, recordings and audit events carry it. */
async function nameCluster(settings: Settings, wanted: GatewayConfiguration['clusterName']): Promise<string> {
  const name = await settings.putIfAbsent('cluster.name', wanted.name);
  if (typeof name !== 'string') throw new Error('setting cluster.name of the store is not a text');
  if (wanted.chosen && name !== wanted.name)
    throw new Error(
      `cluster-name: "${wanted.name}": this store belongs to cluster "${name}", and a cluster keeps its name`,
    );
  return name;
}

/** The gateway's own machine is the first server; each gateway of a store has its own. */
async function ensureThisMachine({ resources }: Store, audit: Audit, gatewayId: string): Promise<void> {
  const title = hostname();
  const before = await resources.get('node', gatewayId);
  if (before?.title === title && before.address === title) return;
  await resources.put({
    kind: 'node',
    name: gatewayId,
    title,
    description: 'The machine that the gateway runs on',
    // It is reached without a port; whoever lists servers is told where it is all the same.
    address: title,
    subtype: 'local',
    labels: before?.labels ?? { os: process.platform, arch: process.arch },
    words: ['local'],
    spec: { hostKeys: [] },
    expires: null,
  });
  if (before) return;
  await audit.emit({
    code: 'TJ002I',
    success: true,
    host_id: gatewayId,
    node_name: title,
    role: 'Node',
    method: 'local',
  });
}
