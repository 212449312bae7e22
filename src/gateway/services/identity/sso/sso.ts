/**
 * Single sign-on from the browser's first step to its web session.
 *
 * What is kept between leaving and coming back is a row of the store, encrypted and deleted before it is looked at, so that nothing counts
 * twice; and the browser that comes back must be the one that left, which a cookie of its own says.
 */
import { randomUUID } from 'node:crypto';
import type { ConnectorKind } from '../../../../contract/connectors.ts';
import { Failure } from '../../../../contract/failure.ts';
import { mappedUserName, refusedUserName } from '../../../../contract/user-name.ts';
import type { AuditLog } from '../../../ports.ts';
import type { Store, UserRecord } from '../../../store/store.ts';
import type { Accounts } from '../accounts.ts';
import type { CameFrom } from '../lock-out.ts';
import type { SecretBox } from '../secret-box.ts';
import { digest, newSecret, sameSecret } from '../secrets.ts';
import type { Sessions, SignedIn } from '../web-sessions.ts';
import type { Connectors } from './connectors.ts';
import { ownPath } from './own-path.ts';
import { type Profile, rolesOf, traitsOf } from './profile.ts';
import { type Kept, type Provider, SignInRefused } from './provider.ts';
import type { Connector } from './stored.ts';

/** A person has this long at the provider, ms. */
export const AWAY_MOST_MS = 300_000;
const PURPOSE = 'sso';
/** Longest cause that the audit log keeps, characters: providers say what they like. */
const CAUSE_MOST_CHARACTERS = 500;

export interface SsoParts {
  readonly store: Pick<Store, 'users' | 'challenges' | 'resources'>;
  readonly connectors: Pick<Connectors, 'open'>;
  readonly providers: { readonly [Kind in ConnectorKind]: Provider<Kind> };
  readonly accounts: Pick<Accounts, 'keep'>;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}

export interface Sso {
  /** Where the browser goes, and the state that it must bring back, also in a cookie. Throws SignInRefused. */
  begin(
    kind: ConnectorKind,
    asked: { readonly connector: string; readonly redirect: string },
    from: CameFrom,
  ): Promise<{ readonly location: string; readonly state: string }>;
  /** Throws SignInRefused, whose cause the audit log has. */
  finish(
    kind: ConnectorKind,
    given: { readonly returned: URLSearchParams; readonly state: string; readonly cookie: string | undefined },
    from: CameFrom,
  ): Promise<{ readonly signedIn: SignedIn; readonly redirect: string }>;
}

interface Away {
  readonly connector: string;
  readonly redirect: string;
  readonly kept: Kept;
}

export function createSso(parts: SsoParts): Sso {
  const { connectors, sessions, audit, secretBox, clock } = parts;
  const { users, challenges, resources } = parts.store;
  const providerOf = (kind: ConnectorKind) => parts.providers[kind] as Provider;

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
        user_agent: from.userAgent,
        'addr.remote': from.remoteAddr,
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

  /** The user of a profile, made or brought up to date. */
  async function userOf(connector: Connector, profile: Profile): Promise<UserRecord> {
    const name = mappedUserName(profile.name);
    const identity = `${connector.kind}/${connector.name}/${profile.subject}`;
    const wrong = refusedUserName(name);
    if (wrong !== null) throw new SignInRefused('auth', `nobody can be called ${JSON.stringify(name)}: ${wrong}`);
    const given = rolesOf(providerOf(connector.kind).rules(connector), profile.attributes);
    const there = new Set((await resources.named('role', given)).map(role => role.name));
    const roles = given.filter(role => there.has(role));
    if (roles.length === 0)
      throw new SignInRefused(
        'auth',
        `no rule of ${connector.kind} connector "${connector.name}" gives ${name} a role`,
      );
    const known = await users.known(name);
    const isSame = known?.identity === identity;
    if (known && !isSame && (await users.byId(known.id)))
      throw new SignInRefused(
        'auth',
        `the name ${name} is somebody else's: ${known.identity ? 'of another sign-in' : 'a local user'}`,
      );
    const user: UserRecord = {
      id: isSame ? known.id : randomUUID(),
      name,
      roles,
      traits: traitsOf(profile.attributes),
      authType: connector.kind,
      isBot: false,
      created: isSame ? known.created : clock(),
      identity,
    };
    if (!isSame) await parts.accounts.keep('created', user, name);
    else if (JSON.stringify([known.roles, known.traits]) !== JSON.stringify([user.roles, user.traits]))
      await parts.accounts.keep('updated', user, name);
    return user;
  }

  return {
    begin: (kind, asked, from) =>
      noted(kind, 'login', from, async () => {
        const connector = await opened(kind, asked.connector);
        const state = newSecret();
        const id = digest(state);
        const { location, kept } = await providerOf(kind).begin(connector, state);
        const away: Away = { connector: connector.name, redirect: ownPath(asked.redirect), kept };
        const scope = await secretBox.seal(JSON.stringify(away), id);
        const now = clock();
        const expires = new Date(now.getTime() + AWAY_MOST_MS);
        await challenges.create({ id, userId: '', purpose: `${PURPOSE}:${kind}`, scope, expires }, now);
        return { location, state };
      }),

    finish: (kind, { returned, state, cookie }, from) =>
      noted(kind, 'callback', from, async () => {
        const away = await taken(kind, state, cookie);
        const connector = await opened(kind, away.connector);
        const profile = await providerOf(kind).finish(connector, returned, state, away.kept);
        const user = await userOf(connector, profile);
        const signedIn = await sessions.open(user);
        await audit.emit({
          code: 'T1001I',
          user: user.name,
          method: kind,
          success: true,
          attributes: user.traits,
          user_agent: from.userAgent,
          'addr.remote': from.remoteAddr,
        });
        return { signedIn, redirect: away.redirect };
      }),
  };
}

/** What an error says, with what a library keeps in its causes. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Failure && error.code === 'internal') return 'the gateway failed';
  const said = 'error_description' in error ? `${error.message}: ${String(error.error_description)}` : error.message;
  return error.cause instanceof Error ? `${said} (${causeOf(error.cause)})` : said;
}
