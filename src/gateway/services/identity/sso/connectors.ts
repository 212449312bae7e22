// Connectors for every door: who may see and change them, which comes first, and that somebody can always get in.
import type { Verb } from '../../../../contract/acl.ts';
import type { WebConfig } from '../../../../contract/config.ts';
import { type ConnectorKind, connectorKinds } from '../../../../contract/connectors.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { ResourceItem } from '../../../../contract/roles.ts';
import type { SignInSettings } from '../../../../contract/sign-in-settings.ts';
import type { AuditLog } from '../../../ports/audit.ts';
import type { Actor } from '../../../ports/who.ts';
import type { Resource, Store } from '../../../store/store.ts';
import { allOf } from '../../lists.ts';
import { type DeclaredResources, refusedContent as refused, writeOne, writtenItem } from '../../written-resources.ts';
import type { SecretBox } from '../secret-box.ts';
import { readSignInSettings, writeSignInSettings } from '../sign-in-settings.ts';
import { type Connector, openConnector, rolesGiven, writtenSpec } from './stored.ts';

export interface ConnectorParts {
  readonly store: Pick<Store, 'resources' | 'settings' | 'alone'>;
  readonly audit: AuditLog;
  readonly secretBox: SecretBox;
  readonly declared: DeclaredResources;
}

export interface Connectors {
  /** Those that the person may list. */
  list(kind: ConnectorKind, by: Actor): Promise<readonly ResourceItem[]>;
  /** Without secrets. Throws Failure not_found, denied. */
  get(kind: ConnectorKind, name: string, by: Actor): Promise<ResourceItem>;
  /** Throws Failure bad_request that names line and column, denied, exists. */
  create(kind: ConnectorKind, content: string, by: Actor): Promise<ResourceItem>;
  /** Throws Failure bad_request, denied, not_found. */
  update(kind: ConnectorKind, name: string, content: string, by: Actor): Promise<ResourceItem>;
  /** Throws Failure bad_request for the last way in, denied, not_found. */
  remove(kind: ConnectorKind, name: string, by: Actor): Promise<void>;
  /**
   * Throws Failure bad_request when people could not sign in any more without it, unless that is `meant`: then the form begins with what is
   * left.
   */
  giveUp(kind: string, name: string, meant: boolean): Promise<void>;
  /** Connectors that give a role, as `oidc/corp`. */
  giving(role: string): Promise<readonly string[]>;
  settings(): Promise<SignInSettings>;
  /** Throws Failure bad_request for a connector that is not there, and when nobody could sign in any more, unless that is `meant`. */
  choose(settings: SignInSettings, by: Pick<Actor, 'user'>, meant?: boolean): Promise<SignInSettings>;
  /** What the sign-in form has to know. */
  auth(): Promise<Pick<WebConfig['auth'], 'authType' | 'localAuthEnabled' | 'providers'>>;
  /** With its secrets, for signing in; null when there is none. */
  open(kind: ConnectorKind, name: string): Promise<Connector | null>;
}

/** Where a browser begins: the console fills in the two names. `redirect_url` stays last. */
const beginPaths = {
  github: 'github/login/web',
  oidc: 'oidc/login/web',
  saml: 'saml/sso',
} as const satisfies Record<ConnectorKind, string>;

