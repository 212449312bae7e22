// The gateway process: reads its configuration, builds the services, listens, and ends cleanly. The only place that does.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, hostname } from 'node:os';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { readAddress } from '../contract/address.ts';
import { readBytes } from '../node/read-file.ts';
import { packageVersion } from '../node/version.ts';
import { createAdmin } from './admin/admin.ts';
import { adminSocket, listenOnSocket } from './admin/socket.ts';
import { createApp } from './app.ts';
import { type ClusterServices, openClusterServices } from './clusters.ts';
import { type Core, openCore } from './core.ts';
import { openSamlIdp } from './saml-idp.ts';
import { openOwnAlerts } from './services/alerts/own-alerts.ts';
import { openReleaseFeed } from './services/alerts/release-feed.ts';
import { createManagedApplications } from './services/applications/manage.ts';
import { createServiceProviders } from './services/applications/service-providers.ts';
import { createAssistant } from './services/assistant/assistant.ts';
import { createAuditAccess } from './services/audit/access.ts';
import { deliveriesOf, openDeliveries } from './services/audit/deliveries.ts';
import { forwarding } from './services/audit/forward.ts';
import { createBilling } from './services/billing/billing.ts';
import {
  ConfigurationError,
  type GatewayConfiguration,
  readConfiguration,
} from './services/configuration/configuration.ts';
import { settingsHelp } from './services/configuration/help.ts';
import { isLoopback } from './services/configuration/setting.ts';
import { createDatabases } from './services/databases/manage.ts';
import { createDatabaseSetUp } from './services/databases/set-up.ts';
import { openDrawing } from './services/desktop-drawing/drawing.ts';
import { createDesktopCertificates } from './services/desktops/certificates.ts';
import { createKeptDesktops } from './services/desktops/kept.ts';
import { createManagedDesktops } from './services/desktops/manage.ts';
import { openDiscovery } from './services/discovery/discovery.ts';
import { createManagedDiscoveries } from './services/discovery/manage.ts';
import type { Directory } from './services/discovery/stored.ts';
import { openSso } from './services/identity/sso/create.ts';
import { createJoining } from './services/joining/joining.ts';
import { listenForMetrics } from './services/metrics/listen.ts';
import { openPluginDelivery } from './services/plugins/delivery.ts';
import { createOutgoing, otherAddress } from './services/plugins/outgoing.ts';
import { createApplications } from './services/protocols/applications/applications.ts';
import { createCloudClients } from './services/protocols/applications/cloud-clients.ts';
import { createDatabaseClients } from './services/protocols/databases/clients.ts';
import { createDatabaseCredentials } from './services/protocols/databases/credentials.ts';
import { createDiagnostics } from './services/protocols/databases/diagnose.ts';
import { enter } from './services/protocols/databases/entrance.ts';
import {
  type DatabaseListener,
  type ListenerPorts,
  listenForDatabases,
} from './services/protocols/databases/listener.ts';
import { runStatement } from './services/protocols/databases/prompt/one-statement.ts';
import { createPrompts } from './services/protocols/databases/prompt/prompts.ts';
import { createShownCertificate } from './services/protocols/desktops/certificate.ts';
import { createDesktops } from './services/protocols/desktops/desktops.ts';
import { desktopTarget } from './services/protocols/desktops/targets.ts';
import { createDesktopTrial } from './services/protocols/desktops/trial.ts';
import { refuseClient } from './services/protocols/kubernetes/clients.ts';
import { createLocalConnector } from './services/protocols/local/connector.ts';
import { createPersonCertificates } from './services/protocols/person-certificates.ts';
import { createTunnelWay } from './services/protocols/ssh/port/tunnel.ts';
import { createTunnels } from './services/protocols/tcp/tunnels.ts';
import { createReadiness } from './services/readiness.ts';
import { createReachable } from './services/resources/reachable.ts';
import { createRetries } from './services/retries.ts';
import { createOwnMachine } from './services/servers/own-machine.ts';
import { askOwner } from './services/sessions/agent-approval.ts';
import { applicationRefusalEvent } from './services/sessions/application-audit.ts';
import { createBroadcasts } from './services/sessions/broadcasts.ts';
import { createBroker } from './services/sessions/broker.ts';
import { tellCutShort } from './services/sessions/cut-short.ts';
import { createDesktopWatching } from './services/sessions/desktop-watching.ts';
import { createFiles } from './services/sessions/files/files.ts';
import { createLiveSessions } from './services/sessions/live-sessions.ts';
import type { Broker } from './services/sessions/participant.ts';
import { createPassages } from './services/sessions/passages.ts';
import { createSessionPolicy } from './services/sessions/policy/policy.ts';
import { applicationRefusal } from './services/sessions/policy/rules.ts';
import { openPolicyWatch } from './services/sessions/policy/watch.ts';
import { tellRecovered } from './services/sessions/recovered.ts';
import { createStatementReviews } from './services/sessions/reviews.ts';
import { createSupport } from './services/support/bundle.ts';
import { keepRecent, type RecentLog } from './services/support/recent-log.ts';
import { openTelemetry } from './services/usage/telemetry.ts';
import { createUsage } from './services/usage/usage.ts';
import { type OpenSshDoor, openSshDoor } from './ssh-port.ts';
import { openStaticResources } from './static-resources.ts';
import { FolderInUse } from './store/lock.ts';
import { eitherGate, openTrust, type Trust } from './trust.ts';
import { takeVisiting } from './visiting-clients.ts';

