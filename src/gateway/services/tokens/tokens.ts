// Join tokens for every door: making, listing and revoking them, and using one up, once, whoever asks at the same time.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Verb } from '../../../contract/acl.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { Failure } from '../../../contract/failure.ts';
import type { DelegatedMethod, JoinMethod, MethodRules } from '../../../contract/join-methods.ts';
import {
  JOIN_TOKEN_MS,
  type JoinRole,
  type JoinToken,
  joinedThings,
  RESOURCE_ID_LABEL,
} from '../../../contract/join-tokens.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Actor } from '../../ports/who.ts';
import type { Challenges, NewResource, Resource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { digest, sameSecret } from '../secrets.ts';
import type { AwsCallerParts } from './aws-callers.ts';
import type { Issuers } from './issuers.ts';
import { allowed, believedBy, countsOnce } from './rules.ts';
import { newToken, readSpec, readToken, rulesOf, type TokenSpec, usesLeft, wrongToken } from './stored.ts';

/** Whoever looks for a free use tries again as often as others were quicker; more than this is no race but a fault. */
const TRIES_MOST = 1000;
const NAME_BYTES = 5;
const SECRET_BYTES = 24;

export interface TokenParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  /** Remembers ID tokens that were shown and count once, and what is to be signed for AWS. */
  readonly challenges: Pick<Challenges, 'create' | 'get' | 'take'>;
  readonly audit: AuditLog;
  /** Whom ID tokens must be for. */
  readonly clusterName: string;
  readonly clock?: () => Date;
  /** Who has signed a request for AWS. Throws Failure denied, unavailable. */
  readonly callerOf: AwsCallerParts['callerOf'];
}
interface WantedToken extends MethodRules {
  readonly roles: readonly JoinRole[];
  readonly join_method: JoinMethod;
  readonly bot_name?: string | undefined;
  readonly uses?: number | undefined;
  readonly labels: readonly Label[];
  readonly matchers: TokenSpec['matchers'];
  /** Such as `4h`. One without a secret never ends: it lets in whom its rules name, and nobody else. */
  readonly ttl: string;
}
/** A token that was shown and fits. */
interface ShownToken {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly matchers: TokenSpec['matchers'];
  /** Which bot joins with it; empty: none does. */
  readonly bot: string;
  readonly method: JoinMethod;
  /** What an ID token said, as the audit log is told. */
  readonly attributes: Readonly<Record<string, string>>;
}
export interface JoinTokens {
  /** The secret text is answered this once; that of a token for AWS is the same for the same rules. Throws Failure denied, bad_request. */
  add(
    wanted: WantedToken,
    by: Actor,
  ): Promise<{
    readonly text: string;
    readonly name: string;
    readonly expires: Date | null;
    readonly labels: Readonly<Record<string, string>>;
  }>;
  /** The newest first. Throws Failure denied. */
  list(by: Actor): Promise<readonly JoinToken[]>;
  /** Throws Failure denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
  /**
   * The token of this text, `NAME.SECRET` or `NAME.ID-TOKEN`, without using it. Throws Failure denied with one sentence: unknown, for another
   * role, used up, a proof that no rule fits; unavailable where the keys of its issuer, or AWS, cannot be had.
   */
  find(text: string, role: JoinRole, options?: { readonly usedUp: boolean }): Promise<ShownToken>;
  /**
   * How a machine proves that it may join with this text: one without a secret is proved by what comes later. Throws Failure denied where there
   * is nothing to join with.
   */
  offers(text: string, role: JoinRole): Promise<JoinMethod>;
  /** What a machine signs for AWS with the token of this name. Throws Failure denied for one of another method. */
  challenge(name: string): Promise<string>;
  /** Uses it once, whoever else does at the same time, on any gateway. Throws as `find` does. */
  use(text: string, role: JoinRole): Promise<ShownToken>;
  /** Names of the tokens that a bot joins with. */
  forBot(bot: string): Promise<readonly string[]>;
  /** Gives a use back that led to nothing. */
  giveBack(name: string): Promise<void>;
  /** Tells the audit log, also for what YAML files change. */
  note(change: 'created' | 'updated' | 'removed', token: NewResource, by: string): Promise<void>;
}

const UNKNOWN = 'this join token is not known here: it was mistyped, has ended, or was revoked';

/** Loaded for the first ID token that is shown. */
const loadIssuers = () => import('./issuers.ts');
const loadCallers = () => import('./aws-callers.ts');
type AwsCallers = ReturnType<Awaited<ReturnType<typeof loadCallers>>['createAwsCallers']>;

interface Found {
  readonly row: Resource;
  readonly spec: TokenSpec;
  readonly attributes: Readonly<Record<string, string>>;
}
interface Proved extends Found {
  /** Of an ID token that counts once: what it is remembered by, and for how long. Of a request for AWS: its challenge, which goes. */
  readonly once: { readonly id: string; readonly until: Date } | { readonly challenge: string } | null;
}

