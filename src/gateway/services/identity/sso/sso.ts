/**
 * Single sign-on from the browser's first step to its web session.
 *
 * What is kept between leaving and coming back is a row of the store, encrypted and deleted before it is looked at, so that nothing counts
 * twice; and the browser that comes back must be the one that left, which a cookie of its own says.
 */
import { randomUUID } from 'node:crypto';
import type { ConnectorKind } from '../../../../contract/connectors.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { SignInTest } from '../../../../contract/sign-in-tests.ts';
import { mappedUserName, refusedUserName } from '../../../../contract/user-name.ts';
import type { AuditLog } from '../../../ports/audit.ts';
import type { Store, UserRecord } from '../../../store/store.ts';
import { digest, newSecret, sameSecret } from '../../secrets.ts';
import type { Accounts } from '../accounts.ts';
import { type CameFrom, fieldsOf } from '../lock-out.ts';
import type { LoginRules } from '../login-rules.ts';
import type { SecretBox } from '../secret-box.ts';
import { isRefusal } from '../sign-in.ts';
import type { Sessions, SignedIn } from '../web-sessions.ts';
import { type Codes, createCodes } from './codes.ts';
import type { Connectors } from './connectors.ts';
import { loopbackUrl, ownPath } from './own-path.ts';
import { type Profile, rolesOf, traitsOf } from './profile.ts';
import { type Pending, type Provider, SignInRefused, UNUSABLE_NAME } from './provider.ts';
import type { SamlProvider } from './saml.ts';
import type { Connector } from './stored.ts';

/** A person has this long at the provider, ms. */
export const AWAY_MOST_MS = 300_000;
const PURPOSE = 'sso';
const CHALLENGE = /^[0-9a-f]{64}$/;
/** A test that may begin, and what came of it. */
const TICKET = 'sso_test';
const RESULT = 'sso_tested';
/** The page that closes itself: what came of a test is shown where it was begun. */
const TESTED = '/web/msg/info/login_close';
/** Longest cause that the audit log keeps, characters: providers say what they like. */
const CAUSE_MOST_CHARACTERS = 500;

export interface SsoParts {
  readonly store: Pick<Store, 'users' | 'challenges' | 'resources'>;
  readonly connectors: Pick<Connectors, 'open'>;
  readonly providers: { readonly [Kind in Exclude<ConnectorKind, 'saml'>]: () => Promise<Provider<Kind>> } & {
    readonly saml: () => Promise<SamlProvider>;
  };
  readonly accounts: Pick<Accounts, 'keep'>;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly loginRules: LoginRules;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}

export interface Sso {
  /** Where the browser goes, and the state that it must bring back, also in a cookie. Throws SignInRefused. */
  begin(
    kind: ConnectorKind,
    asked: {
      readonly connector: string;
      readonly redirect: string;
      readonly test?: string;
      /** A command line began: the SHA-256 of its verifier, hex. Then `redirect` is where it listens. */
      readonly challenge?: string;
    },
    from: CameFrom,
  ): Promise<{ readonly location: string; readonly state: string }>;
  /** Nobody is signed in by a test. Throws SignInRefused, whose cause the audit log has. */
  finish(
    kind: ConnectorKind,
    given: { readonly returned: URLSearchParams; readonly state: string; readonly cookie: string | undefined },
    from: CameFrom,
  ): Promise<{ readonly signedIn: SignedIn | null; readonly redirect: string }>;
  /** The session of a command line that began with a challenge. */
  readonly exchange: Codes['exchange'];
  /** The ticket of a test, with which one browser may begin. Throws SignInRefused when there is no such connector. */
  beginTest(kind: ConnectorKind, name: string): Promise<string>;
  /** What a SAML provider has to know of us, as XML; null when there is no such connector. */
  metadata(connector: string): Promise<string | null>;
  /** What came of a test, once. */
  test(id: string): Promise<SignInTest>;
}

interface Away {
  readonly connector: string;
  readonly redirect: string;
  readonly pending: Pending;
  /** It is a test, which was begun with this ticket. */
  readonly test?: string;
  /** It is for a command line. */
  readonly challenge?: string;
}