const consoleFolder = resolve(import.meta.dirname, '../../dist/console');
/** An orderly end takes no longer than this, ms: whoever stopped us stops waiting after ten seconds. */
const CLOSE_MOST_MS = 9000;

interface Running {
  readonly core: Core;
  readonly broker: Broker;
  readonly databases: DatabaseListener | null;
  readonly sshDoor: OpenSshDoor;
  readonly clusterServices: ClusterServices;
  readonly trust: Trust;
  readonly app: FastifyInstance;
  readonly admin: FastifyInstance;
  readonly publicUrl: string;
  /** What goes on by itself and writes to the store. */
  readonly watches: readonly { dispose(): void }[];
}

/** A port that is free now, where the configuration leaves the choice to us: the console's address must be known before it is served. */
function choosePort(host: string, wanted: number): Promise<number> {
  if (wanted !== 0) return Promise.resolve(wanted);
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? done(address.port) : fail(new Error('no free port')),
      );
    });
  });
}

function urlOf({ listen, tls, publicUrl }: GatewayConfiguration, port: number): string {
  if (publicUrl !== null) return publicUrl;
  const everywhere = listen.host === '0.0.0.0' || listen.host === '::';
  const host = everywhere
    ? hostname()
    : isLoopback(listen.host)
      ? 'localhost'
      : listen.host.includes(':')
        ? `[${listen.host}]`
        : listen.host;
  return new URL(`${tls ? 'https' : 'http'}://${host}:${port}`).origin;
}

