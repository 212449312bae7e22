// A whole gateway without a port, for tests: real store, rights, audit log, broker and recordings; only servers are scripted.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import * as z from 'zod/mini';
import { webConfig } from '../contract/config.ts';
import { packageVersion } from '../node/version.ts';
import { createApp, type Services } from './app.ts';
import { openClusterServices } from './clusters.ts';
import { createNouns } from './nouns.ts';
import type { Changes } from './ports/changes.ts';
import type { Connector } from './ports/servers.ts';
import type { OutputStream, Shell } from './ports/shell.ts';
import type { FactorSettings } from './ports/who.ts';
import { openSamlIdp } from './saml-idp.ts';
import { createListed } from './services/access-lists/listed.ts';
import { createManagedApplications } from './services/applications/manage.ts';
import { createServiceProviders } from './services/applications/service-providers.ts';
import { type AssistantParts, createAssistant } from './services/assistant/assistant.ts';
import { createAuditAccess } from './services/audit/access.ts';
import { createAuditLog } from './services/audit/audit.ts';
import { type BillingParts, createBilling } from './services/billing/billing.ts';
import { createCertificates } from './services/certificates/certificates.ts';
import { createChanges } from './services/changes/changes.ts';
import { CLOUD_HOSTS } from './services/configuration/setting.ts';
import { createDatabases } from './services/databases/manage.ts';
import { createDatabasePasswords } from './services/databases/passwords.ts';
import { createDatabaseSetUp } from './services/databases/set-up.ts';
import { openDrawing } from './services/desktop-drawing/drawing.ts';
import { createDesktopCertificates } from './services/desktops/certificates.ts';
import { createKeptDesktops } from './services/desktops/kept.ts';
import { createManagedDesktops } from './services/desktops/manage.ts';
import { readComputers } from './services/discovery/directory.ts';
import { createManagedDiscoveries } from './services/discovery/manage.ts';
import { createIdentity } from './services/identity/identity.ts';
import { createPasswordHasher } from './services/identity/password-hasher.ts';
import { createSecretBox } from './services/identity/secret-box.ts';
import { openSso } from './services/identity/sso/create.ts';
import { createJoining } from './services/joining/joining.ts';
import { createBarring } from './services/locks/in-force.ts';
import { createApplications } from './services/protocols/applications/applications.ts';
import { type CloudSettings, createCloudClients } from './services/protocols/applications/cloud-clients.ts';
import { createDatabaseClients } from './services/protocols/databases/clients.ts';
import { createDatabaseCredentials } from './services/protocols/databases/credentials.ts';
import { createDiagnostics } from './services/protocols/databases/diagnose.ts';
import { enter } from './services/protocols/databases/entrance.ts';
import { listenForDatabases } from './services/protocols/databases/listener.ts';
import { runStatement } from './services/protocols/databases/prompt/one-statement.ts';
import { createPrompts } from './services/protocols/databases/prompt/prompts.ts';
import { createStatementReader } from './services/protocols/databases/statement-reader.ts';
import { createShownCertificate } from './services/protocols/desktops/certificate.ts';
import { createDesktops } from './services/protocols/desktops/desktops.ts';
import { desktopTarget } from './services/protocols/desktops/targets.ts';
import { createDesktopTrial } from './services/protocols/desktops/trial.ts';
import { refuseClient } from './services/protocols/kubernetes/clients.ts';
import { createLocalConnector } from './services/protocols/local/connector.ts';
import { createPersonCertificates } from './services/protocols/person-certificates.ts';
import { openAuthority } from './services/protocols/ssh/authority.ts';
import { createHostAuthority } from './services/protocols/ssh/host-authority.ts';
import { readHostKey } from './services/protocols/ssh/host-key.ts';
import { createTunnelWay } from './services/protocols/ssh/port/tunnel.ts';
import { createTunnels } from './services/protocols/tcp/tunnels.ts';
import { createDirectReach } from './services/reach/direct.ts';
import { createTunnels as createReverseTunnels } from './services/reach/tunnels.ts';
import { createReadiness } from './services/readiness.ts';
import { createRecordings } from './services/recordings/recordings.ts';
import { createRetention } from './services/recordings/retention.ts';
import { createAssumed } from './services/requests/assumed.ts';
import { createReachable } from './services/resources/reachable.ts';
import type { DeclaredResources } from './services/resources/resources.ts';
import { presetRoles } from './services/rights/presets.ts';
import { createRightsSource, type RightsSource, roleResource } from './services/rights/source.ts';
import { newServer } from './services/servers/servers.ts';
import { askOwner } from './services/sessions/agent-approval.ts';
import { applicationRefusalEvent } from './services/sessions/application-audit.ts';
import { createBroadcasts } from './services/sessions/broadcasts.ts';
import { createBroker } from './services/sessions/broker.ts';
import { createDesktopWatching } from './services/sessions/desktop-watching.ts';
import type { ConnectionPorts } from './services/sessions/files/connections.ts';
import { createFiles } from './services/sessions/files/files.ts';
import { createLiveSessions } from './services/sessions/live-sessions.ts';
import { createPassages } from './services/sessions/passages.ts';
import { createSessionPolicy } from './services/sessions/policy/policy.ts';
import { applicationRefusal } from './services/sessions/policy/rules.ts';
import { openPolicyWatch } from './services/sessions/policy/watch.ts';
import { createStatementReviews } from './services/sessions/reviews.ts';
import { createSupport } from './services/support/bundle.ts';
import { createChecking } from './services/trust/assertion.ts';
import { createVisitors } from './services/trust/visitors.ts';
import { createFindDevice } from './services/trusted-devices/stored.ts';
import { openTelemetry } from './services/usage/telemetry.ts';
import { createUsage } from './services/usage/usage.ts';
import { type OpenSshDoor, openSshDoor } from './ssh-port.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';
import { openTrust } from './trust.ts';