export function createSso(parts: SsoParts): Sso {
  const { connectors, sessions, audit, secretBox, clock } = parts;
  const { users, challenges, resources } = parts.store;
  const providerOf = (kind: ConnectorKind) => parts.providers[kind]() as Promise<Provider>;

  /** Runs a step; whatever it refuses is in the audit log before anyone hears of it. */
  async function noted<Answer>(
    kind: ConnectorKind,
    page: SignInRefused['page'],
    from: CameFrom,
    step: () => Promise<Answer>,
  ) {
    try {
      return await step();
    } catch (error) {
      const refused = error instanceof SignInRefused ? error : new SignInRefused(page, causeOf(error));
      await audit.emit({
        code: 'T1001W',
        method: kind,
        success: false,
        error: refused.message.slice(0, CAUSE_MOST_CHARACTERS).toWellFormed(),
        ...fieldsOf(from),
      });
      throw refused;
    }
  }

  async function opened(kind: ConnectorKind, name: string): Promise<Connector> {
    const connector = await connectors.open(kind, name.slice(0, 255));
    if (connector === null) throw new SignInRefused('login', `there is no ${kind} connector "${name.slice(0, 255)}"`);
    return connector;
  }

  /** The row of a state, once. */
  async function taken(kind: ConnectorKind, state: string, cookie: string | undefined): Promise<Away> {
    const row = await challenges.take(digest(state));
    if (row === null || row.purpose !== `${PURPOSE}:${kind}`)
      throw new SignInRefused('callback', 'the answer belongs to no sign-in that is under way, or was used already');
    if (row.expires <= clock()) throw new SignInRefused('callback', 'the sign-in took longer than five minutes');
    if (cookie === undefined || !sameSecret(cookie, state))
      throw new SignInRefused('callback', 'the answer came from another browser than the one that began');
    return JSON.parse(secretBox.open(row.scope, row.id)) as Away;
  }

  /** What the rules make of a profile. */
  async function judge(connector: Connector, profile: Profile) {
    const name = mappedUserName(profile.name);
    const identity = `${connector.kind}/${connector.name}/${profile.subject}`;
    const given = rolesOf((await providerOf(connector.kind)).rules(connector), profile.attributes);
    const there = new Set((await resources.named('role', given)).map(role => role.name));
    const roles = given.filter(role => there.has(role));
    const known = await users.known(name);
    const same = known?.identity === identity ? known : null;
    const wrong = refusedUserName(name);
    const refused =
      wrong !== null
        ? `nobody can be called ${JSON.stringify(name)}: ${wrong}`
        : roles.length === 0
          ? `no rule of ${connector.kind} connector "${connector.name}" gives ${name} a role`
          : known && !same && (await users.byId(known.id))
            ? `the name ${name} is somebody else's: ${known.identity ? 'of another sign-in' : 'a local user'}`
            : null;
    // The page says of itself that no rule gives a role: whoever is refused for their name hears that instead.
    const isNamed = wrong === null && roles.length === 0;
    return { name, identity, roles, same, refused, said: isNamed ? '' : UNUSABLE_NAME };
  }

  /** The user of a profile, made or brought up to date. */
  async function userOf(connector: Connector, profile: Profile): Promise<UserRecord> {
    const { name, identity, roles, same, refused, said } = await judge(connector, profile);
    if (refused !== null) throw new SignInRefused('auth', refused, said);
    const user: UserRecord = {
      id: same?.id ?? randomUUID(),
      name,
      roles,
      traits: traitsOf(profile.attributes),
      authType: connector.kind,
      isBot: false,
      created: same?.created ?? clock(),
      identity,
      ...(same?.signInTraits && { signInTraits: same.signInTraits }),
    };
    if (!same) await parts.accounts.keep('created', user, name);
    else if (JSON.stringify([same.roles, same.traits]) !== JSON.stringify([user.roles, user.traits]))
      await parts.accounts.keep('updated', user, name);
    return user;
  }

  async function enter(user: UserRecord, kind: ConnectorKind, from: CameFrom): Promise<SignedIn> {
    const signedIn = await sessions.open(user, from);
    const { name, traits: attributes } = user;
    await audit.emit({
      code: 'T1001I',
      user: name,
      method: kind,
      success: true,
      attributes,
      ...(signedIn.rules?.length && { applied_login_rules: signedIn.rules }),
      ...fieldsOf(from),
    });
    return signedIn;
  }
  const codes = createCodes({ users, challenges, audit, enter, clock });

  const keep = async (secret: string, purpose: string, said: object): Promise<void> => {
    const id = digest(secret);
    const now = clock();
    const expires = new Date(now.getTime() + AWAY_MOST_MS);
    const scope = await secretBox.seal(JSON.stringify(said), id);
    await challenges.create({ id, userId: '', purpose, scope, expires }, now);
  };
  const resultOf = (test: string): string => `${test}:result`;

  /** Tries a connector: what would happen is kept for whoever asked, and in the audit log. */
  async function tried(
    kind: ConnectorKind,
    test: string,
    from: CameFrom,
    step: () => Promise<SignInTest>,
  ): Promise<void> {
    const outcome = await step().catch((error: unknown): SignInTest => ({ done: true, refused: causeOf(error) }));
    await audit.emit({
      code: outcome.refused === undefined ? 'T1010I' : 'T1011W',
      method: kind,
      success: outcome.refused === undefined,
      ...(outcome.user && { user: outcome.user }),
      ...(outcome.refused && { error: outcome.refused.slice(0, CAUSE_MOST_CHARACTERS).toWellFormed() }),
      ...fieldsOf(from),
    });
    await keep(resultOf(test), RESULT, outcome);
  }

  return {
    exchange: codes.exchange,
    async beginTest(kind, name) {
      await opened(kind, name);
      const id = newSecret();
      await keep(id, `${TICKET}:${kind}`, { connector: name });
      return id;
    },
    async metadata(name) {
      const connector = await connectors.open('saml', name.slice(0, 255));
      return connector && (await parts.providers.saml()).metadata(connector as Connector<'saml'>);
    },
    async test(id) {
      const row = await challenges.take(digest(resultOf(id)));
      if (row?.purpose !== RESULT || row.expires <= clock()) return { done: false };
      return JSON.parse(secretBox.open(row.scope, row.id)) as SignInTest;
    },

    begin: (kind, asked, from) =>
      noted(kind, 'login', from, async () => {
        const ticket = asked.test === undefined ? null : await challenges.take(digest(asked.test));
        if (asked.test !== undefined && (ticket?.purpose !== `${TICKET}:${kind}` || ticket.expires <= clock()))
          throw new SignInRefused('login', 'the test was begun already, or more than five minutes ago');
        const name = ticket ? (JSON.parse(secretBox.open(ticket.scope, ticket.id)) as Away).connector : asked.connector;
        const { challenge } = asked;
        if (challenge !== undefined && (!CHALLENGE.test(challenge) || loopbackUrl(asked.redirect) === null))
          throw new SignInRefused(
            'login',
            'a command line began with no challenge, or listens at no address of its own',
          );
        const connector = await opened(kind, name);
        const state = newSecret();
        const { location, pending } = await (await providerOf(kind))
          .begin(connector, state)
          .catch(async (error: unknown) => {
            if (asked.test !== undefined)
              await keep(resultOf(asked.test), RESULT, { done: true, refused: causeOf(error) } satisfies SignInTest);
            throw error;
          });
        const away: Away = {
          connector: connector.name,
          redirect: challenge === undefined ? ownPath(asked.redirect) : asked.redirect,
          pending,
          ...(challenge !== undefined && { challenge }),
          ...(asked.test !== undefined && { test: asked.test }),
        };
        await keep(state, `${PURPOSE}:${kind}`, away);
        return { location, state };
      }),

    finish: (kind, { returned, state, cookie }, from) =>
      noted(kind, 'callback', from, async () => {
        const { connector: name, redirect, pending, test, challenge } = await taken(kind, state, cookie);
        const connector = await opened(kind, name);
        const profileOf = async () => (await providerOf(kind)).finish(connector, returned, state, pending);
        if (test !== undefined) {
          await tried(kind, test, from, async () => {
            const profile = await profileOf();
            const { name: user, roles, refused } = await judge(connector, profile);
            const attributes = mutable(profile.attributes);
            const found: SignInTest = { done: true, user, roles: [...roles], attributes };
            if (refused !== null) return { ...found, refused };
            const given = { traits: traitsOf(profile.attributes), isBot: false };
            try {
              const { traits, applied } = await parts.loginRules.apply(given);
              return { ...found, loginRules: [...applied], traits: mutable(traits ?? given.traits) };
            } catch (error) {
              return { ...found, refused: causeOf(error) };
            }
          });
          return { signedIn: null, redirect: TESTED };
        }
        const user = await userOf(connector, await profileOf());
        if (challenge !== undefined) {
          const back = loopbackUrl(redirect);
          back?.searchParams.set('code', await codes.give(user, kind, challenge));
          return { signedIn: null, redirect: back?.href ?? ownPath('') };
        }
        const signedIn = await enter(user, kind, from).catch((error: unknown) => {
          throw isRefusal(error) ? new SignInRefused('auth', `${user.name}: ${error.message}`, error.message) : error;
        });
        return { signedIn, redirect };
      }),
  };
}

const mutable = (lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, [...values]]));

/** What an error says, with what a library keeps in its causes. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Failure && error.code === 'internal') return 'the gateway failed';
  const said = 'error_description' in error ? `${error.message}: ${String(error.error_description)}` : error.message;
  return error.cause instanceof Error ? `${said} (${causeOf(error.cause)})` : said;
}