export function createJoinTokens(parts: TokenParts): JoinTokens {
  const { resources, challenges, audit, clusterName, clock = () => new Date() } = parts;
  let issuers: Promise<Issuers> | undefined;
  let callers: Promise<AwsCallers> | undefined;
  const awsCallers = (): Promise<AwsCallers> => {
    callers ??= loadCallers().then(({ createAwsCallers }) => createAwsCallers({ ...parts, clock }));
    return callers;
  };

  const note: JoinTokens['note'] = async (change, token, by) => {
    await audit.emit({
      code: change === 'removed' ? 'TJT01I' : 'TJT00I',
      name: token.name,
      user: by,
      ...(change !== 'removed' && { roles: [...(readSpec(token)?.roles ?? [])], join_method: token.subtype }),
      ...(token.expires && { expires: token.expires.toISOString() }),
    });
    if (change === 'created' && readSpec(token)?.roles.includes('Trusted_cluster'))
      await audit.emit({ code: 'T7002I', name: token.name, user: by });
  };

  function checkRole(spec: TokenSpec, role: JoinRole): void {
    if (spec.roles.includes(role)) return;
    const meant = spec.roles.map(one => joinedThings[one]).join(' and ');
    throw new Failure('denied', `this join token is for ${meant}, not for ${joinedThings[role]}`);
  }
  /** Also takes as long for a name that there is none of. */
  async function found(text: string, role: JoinRole): Promise<Proved> {
    const [name, shown] = partsOf(text);
    const row = name === '' ? null : await resources.get('token', name);
    const spec = row && readSpec(row);
    if (row && spec && spec.method !== 'token') return delegated(row, spec, spec.method, shown, role);
    const fits = sameSecret(spec?.hash ?? '', digest(shown));
    if (!row || !spec || !fits) throw new Failure('denied', UNKNOWN);
    checkRole(spec, role);
    return { row, spec, attributes: {}, once: null };
  }
  async function delegated(
    row: Resource,
    spec: TokenSpec,
    method: DelegatedMethod,
    shown: string,
    role: JoinRole,
  ): Promise<Proved> {
    checkRole(spec, role);
    if (shown === '')
      throw new Failure(
        'denied',
        `this join token has no secret: ${method === 'iam' ? 'a request that AWS knows' : `an ID token of ${method}`} must be shown with it`,
      );
    if (method === 'iam') {
      const { caller, id } = await (await awsCallers()).verify(row.name, shown);
      return { row, spec, attributes: allowed(method, spec, { ...caller }), once: { challenge: id } };
    }
    issuers ??= loadIssuers().then(({ createIssuers }) => createIssuers(clusterName, clock));
    const by = believedBy(method, spec);
    const { claims, expires } = await (await issuers).verify(shown, by);
    const attributes = allowed(method, spec, claims);
    if (!countsOnce(method)) return { row, spec, attributes, once: null };
    if (typeof claims.jti !== 'string' || claims.jti === '')
      throw new Failure('denied', 'the ID token is not taken: its claim jti is missing');
    return { row, spec, attributes, once: { id: digest(JSON.stringify([by, claims.jti])), until: expires } };
  }
  const shown = ({ row, spec, attributes }: Found): ShownToken => ({
    name: row.name,
    labels: spec.labels,
    matchers: spec.matchers,
    bot: spec.bot,
    method: spec.method,
    attributes,
  });
  const refuseUsedUp = (spec: TokenSpec): void => {
    if (usesLeft(spec) === 0) throw new Failure('denied', 'this join token has been used up: ask for another');
  };
  /** Of two who show the same ID token, one is refused. Throws Failure denied. */
  async function spend({ once }: Proved): Promise<void> {
    if (once === null) return;
    if ('challenge' in once) {
      if ((await challenges.take(once.challenge)) === null)
        throw new Failure('denied', 'the request for AWS is not taken: it has been used before');
      return;
    }
    const now = clock();
    try {
      await challenges.create({ id: once.id, userId: '', purpose: 'id_token', scope: '', expires: once.until }, now);
    } catch (error) {
      if ((await challenges.get(once.id)) === null) throw error;
      throw new Failure('denied', 'the ID token is not taken: it has been used before');
    }
  }
  async function named(name: string): Promise<Omit<Found, 'attributes'>> {
    const row = await resources.get('token', name);
    const spec = row && readSpec(row);
    if (!row || !spec) throw new Failure('not_found', UNKNOWN);
    return { row, spec };
  }

  /** Reads and writes until nobody has written in between. */
  async function changed(name: string, by: 1 | -1): Promise<void> {
    for (let tries = 0; tries < TRIES_MOST; tries += 1) {
      const token = await named(name);
      if (by === 1) refuseUsedUp(token.spec);
      const { revision, created: _created, updated: _updated, ...row } = token.row;
      try {
        const spec = { ...token.spec, used: Math.max(0, token.spec.used + by) };
        await resources.put({ ...row, spec }, revision);
        return;
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'changed')) throw error;
      }
    }
    throw new Error('a join token is changed all the time');
  }

  return {
    note,
    async add(wanted, by) {
      allow(by, 'create');
      const wrong = wrongToken(wanted);
      if (wrong !== null) throw new Failure('bad_request', wrong, { [wrong.split(':', 1)[0] ?? '']: wrong });
      const { roles, uses, labels, matchers, ttl, join_method: method, bot_name: bot = '' } = wanted;
      const isOfAws = method === 'iam';
      const name = isOfAws ? nameOf(wanted) : `t${randomBytes(NAME_BYTES).toString('hex')}`;
      const before = isOfAws ? await resources.get('token', name) : null;
      const known = before && readSpec(before);
      if (known) return { text: name, name, expires: null, labels: known.labels };
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const isSecret = method === 'token';
      const expires = isSecret ? new Date(clock().getTime() + (parseDuration(ttl) ?? JOIN_TOKEN_MS)) : null;
      const given = { ...asMap(labels), [RESOURCE_ID_LABEL]: randomUUID() };
      const row = newToken(
        name,
        {
          ...{ secret, method, bot, labels: given, matchers, rules: rulesOf(wanted) },
          ...{ roles: [...new Set(roles)], uses: uses ?? null },
        },
        by.user,
        expires,
      );
      const stored = await resources.create(row);
      await note('created', stored, by.user);
      return { text: isSecret ? `${name}.${secret}` : name, name, expires, labels: given };
    },
    async list(by) {
      allow(by, 'list');
      const tokens = (await allOf(resources, 'token')).flatMap(row => readToken(row) ?? []);
      return tokens.toSorted((first, second) => (first.created < second.created ? 1 : -1));
    },
    async forBot(bot) {
      return (await allOf(resources, 'token')).filter(row => readSpec(row)?.bot === bot).map(({ name }) => name);
    },
    async remove(name, by) {
      allow(by, 'delete');
      const token = await resources.get('token', name);
      if (token === null || !(await resources.delete('token', name)))
        throw new Failure('not_found', `there is no join token "${name}"`);
      await note('removed', token, by.user);
    },
    async find(text, role, { usedUp } = { usedUp: false }) {
      const token = await found(text, role);
      if (!usedUp) refuseUsedUp(token.spec);
      return shown(token);
    },
    async offers(text, role) {
      const [name, given] = partsOf(text);
      const row = given === '' && name !== '' ? await resources.get('token', name) : null;
      const spec = row && readSpec(row);
      if (!spec || spec.method === 'token') return (await found(text, role)).spec.method;
      checkRole(spec, role);
      return spec.method;
    },
    async challenge(name) {
      const row = await resources.get('token', name);
      if (!row || readSpec(row)?.method !== 'iam') throw new Failure('denied', UNKNOWN);
      return (await awsCallers()).challenge(name);
    },
    async use(text, role) {
      const token = await found(text, role);
      refuseUsedUp(token.spec);
      await spend(token);
      await changed(token.row.name, 1).catch((error: unknown) => {
        throw error instanceof Failure && error.code === 'not_found' ? new Failure('denied', UNKNOWN) : error;
      });
      return shown(token);
    },
    async giveBack(name) {
      await changed(name, -1).catch((error: unknown) => {
        // It has ended meanwhile: there is nothing to give back.
        if (!(error instanceof Failure && error.code === 'not_found')) throw error;
      });
    },
  };
}