/** Cheap to type, long enough for the rule; must never be seen in a log. */
export const PASSWORD = 'correct horse battery';
export const CLUSTER = 'here';
/** A well-formed key: what it would open is nothing. */
export const HOST_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8wqVyGxzYFGcWWPO8cTJ4VJmHYGzmlkDYlqyGCFuaF';

/** A signed-in browser: what it holds, and its calls. */
export interface Browser {
  readonly user: string;
  readonly cookie: string;
  readonly bearer: string;
  call(method: string, url: string, body?: unknown): Promise<Answer>;
}
export interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface Rig {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly store: Store;
  readonly changes: Changes;
  readonly rights: RightsSource;
  readonly declared: DeclaredResources;
  /** Everything that was logged, a line each. */
  readonly log: string[];
  /** Shells that were opened, in order. */
  readonly shells: ScriptedShell[];
  /** Makes the next connection fail like this. */
  refuseNext(error: Error): void;
  /** The host key that every server shows from now on, one line; HOST_KEY at first. */
  showKey(line: string): void;
  later(ms: number): void;
  addUser(name: string, roles: readonly string[], logins?: readonly string[]): Promise<void>;
  addServer(hostname: string, labels?: Readonly<Record<string, string>>): Promise<string>;
  /** `from`: the address of their browser, whose calls all come from there. */
  signIn(user: string, from?: string): Promise<Browser>;
  dispose(): Promise<void>;
}

/** A shell that prints what it is told to and remembers what it was given. */
export interface ScriptedShell extends Shell {
  readonly sid: string;
  readonly typed: () => string;
  readonly sizes: string[];
  /** What it runs; undefined: a shell in a terminal. */
  readonly command: string | undefined;
  print(text: string, from?: OutputStream): void;
  exit(code: number): void;
}