async function start(configuration: GatewayConfiguration, log: Logger, recent: RecentLog): Promise<Running> {
  // Loaded only where it is wanted: it would cost every gateway memory.
  const metrics = configuration.metricsListen ? (await import('./services/metrics/metrics.ts')).createMetrics() : null;
  const port = await choosePort(configuration.listen.host, configuration.listen.port);
  const publicUrl = urlOf(configuration, port);
  const core = await openCore(configuration, log, publicUrl, metrics?.stored);
  const open: { close(): Promise<unknown> }[] = [core];
  try {
    const { store, audit, changes, recordings, clusterName, gatewayId, ssh } = core;
    const configured = await openStaticResources(core);
    if (configured) open.unshift({ close: async () => configured.dispose() });
    const report = (problem: string, error: unknown) => log.error({ err: error }, problem);
    const telemetry = openTelemetry({
      ...{ resources: core.store.resources, gatewayId: core.gatewayId, clusterName: core.clusterName },
      ...{ sendTo: configuration.telemetryUrl, clock: () => new Date(), report },
    });
    open.unshift(telemetry);
    const retries = createRetries(report);
    open.unshift({ close: async () => retries.close() });
    const lastIndexOf = (sid: string) => store.events.lastIndexOf(sid);
    await tellRecovered({ audit, retries, lastIndexOf }, await recordings.recover());
    const policy = createSessionPolicy({
      audit,
      barring: core.barring,
      deviceTrust: configuration.deviceTrust,
      places: store.sessionPlaces,
      gatewayId,
      report,
    });
    const connectors = { local: createOwnMachine(createLocalConnector(), gatewayId), ssh };
    const files = createFiles({ policy, connectors, audit, changes, report });
    open.unshift(files);
    const ready = createReadiness({
      readStore: () => store.settings.get('identity.session_key'),
      recordingsFolder: configuration.recordingsFolder,
      sign: () => core.authority.issue({ user: 'readiness', sid: 'none', login: 'nobody', ttlMs: 1000 }),
      report,
    });
    const reviews = createStatementReviews({ changes });
    const broker = createBroker({
      policy,
      reviews,
      connectors: metrics?.counted(connectors) ?? connectors,
      recordings,
      audit,
      changes,
      clusterName,
      keepMs: configuration.sessionKeepMs,
      report,
    });
    const passages = createPassages();
    const watch = openPolicyWatch({
      sessions: broker,
      files,
      passages,
      webSessionOver: core.identity.sessions.over,
      store: { ...store, users: core.visitors.users(store.users) },
      assumed: core.assumed,
      agentNow: core.agents.now,
      barring: core.barring,
      findDevice: core.findDevice,
      deviceRefusal: policy.deviceRefusal,
      changes,
      policy,
      gatewayId,
      cutShort(sids) {
        void tellCutShort({ audit, events: store.events, retries }, sids);
        const parts = { ...core, ...store, retries, report };
        void import('./services/protocols/databases/left-users.ts').then(left => left.letGoOfLeft(parts, sids));
      },
      report,
    });
    open.unshift({ close: async () => watch.dispose() });
    const clock = () => new Date();
    const broadcasts = createBroadcasts(broker, audit, clock, report);
    open.unshift(broadcasts);
    const personCertificates = createPersonCertificates({ certificates: core.certificates, audit, clock });
    const listensOn = (protocol = '') => databases && { host: hostOf(publicUrl), ...databases.portsOf(protocol) };
    const clusterServices = openClusterServices({
      ...{ ...core, resources: store.resources, again: core.identity.sessions.again, sessions: broker },
      ...{ policy, passages, reviews, personCertificates, listensOn, report },
    });
    open.unshift({ close: async () => clusterServices.close() });
    const clouds = createCloudClients({
      ...{ ...core, resources: store.resources, sessions: broker, again: core.identity.sessions.again },
      ...{ clouds: configuration.clouds, refusal: applicationRefusal, clock, report },
      refused: (wish, why) => audit.emit(applicationRefusalEvent(wish, why)),
    });
    const tunnels = createTunnels({ ...entranceOf(core, broker), clouds, personCertificates, listensOn, report });
    const entrance = entranceOf(core, broker);
    const databaseClients = createDatabaseClients((identity, from) => enter(entrance, identity, from));
    const databases = await openDatabases(core, publicUrl, {
      clients: databaseClients,
      refuseCluster: refuseClient,
      takeElsewhere: (socket, client) => trust.leafClients.take(socket, client),
      takeCluster: clusterServices.clusterClients.take,
      takeTunnel: tunnels.take,
    });
    if (databases) open.unshift(databases);
    const trust = openTrust({
      ...{ ...core, resources: store.resources, settings: store.settings, publicUrl, report },
      async hostKey() {
        const { address, hostKey } = await sshDoor.access();
        return address && hostKey;
      },
    });
    open.unshift({ close: async () => trust.close() });
    trust.reception.openClients(
      takeVisiting({
        databases: databaseClients,
        takeCluster: clusterServices.clusterClients.take,
        takeTunnel: tunnels.take,
      }),
    );
    const sshDoor: OpenSshDoor = await openSshDoor({
      ...{ ...core, settings: store.settings, webSessions: core.identity.sessions, broker, policy, passages },
      ...{ connectors, tunnel: createTunnelWay(eitherGate(core.reverseTunnels.gate, trust.leaves.gate)), report },
      ...{ host: hostOf(publicUrl), listen: configuration.sshListen },
      warn: (problem, error) => log.warn({ err: error }, problem),
    });
    open.unshift(sshDoor);
    const joining = createJoining({
      ...core,
      resources: store.resources,
      pin: core.reverseTunnels.pin,
      userCa: core.authority.trustedUserCaLine,
      certify: core.hostAuthority.certify,
      async tunnels() {
        const { address, hostKey } = await sshDoor.access();
        return address && { ...address, key: hostKey };
      },
    });
    const keptDesktops = createKeptDesktops({ settings: store.settings, secrets: core.secretBox });
    const readDirectory = async (directory: Directory) => {
      const { readComputers } = await import('./services/discovery/directory.ts');
      const { host = '' } = readAddress(directory.address) ?? {};
      return readComputers(directory, configuration.pluginsLoopback ? host : await otherAddress(host));
    };
    const auditAccess = createAuditAccess({
      audit,
      events: store.events,
      running: sid => broker.get(sid)?.session ?? null,
      summary: recordings.summary,
      text: recordings.text,
      clock,
    });
    const liveSessions = createLiveSessions({ broker, files, clusterName });
    const app = createApp({
      config: {
        clusterName,
        version: packageVersion(),
        publicUrl,
        origins: [],
        webConfig: { ...configuration.webConfig, proxyCluster: clusterName },
        consoleFolder,
        logo: configuration.logo,
        license: configuration.license,
        trustProxy: configuration.trustProxy,
        deviceTrust: configuration.deviceTrust,
        ...(configuration.tls && { tls: configuration.tls }),
        rateLimit: configuration.rateLimit,
        clientPorts: listensOn,
        keepAliveMs: configuration.keepAliveMs,
      },
      ...core,
      joining,
      sso: openSso({ ...core, ...core.identity, publicUrl, clock }),
      reachable: createReachable({
        resources: store.resources,
        clusterName,
        publicUrl,
        offline: core.reverseTunnels.offline,
      }),
      databaseSetUp: createDatabaseSetUp({ ...core, passwords: core.databasePasswords, audit, clock }),
      prompts: createPrompts({ ...core, ...store, secrets: core.secretBox, report }),
      databases: createDatabases({ ...store, ...core }),
      runStatement: wish => runStatement(entranceOf(core, broker), wish),
      askOwner: wish => askOwner({ reviews, audit, changes }, wish),
      diagnostics: createDiagnostics(entranceOf(core, broker)),
      applications: createApplications({
        ...core,
        resources: store.resources,
        settings: store.settings,
        secrets: core.secretBox,
        sessions: broker,
        again: core.identity.sessions.again,
        authenticate: core.identity.sessions.authenticate,
        leaves: trust.leaves,
        watch: trust.watch,
        publicUrl,
        trustProxy: configuration.trustProxy,
        certificates: configuration.tls ? [configuration.tls.cert] : [],
        refusal: applicationRefusal,
        clouds,
        clock,
        report,
      }),
      personCertificates,
      ...clusterServices,
      ...trust,
      tunnels,
      samlIdp: openSamlIdp({
        ...{ ...core, resources: store.resources, settings: store.settings, secrets: core.secretBox },
        ...{ policy, publicUrl, clock },
      }),
      sshDoor,
      databaseCredentials: createDatabaseCredentials({ personCertificates, resources: store.resources, listensOn }),
      managedApplications: createManagedApplications({ ...store, ...core }),
      serviceProviders: createServiceProviders({ ...store, ...core }),
      managedDesktops: createManagedDesktops({ ...store, ...core, kept: keptDesktops }),
      managedDiscoveries: createManagedDiscoveries({ ...store, ...core, secrets: core.secretBox, read: readDirectory }),
      desktops: createDesktops({ ...core, resources: store.resources, kept: keptDesktops, sessions: broker, report }),
      desktopCertificates: createDesktopCertificates({
        ...core,
        kept: keptDesktops,
        target: (who, name) => desktopTarget(store.resources, who.rights, name),
        shown: createShownCertificate({ reach: core.reach }),
      }),
      watchDesktop: createDesktopWatching({
        ...{ sessions: broker, recordings },
        openDrawing: protocol => openDrawing({ protocol }),
      }),
      desktopTrial: createDesktopTrial({ resources: store.resources, reach: core.reach }),
      auditAccess,
      assistant: createAssistant({
        ...{ servers: core.servers, liveSessions, auditAccess, audit, clusterName, clock },
        settings: configuration.assistant,
        conversations: store.conversations,
      }),
      sessions: broker,
      liveSessions,
      broadcasts,
      reviews,
      files,
      ready,
      usage: createUsage({ ...store, deployment: configuration.webConfig, clock }),
      billing: createBilling({
        provider: configuration.billing,
        deployment: configuration.webConfig,
        audit,
        settings: store.settings,
        clock,
        publicUrl,
      }),
      telemetry,
      support: createSupport({
        ...core,
        version: packageVersion(),
        given: configuration.given,
        ready,
        sessions: () => broker.list().map(({ session }) => session.kind),
        log: recent,
        clock,
      }),
      ...(metrics && { refused: metrics.refused }),
      clock,
    });
    open.unshift(app);
    await app.listen({ host: configuration.listen.host, port });
    trust.roots.start();
    const watches: { dispose(): void }[] = [];
    if (metrics && configuration.metricsListen) {
      metrics.watch({
        sessions: () => broker.list().map(({ session }) => session.kind),
        storeWaiting: () => store.waiting(),
        recordingsWaiting: () => recordings.waiting(),
        recordingsUnsent: () => recordings.unsent(),
      });
      const listening = await listenForMetrics(metrics, configuration.metricsListen);
      open.unshift({ close: async () => listening.dispose() });
      watches.push(listening);
      log.info(`metrics are on port ${listening.port}`);
    }
    const admin = createAdmin(core, publicUrl);
    open.unshift(admin);
    await listenOnSocket(admin, adminSocket(configuration.dataFolder, process.env));
    const alerts = openOwnAlerts({
      alerts: core.alerts,
      gateway: { id: gatewayId, hostname: hostname() },
      certificate: configuration.tls?.cert ?? null,
      license: configuration.license?.ends ?? null,
      folders: [configuration.dataFolder, configuration.recordingsFolder].filter(existsSync),
      report: (problem, error) => log.warn({ err: error }, problem),
    });
    open.unshift({ close: async () => alerts.dispose() });
    await alerts.check();
    if (configuration.releaseFeed) {
      const feed = openReleaseFeed({
        ...{ feed: configuration.releaseFeed, version: packageVersion(), clock },
        ...{ alerts: core.alerts, settings: store.settings, report },
      });
      open.unshift({ close: async () => feed.dispose() });
      void feed.check();
    }
    const told = { gateway: { id: gatewayId, hostname: hostname() }, alerts: core.alerts, clock, report };
    const forwardParts = { events: store.events, settings: store.settings, gatewayId, clock };
    const due = core.notifications.watch();
    await due.look();
    const pluginDelivery = openPluginDelivery({
      ...core,
      users: store.users,
      plugins: core.plugins.delivery,
      request: createOutgoing(configuration.pluginsLoopback),
      own: configuration.pluginsLoopback,
      publicUrl,
      clock,
      keep: delivery => openDeliveries(told, [delivery]),
      forward: reader => forwarding(forwardParts, reader),
      report,
    });
    const discovery = openDiscovery({
      ...{ resources: store.resources, settings: store.settings, audit: core.audit, changes: core.changes, report },
      secrets: core.secretBox,
      forget: keptDesktops.forget,
      read: readDirectory,
      keep: delivery => openDeliveries(told, [delivery]),
    });
    void discovery.look();
    const deliveries = openDeliveries(told, [
      ...deliveriesOf(configuration.audit, forwardParts, core.anchors),
      ...recordings.deliveries,
    ]);
    return {
      core,
      broker,
      databases,
      sshDoor,
      clusterServices,
      trust,
      app,
      admin,
      publicUrl,
      watches: [
        alerts,
        watch,
        deliveries,
        pluginDelivery,
        discovery,
        due,
        core.accessLists.watch(report),
        core.retention.start(),
        { dispose: retries.close },
        ...(configured ? [configured] : []),
        ...watches,
      ],
    };
  } catch (error) {
    for (const one of open) await one.close();
    throw error;
  }
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** What the ways into databases stand on. */
const entranceOf = (core: Core, sessions: Broker) => ({
  ...core,
  report: (problem: string, error: unknown) => core.log.error({ err: error }, problem),
  resources: core.store.resources,
  again: core.identity.sessions.again,
  sessions,
});

/** The ports for people's own clients; null where none is wanted, or where the one that nobody chose is taken. */
async function openDatabases(
  core: Core,
  publicUrl: string,
  others: Pick<ListenerPorts, 'clients' | 'takeCluster' | 'takeTunnel' | 'takeElsewhere' | 'refuseCluster'>,
): Promise<DatabaseListener | null> {
  const { configuration, certificates, log } = core;
  const wanted = configuration.databasesListen;
  if (!wanted) return null;
  const names = [
    ...new Set([hostOf(publicUrl), ...(isLoopback(wanted.databases.host) ? ['localhost', '127.0.0.1'] : [])]),
  ];
  const report = (problem: string, error: unknown) => log.error({ err: error }, problem);
  try {
    return await listenForDatabases({ certificates, names, ...others, report }, wanted);
  } catch (error) {
    if (wanted.chosen) throw error;
    const ports = `${wanted.databases.port} and ${wanted.mysql.port}`;
    log.warn(
      { err: error },
      `clients of databases and clusters cannot connect: ports ${ports} are not both free (--databases-listen)`,
    );
    return null;
  }
}

/** Sessions are told and their recordings sealed first; then nothing is left that could write to the store. */
async function stop(
  { core, broker, databases, sshDoor, clusterServices, trust, app, admin, watches }: Running,
  reason: string,
): Promise<void> {
  for (const watch of watches) watch.dispose();
  await broker.close(reason);
  await databases?.close();
  await sshDoor.close();
  clusterServices.close();
  trust.close();
  await Promise.all([app.close(), admin.close()]);
  await core.close();
}

/** Which address is not free, and the setting that names another. Ports that nobody chose are done without. */
function usedAddress(error: { readonly port?: number }, configuration: GatewayConfiguration): string {
  const { listen, databasesListen, sshListen, metricsListen } = configuration;
  const others = {
    'ssh-listen': sshListen,
    'databases-listen': databasesListen?.databases,
    'mysql-listen': databasesListen?.mysql,
    'metrics-listen': metricsListen,
  };
  const found = Object.entries(others).find(([, one]) => one && one.port === error.port && one.port !== listen.port);
  const [key, { host, port }] = [found?.[0] ?? 'listen', found?.[1] ?? listen];
  return found === undefined
    ? `${key}: ${host}:${port} is used by another program; choose another address with --${key} HOST:PORT`
    : `${key}: ${host}:${port} is used by another program or another port of this gateway; choose another address with --${key} HOST:PORT`;
}

/** What happened, for a person who has only this line. */
function explain(error: unknown, configuration: GatewayConfiguration): string {
  const { host, port } = configuration.listen;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return usedAddress(error as NodeJS.ErrnoException & { port?: number }, configuration);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `listen: ${host} is not an address of this machine`;
  if (code === 'EACCES' && error instanceof Error && 'syscall' in error && error.syscall === 'listen')
    return `listen: ${host}:${port} may not be used by this user; choose a port above 1023`;
  return error instanceof Error ? error.message : String(error);
}

async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(settingsHelp());
    return;
  }
  if (argv.includes('--version')) {
    process.stdout.write(`${packageVersion()}\n`);
    return;
  }
  const configuration = readConfiguration({
    argv,
    env: process.env,
    readFile: readBytes,
    home: homedir(),
    hostname: hostname(),
  });
  const recent = keepRecent(pino.destination({ dest: 2, sync: true }));
  const log = pino(
    { level: configuration.logLevel, redact: ['req.headers', 'headers', '*.password', '*.token', '*.access_token'] },
    recent,
  );
  let running: Running;
  try {
    running = await start(configuration, log, recent);
  } catch (error) {
    if (!(error instanceof FolderInUse)) log.debug({ err: error }, 'the gateway did not start');
    process.stderr.write(`Postern: ${explain(error, configuration)}\n`);
    process.exitCode = 1;
    return;
  }
  if (configuration.trustProxy && configuration.publicUrl === null)
    log.warn(
      `--trust-proxy without --public-url: browsers at another address than ${running.publicUrl} are refused their terminals`,
    );
  handleEnd(running, log);
  const invite = await running.core.identity.inviteFirstAdmin();
  const lines = [`Postern is ready on ${running.publicUrl}`];
  if (invite)
    lines.push(
      'Nobody who may edit users and roles can sign in so far. This link makes the first administrator; it works once:',
      `${running.publicUrl}/web/invite/${invite.tokenId}`,
    );
  process.stdout.write(`${lines.join('\n')}\n`);
}

function handleEnd(running: Running, log: Logger): void {
  let ending = false;
  const end = (code: number, reason: string) => {
    if (ending) return;
    ending = true;
    setTimeout(() => {
      log.error(`the gateway did not end within ${CLOSE_MOST_MS} ms`);
      process.exit(1);
    }, CLOSE_MOST_MS).unref();
    stop(running, reason).then(
      () => process.exit(code),
      error => {
        log.fatal({ err: error }, 'the gateway could not end cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      log.info(`${signal}: ending`);
      end(0, 'The gateway is stopping.');
    });
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(kind, (error: unknown) => {
      log.fatal({ err: error }, kind);
      end(1, 'The gateway has failed and is stopping.');
    });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`Postern was not started.\n${error.problems.map(problem => `  ${problem}\n`).join('')}`);
  process.exitCode = 1;
}