export function createConnectors({ store, audit, secretBox, declared }: ConnectorParts): Connectors {
  const { resources, settings } = store;

  const all = async (): Promise<readonly Resource[]> =>
    (await Promise.all(connectorKinds.map(kind => allOf(resources, kind)))).flat();
  const item = (kind: ConnectorKind, name: string): Promise<ResourceItem> => writtenItem(declared, kind, name);
  async function existing(kind: ConnectorKind, name: string, verb: Verb, by: Actor): Promise<void> {
    if ((await resources.get(kind, name)) === null)
      throw new Failure('not_found', `${kind} connector "${name}" not found`);
    allow(by, verb, kind, name);
  }

  /** Writes one connector after `check` has seen its name. */
  async function write(
    kind: ConnectorKind,
    content: string,
    by: Actor,
    check: (name: string) => Promise<void>,
  ): Promise<ResourceItem> {
    return item(kind, await writeOne(declared, { kind, noun: 'connector' }, content, by.user, check));
  }

  const giveUp: Connectors['giveUp'] = async (kind, name, meant) => {
    const { local, first } = await readSignInSettings(settings);
    const isFirst = first?.kind === kind && first.name === name;
    if (meant) {
      if (isFirst) await writeSignInSettings(settings, { local, first: null });
      return;
    }
    if (!local && (await all()).every(other => other.kind === kind && other.name === name))
      throw new Failure(
        'bad_request',
        'passwords are not accepted, and no other connector is there: nobody could sign in',
      );
    if (isFirst)
      throw new Failure(
        'bad_request',
        `${kind} connector "${name}" is the first on the sign-in form: put another there`,
      );
  };

  return {
    giveUp,
    list: async (kind, by) => {
      const found = await allOf(resources, kind);
      return Promise.all(found.filter(({ name }) => may(by, 'list', kind, name)).map(({ name }) => item(kind, name)));
    },
    async get(kind, name, by) {
      await existing(kind, name, 'read', by);
      return item(kind, name);
    },
    create: (kind, content, by) =>
      write(kind, content, by, async name => {
        allow(by, 'create', kind, name);
        if ((await resources.get(kind, name)) !== null)
          throw new Failure('exists', `${kind} connector "${name}" exists already`);
      }),
    update: (kind, name, content, by) =>
      write(kind, content, by, async written => {
        await existing(kind, name, 'update', by);
        if (written !== name) throw refused(`a connector cannot be renamed: metadata.name must stay "${name}"`);
      }),
    async remove(kind, name, by) {
      await existing(kind, name, 'delete', by);
      await declared.remove(kind, name, by.user);
    },
    giving: async role =>
      (await all())
        .filter(resource => rolesGiven(writtenSpec(resource)).some(given => given.role === role))
        .map(({ kind, name }) => `${kind}/${name}`),
    settings: () => readSignInSettings(settings),
    choose: ({ local, first }, by, meant = false) =>
      store.alone(async () => {
        if (first && (await resources.get(first.kind, first.name)) === null)
          throw new Failure('bad_request', `${first.kind} connector "${first.name}" not found`, { first: 'not found' });
        if (!local && !meant && (await all()).length === 0)
          throw new Failure('bad_request', 'without passwords and without a connector nobody could sign in', {
            local: 'a connector must be there first',
          });
        await writeSignInSettings(settings, { local, first });
        await audit.emit({
          code: 'TAP00I',
          user: by.user,
          passwords: local ? 'accepted' : 'refused',
          first: first ? `${first.kind}/${first.name}` : 'password',
        });
        return { local, first };
      }),
    async auth() {
      const [found, { local, first }] = await Promise.all([all(), readSignInSettings(settings)]);
      const isFirst = ({ kind, name }: Resource) => first?.kind === kind && first.name === name;
      return {
        localAuthEnabled: local,
        authType: (found.some(isFirst) && first?.kind) || 'local',
        providers: found
          .toSorted(
            (one, other) => Number(isFirst(other)) - Number(isFirst(one)) || one.title.localeCompare(other.title),
          )
          .map(({ kind, name, title }) => ({
            name,
            displayName: title,
            type: kind as ConnectorKind,
            url: `/v1/webapi/${beginPaths[kind as ConnectorKind]}?connector_id=:providerName&redirect_url=:redirect`,
          })),
      };
    },
    async open(kind, name) {
      const resource = await resources.get(kind, name);
      return resource && openConnector(secretBox, resource);
    },
  };
}

const may = ({ rights }: Actor, verb: Verb, kind: ConnectorKind, name: string): boolean =>
  rights === null || rights.may(kind, verb, { resource: { name, labels: {} } });

function allow(by: Actor, verb: Verb, kind: ConnectorKind, name: string): void {
  if (!may(by, verb, kind, name)) throw new Failure('denied', `access denied to ${kind} connector "${name}"`);
}