/** Of a token for AWS: the same for the same rules, so that whoever asks again gets the one that there is. */
const nameOf = ({ roles, allow, uses, labels, matchers }: WantedToken): string =>
  `iam-${digest(
    JSON.stringify([
      roles.toSorted(),
      (allow ?? []).map(({ aws_account = '', aws_arn = '' }) => `${aws_account} ${aws_arn}`).toSorted(),
      ...[uses, labels, matchers],
    ]),
  ).slice(0, 20)}`;

/** The name of a token, and what proves that it is meant for whoever shows it: no name has a dot, an ID token has two. */
function partsOf(text: string): readonly [name: string, shown: string] {
  const dot = text.indexOf('.');
  return dot < 0 ? [text.slice(0, 255), ''] : [text.slice(0, dot).slice(0, 255), text.slice(dot + 1)];
}

/** Throws Failure bad_request for names that are the gateway's own, or given twice. */
function asMap(given: readonly Label[]): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const { name, value } of given) {
    const wrong = name.startsWith('postern.')
      ? `labels: "${name}": names that begin with "postern." are the gateway's own`
      : Object.hasOwn(labels, name)
        ? `labels: "${name}" is given twice`
        : null;
    if (wrong !== null) throw new Failure('bad_request', wrong, { labels: wrong });
    labels[name] = value;
  }
  return labels;
}

function allow({ rights }: Actor, verb: Verb): void {
  if (rights !== null && !rights.may('token', verb))
    throw new Failure('denied', `access denied: no role gives you "${verb}" on "token"`);
}