function createScriptedShell(sid: string, command: string | undefined): ScriptedShell {
  const written: Buffer[] = [];
  let output: (bytes: Uint8Array, from: OutputStream) => void = () => undefined;
  let exited: (exit: { code: number | null; signal: string | null; error: string | null }) => void = () => undefined;
  let over = false;
  const exit = (code: number): void => {
    if (over) return;
    over = true;
    exited({ code, signal: null, error: null });
  };
  const sizes: string[] = [];
  return {
    sid,
    command,
    sizes,
    typed: () => Buffer.concat(written).toString(),
    print: (text, from = 'stdout') => output(Buffer.from(text), from),
    exit,
    write: bytes => written.push(Buffer.from(bytes)),
    resize: ({ cols, rows }) => sizes.push(`${cols}:${rows}`),
    pause: () => undefined,
    resume: () => undefined,
    onOutput: listener => {
      output = listener;
    },
    onExit: listener => {
      exited = listener;
    },
    onGone: () => undefined,
    roundTrip: async () => 3,
    close: () => exit(0),
  };
}

export interface RigOptions {
  readonly inactiveTimeoutMs?: number;
  readonly factors?: Partial<FactorSettings>;
  readonly config?: Partial<Services['config']>;
  /** The model that the assistant asks; there is none otherwise. */
  readonly assistant?: AssistantParts['settings'];
  /** Who makes invoices; nobody otherwise. */
  readonly billing?: BillingParts['provider'];
  /** How host keys are asked for; all servers show the rig's own otherwise. */
  readonly probe?: Parameters<typeof createNouns>[0]['probe'];
  /** In place of AWS. */
  readonly awsEndpoint?: Parameters<typeof createNouns>[0]['awsEndpoint'];
  readonly aws?: { readonly sts: string; readonly signIn: string };
  readonly clouds?: CloudSettings;
  /** How files of servers are reached; all servers have those of this machine otherwise. */
  readonly connectors?: ConnectionPorts['connectors'];
  /** Database clients are listened for on a port of loopback. */
  readonly databases?: boolean;
  /** SSH clients are listened for on a port of loopback; how servers are reached then, in place of scripted shells. */
  readonly sshClients?: Parameters<typeof openSshDoor>[0]['connectors'];
  /** In place of what the rig builds. */
  readonly services?: Partial<Services>;
}

export async function openRig(options: RigOptions = {}): Promise<Rig> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-app-'));
  let offset = 0;
  const clock = (): Date => new Date(Date.now() + offset);
  const consoleFolder = path.join(folder, 'console');
  await mkdir(path.join(consoleFolder, 'assets'), { recursive: true });
  await writeFile(
    path.join(consoleFolder, 'index.html'),
    '<!doctype html><html><head><!--postern-head--><script src="/web/config.js"></script><script type="module" crossorigin src="/web/app/assets/index.js"></script></head><body><div id="root"></div></body></html>',
  );
  await writeFile(path.join(consoleFolder, 'assets', 'main-abc123.js'), 'export {};');

  const store = await openStore({ kind: 'sqlite', folder }, { clock });
  for (const { content } of presetRoles) await store.resources.create(roleResource(content));
  const audit = createAuditLog({ events: store.events, users: store.users, clusterName: CLUSTER, clock });
  const rights = createRightsSource(store.resources, problem => report(problem, null));
  const recordings = createRecordings({ folder: path.join(folder, 'recordings'), settings: store.settings });
  const log: string[] = [];
  const shells: ScriptedShell[] = [];
  let refusal: Error | null = null;
  // What passwords cost to guess is not what is tested here.
  const hasher = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const connector: Connector = {
    async open(_target, { sid, command }) {
      const error = refusal;
      refusal = null;
      if (error) throw error;
      const shell = createScriptedShell(sid, command);
      shells.push(shell);
      return shell;
    },
  };
  const report = (problem: string, error: unknown) => void log.push(`${problem}: ${String(error)}`);
  const changes = createChanges(report);
  const barring = createBarring({ resources: store.resources, changes, clock });
  const listed = createListed({ resources: store.resources, lists: store.accessLists, clock });
  const assumed = createAssumed({ resources: store.resources, rights, listed: listed.person, barring, clock });
  const deviceTrust = options.config?.deviceTrust ?? 'optional';
  const findDevice = createFindDevice(store.resources);
  const policy = createSessionPolicy({
    audit,
    barring,
    deviceTrust,
    places: store.sessionPlaces,
    gatewayId: 'rig',
    report,
  });
  const connectors = options.sshClients ?? { local: connector, ssh: connector };
  const reviews = createStatementReviews({ changes });
  const sessions = createBroker({
    reviews,
    policy,
    connectors,
    recordings,
    audit,
    changes,
    clusterName: CLUSTER,
  });
  const files = createFiles({
    policy,
    connectors: options.connectors ?? { ssh: createLocalConnector() },
    audit,
    changes,
    report,
  });
  const secretBox = createSecretBox(Buffer.alloc(32), store.settings);
  const certificates = createCertificates({
    settings: store.settings,
    secrets: secretBox,
    clusterName: CLUSTER,
    clock,
  });
  const databasePasswords = createDatabasePasswords({ settings: store.settings, secrets: secretBox });
  const visitors = createVisitors({
    ...{ resources: store.resources, checking: createChecking(CLUSTER), rights },
    ...{ barring, changes, clock },
  });
  const identified = createIdentity({
    store,
    secretBox,
    audit,
    changes,
    rightsOf: user => rights.rightsOf(user),
    assumed,
    barring,
    findDevice,
    sessionTtlMs: 12 * 3_600_000,
    inactiveTimeoutMs: options.inactiveTimeoutMs ?? 0,
    keyPolicy: options.config?.webConfig?.auth.privateKeyPolicy ?? 'none',
    passwordLeastCharacters: 12,
    factorSettings: {
      secondFactor: 'off',
      allowPasswordless: false,
      recoveryCodes: false,
      publicUrl: 'https://console.example.com',
      ...options.factors,
    },
    clusterName: CLUSTER,
    osUser: 'gate',
    clock,
    hasher,
    toldEveryMs: 10,
  });
  const identity = { ...identified, sessions: visitors.sessions(identified.sessions) };
  let shownKey = HOST_KEY;
  const reach = createDirectReach();
  const deployed: Services['config'] = {
    clusterName: CLUSTER,
    version: packageVersion(),
    publicUrl: 'https://console.example.com',
    origins: [],
    webConfig: z.parse(webConfig, { proxyCluster: CLUSTER, auth: { motd: '</script><script>alert(1)</script>' } }),
    consoleFolder,
    trustProxy: false,
    deviceTrust,
    rateLimit: { burst: 100_000, perMinute: 100_000 },
    keepAliveMs: 30_000,
    clientPorts: protocol => databases && { host: 'localhost', ...databases.portsOf(protocol) },
    ...options.config,
  };
  const reverseTunnels = createReverseTunnels({
    resources: store.resources,
    gateway: { id: 'rig', hostname: 'rig' },
    clock,
    report,
  });
  const nouns = createNouns({
    store,
    audit,
    changes,
    accounts: identity.accounts,
    sessions: identity.sessions,
    barring,
    mode: deviceTrust,
    clock,
    rights,
    listed,
    secretBox,
    clusterName: CLUSTER,
    publicUrl: deployed.publicUrl,
    ...(options.awsEndpoint && { awsEndpoint: options.awsEndpoint }),
    gatewayId: 'rig',
    deployment: deployed.webConfig,
    pluginsLoopback: true,
    report: (problem, error) => log.push(`${problem}: ${String(error)}`),
    offline: reverseTunnels.offline,
    probe: options.probe ?? (async () => readHostKey(shownKey)),
  });
  const { again } = identity.sessions;
  const statementReader = createStatementReader(report);
  const entrance = {
    resources: store.resources,
    again,
    sessions,
    reach,
    certificates,
    statementReader,
    databasePasswords,
    awsOidc: nouns.awsOidc,
    report,
  };
  const passages = createPassages();
  const personCertificates = createPersonCertificates({ certificates, audit, clock });
  const clusterServices = openClusterServices({
    ...{ resources: store.resources, secretBox, again, reach, audit, policy, passages, sessions, reviews, report },
    declared: nouns.declared,
    personCertificates,
    listensOn: () => databases && { host: 'localhost', ...databases.portsOf('') },
  });
  const clouds = createCloudClients({
    ...{ resources: store.resources, again, sessions, reach, changes, barring, clock, report },
    clouds: options.clouds ?? { metadata: 'http://127.0.0.1:1', hosts: CLOUD_HOSTS },
    refusal: applicationRefusal,
    refused: (wish, why) => audit.emit(applicationRefusalEvent(wish, why)),
  });
  const tunnels = createTunnels({
    clouds,
    ...{ resources: store.resources, again, sessions, reach, personCertificates, report },
    listensOn: () => databases && { host: 'localhost', ...databases.portsOf('') },
  });
  const hostAuthority = createHostAuthority({ settings: store.settings, secrets: secretBox });
  const userAuthority = await openAuthority(store.settings, CLUSTER);
  const trust = openTrust({
    ...{
      ...nouns,
      resources: store.resources,
      settings: store.settings,
      secretBox,
      audit,
      changes,
      identity,
      visitors,
    },
    ...{ clusterName: CLUSTER, publicUrl: deployed.publicUrl, gatewayId: 'rig', report },
    hostKey: async () => (await sshDoor.access()).hostKey,
  });
  const sshDoor: OpenSshDoor = await openSshDoor({
    ...{
      ...nouns,
      settings: store.settings,
      secretBox,
      audit,
      changes,
      webSessions: identity.sessions,
      passages,
      report,
    },
    ...{
      broker: sessions,
      policy,
      connectors,
      tunnel: createTunnelWay(trust.leaves.gate),
      host: '127.0.0.1',
      warn: report,
    },
    clock,
    listen: options.sshClients ? { host: '127.0.0.1', port: 0, chosen: true } : null,
  });
  const keptDesktops = createKeptDesktops({ settings: store.settings, secrets: secretBox });
  const auditAccess = createAuditAccess({
    audit,
    events: store.events,
    running: sid => sessions.get(sid)?.session ?? null,
    summary: recordings.summary,
    text: recordings.text,
    clock,
  });
  const liveSessions = createLiveSessions({ broker: sessions, files, clusterName: CLUSTER });
  const services: Services = {
    personCertificates,
    tunnels,
    ...trust,
    samlIdp: openSamlIdp({
      ...{ resources: store.resources, settings: store.settings, secrets: secretBox, audit, policy, clock },
      ...{ clusterName: CLUSTER, publicUrl: deployed.publicUrl },
    }),
    config: deployed,
    sshDoor,
    log: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    audit,
    changes,
    auditAccess,
    assistant: createAssistant({
      ...{ servers: nouns.servers, liveSessions, auditAccess, audit, clusterName: CLUSTER, clock },
      settings: options.assistant ?? null,
      conversations: store.conversations,
    }),
    identity,
    sessions,
    liveSessions,
    reviews,
    broadcasts: createBroadcasts(sessions, audit, clock, report),
    files,
    recordings,
    retention: createRetention({
      recordings,
      events: store.events,
      audit,
      settings: store.settings,
      rules: { keepMs: 0, labels: [], mostBytes: 0 },
      clock,
      report,
    }),
    ...nouns,
    joining: createJoining({
      ...{ ...nouns, resources: store.resources, audit, pin: reverseTunnels.pin, certify: hostAuthority.certify },
      userCa: userAuthority.trustedUserCaLine,
      tunnels: async () => ({ host: 'gateway.test', port: 3023, key: 'ssh-ed25519 AAAA' }),
    }),
    sso: openSso({ ...nouns, ...identity, store, secretBox, audit, publicUrl: deployed.publicUrl, clock }),
    reachable: createReachable({
      resources: store.resources,
      clusterName: CLUSTER,
      publicUrl: deployed.publicUrl,
      offline: reverseTunnels.offline,
    }),
    databaseSetUp: createDatabaseSetUp({ certificates, passwords: databasePasswords, audit, clock }),
    databases: createDatabases({ ...store, ...nouns }),
    runStatement: wish => runStatement(entrance, wish),
    askOwner: wish => askOwner({ reviews, audit, changes }, wish),
    diagnostics: createDiagnostics(entrance),
    prompts: createPrompts({ ...store, ...entrance, secrets: secretBox }),
    applications: createApplications({
      resources: store.resources,
      settings: store.settings,
      secrets: secretBox,
      clusterName: CLUSTER,
      sessions,
      reach,
      changes,
      again,
      barring,
      authenticate: identity.sessions.authenticate,
      leaves: trust.leaves,
      watch: trust.watch,
      publicUrl: deployed.publicUrl,
      trustProxy: deployed.trustProxy,
      certificates: deployed.tls ? [deployed.tls.cert] : [],
      refusal: applicationRefusal,
      clock,
      ...(options.aws && { aws: options.aws }),
      clouds,
      report,
    }),
    ...clusterServices,
    managedApplications: createManagedApplications({ ...store, ...nouns }),
    serviceProviders: createServiceProviders({ ...store, ...nouns }),
    managedDesktops: createManagedDesktops({ ...store, ...nouns, audit, kept: keptDesktops }),
    managedDiscoveries: createManagedDiscoveries({
      ...{ ...store, ...nouns, secrets: secretBox, read: directory => readComputers(directory, '127.0.0.1') },
    }),
    desktops: createDesktops({ resources: store.resources, reach, kept: keptDesktops, sessions, report }),
    desktopCertificates: createDesktopCertificates({
      audit,
      kept: keptDesktops,
      target: (who, name) => desktopTarget(store.resources, who.rights, name),
      shown: createShownCertificate({ reach }),
    }),
    watchDesktop: createDesktopWatching({ sessions, recordings, openDrawing: protocol => openDrawing({ protocol }) }),
    desktopTrial: createDesktopTrial({ resources: store.resources, reach: reach }),
    databaseCredentials: createDatabaseCredentials({
      personCertificates,
      resources: store.resources,
      listensOn: protocol => databases && { host: 'localhost', ...databases.portsOf(protocol) },
    }),
    clock,
    ready: createReadiness({
      readStore: () => store.settings.get('identity.session_key'),
      recordingsFolder: path.join(folder, 'recordings'),
      sign: () => undefined,
      report: () => undefined,
    }),
    usage: createUsage({ ...store, deployment: { isCloud: true, isDashboard: false }, clock }),
    billing: createBilling({
      ...{ provider: options.billing ?? null, deployment: { isCloud: true, isDashboard: false }, audit },
      ...{ settings: store.settings, clock },
      publicUrl: deployed.publicUrl,
    }),
    telemetry: openTelemetry({
      ...{ resources: store.resources, gatewayId: 'testing', clusterName: CLUSTER },
      ...{ sendTo: null, clock, report },
    }),
    support: createSupport({
      ...{ store, gatewayId: 'testing', version: packageVersion(), clusterName: CLUSTER, alerts: nouns.alerts },
      given: [],
      ready: async () => ({ store: null, recordings: null, signing_keys: null }),
      sessions: () => sessions.list().map(({ session }) => session.kind),
      recordings,
      log: { lines: () => [] },
      clock,
    }),
    ...options.services,
  };
  const watch = openPolicyWatch({
    sessions,
    files,
    passages,
    webSessionOver: identity.sessions.over,
    store: { ...store, users: visitors.users(store.users) },
    assumed,
    agentNow: nouns.agents.now,
    barring,
    findDevice,
    deviceRefusal: policy.deviceRefusal,
    changes,
    policy,
    gatewayId: 'rig',
    cutShort: () => undefined,
    report,
  });
  const anyPort = { host: '127.0.0.1', port: 0 };
  const databases = options.databases
    ? await listenForDatabases(
        {
          certificates,
          names: ['localhost'],
          clients: createDatabaseClients((shown, remoteAddr) => enter(entrance, shown, remoteAddr)),
          takeElsewhere: trust.leafClients.take,
          refuseCluster: refuseClient,
          takeCluster: clusterServices.clusterClients.take,
          takeTunnel: tunnels.take,
          report,
        },
        { databases: anyPort, mysql: anyPort },
      )
    : null;
  const app = createApp(services);
  await app.ready();

  async function signIn(user: string, from = '127.0.0.1'): Promise<Browser> {
    const page = await app.inject({ url: '/web/login' });
    const csrf = /postern_csrf_token" content="([0-9a-f]{64})"/.exec(page.body)?.[1] ?? '';
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/webapi/sessions/web',
      headers: { cookie: `__Host-postern_csrf=${csrf}`, 'x-csrf-token': csrf },
      payload: { user, pass: PASSWORD },
      remoteAddress: from,
    });
    if (answer.statusCode !== 200) throw new Error(`sign-in of ${user}: ${answer.statusCode} ${answer.body}`);
    const cookie = /__Host-session=([0-9a-f]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
    const bearer = (answer.json() as { token: string }).token;
    return {
      user,
      cookie,
      bearer,
      call: (method, url, body) => call(app, { method, url, body, cookie, bearer, from }),
    };
  }

  return {
    app,
    services,
    store,
    changes,
    rights,
    declared: nouns.declared,
    log,
    shells,
    refuseNext: error => {
      refusal = error;
    },
    showKey: line => {
      shownKey = line;
    },
    later: ms => {
      offset += ms;
    },
    async addUser(name, roles, logins = []) {
      const traits = { logins: [...logins] };
      await identity.accounts.create({ name, roles: [...roles], traits }, { user: 'system', rights: null });
      const [user] = await store.users.named([name]);
      await store.passwords.set(user?.id ?? '', await hasher.hash(PASSWORD));
    },
    async addServer(hostname, labels = {}) {
      const { name } = await store.resources.create(
        newServer({ hostname, addr: `${hostname}:22`, labels, hostKey: HOST_KEY }),
      );
      return name;
    },
    signIn,
    async dispose() {
      await services.telemetry.close();
      watch.dispose();
      await sessions.close('the test is over');
      await databases?.close();
      await sshDoor.close();
      clusterServices.close();
      trust.close();
      await files.close();
      await app.close();
      await recordings.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

export interface Asking {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly cookie?: string;
  readonly bearer?: string;
  /** The address that it comes from; absent: this machine's own. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call as a browser makes it. */
export async function call(app: FastifyInstance, asking: Asking): Promise<Answer> {
  const answer = await app.inject({
    method: asking.method as 'GET',
    ...(asking.from && { remoteAddress: asking.from }),
    url: asking.url,
    headers: {
      ...(asking.cookie ? { cookie: `__Host-session=${asking.cookie}` } : {}),
      ...(asking.bearer ? { authorization: `Bearer ${asking.bearer}` } : {}),
      ...(asking.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...asking.headers,
    },
    ...(asking.body === undefined
      ? {}
      : {
          payload:
            typeof asking.body === 'string' || Buffer.isBuffer(asking.body) ? asking.body : JSON.stringify(asking.body),
        }),
  });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return { status: answer.statusCode, json: isJson ? answer.json() : null, headers: answer.headers, body: answer.body };
}
