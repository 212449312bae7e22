// Join tokens for every door: making, listing and revoking them, and using one up, once, whoever asks at the same time.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Verb } from '../../../contract/acl.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { Failure } from '../../../contract/failure.ts';
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
import type { NewResource, Resource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { digest, sameSecret } from '../secrets.ts';
import { newToken, readSpec, readToken, type TokenSpec, usesLeft } from './stored.ts';

/** Whoever looks for a free use tries again as often as others were quicker; more than this is no race but a fault. */
const TRIES_MOST = 1000;
const NAME_BYTES = 5;
const SECRET_BYTES = 24;

export interface TokenParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  readonly audit: AuditLog;
  readonly clock?: () => Date;
}
interface WantedToken {
  readonly roles: readonly JoinRole[];
  readonly uses?: number | undefined;
  readonly labels: readonly Label[];
  readonly matchers: TokenSpec['matchers'];
  /** Such as `4h`. */
  readonly ttl: string;
}
/** A token that was shown and fits. */
interface ShownToken {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly matchers: TokenSpec['matchers'];
}
export interface JoinTokens {
  /** The secret text is answered this once. Throws Failure denied, bad_request. */
  add(
    wanted: WantedToken,
    by: Actor,
  ): Promise<{
    readonly text: string;
    readonly name: string;
    readonly expires: Date;
    readonly labels: Readonly<Record<string, string>>;
  }>;
  /** The newest first. Throws Failure denied. */
  list(by: Actor): Promise<readonly JoinToken[]>;
  /** Throws Failure denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
  /** The token of this text, without using it. Throws Failure denied with one sentence: unknown, for another role, used up. */
  find(text: string, role: JoinRole, options?: { readonly usedUp: boolean }): Promise<ShownToken>;
  /** Uses it once, whoever else does at the same time, on any gateway. Throws as `find` does. */
  use(text: string, role: JoinRole): Promise<ShownToken>;
  /** Gives a use back that led to nothing. */
  giveBack(name: string): Promise<void>;
  /** Tells the audit log, also for what YAML files change. */
  note(change: 'created' | 'updated' | 'removed', token: NewResource, by: string): Promise<void>;
}

const UNKNOWN = 'this join token is not known here: it was mistyped, has ended, or was revoked';

export function createJoinTokens({ resources, audit, clock = () => new Date() }: TokenParts): JoinTokens {
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

  /** Also takes as long for a name that there is none of. */
  async function found(text: string, role: JoinRole): Promise<{ readonly row: Resource; readonly spec: TokenSpec }> {
    const dot = text.lastIndexOf('.');
    const name = text.slice(0, Math.max(dot, 0)).slice(0, 255);
    const row = name === '' ? null : await resources.get('token', name);
    const spec = row && readSpec(row);
    const fits = sameSecret(spec?.hash ?? '', digest(text.slice(dot + 1)));
    if (!row || !spec || !fits) throw new Failure('denied', UNKNOWN);
    if (!spec.roles.includes(role)) {
      const meant = spec.roles.map(one => joinedThings[one]).join(' and ');
      throw new Failure('denied', `this join token is for ${meant}, not for ${joinedThings[role]}`);
    }
    return { row, spec };
  }
  const shown = ({ row, spec }: { readonly row: Resource; readonly spec: TokenSpec }): ShownToken => ({
    name: row.name,
    labels: spec.labels,
    matchers: spec.matchers,
  });
  const refuseUsedUp = (spec: TokenSpec): void => {
    if (usesLeft(spec) === 0) throw new Failure('denied', 'this join token has been used up: ask for another');
  };

  /** Reads and writes until nobody has written in between. */
  async function changed(read: () => Promise<{ readonly row: Resource; readonly spec: TokenSpec }>, by: 1 | -1) {
    for (let tries = 0; tries < TRIES_MOST; tries += 1) {
      const token = await read();
      if (by === 1) refuseUsedUp(token.spec);
      const { revision, created: _created, updated: _updated, ...row } = token.row;
      try {
        const spec = { ...token.spec, used: Math.max(0, token.spec.used + by) };
        await resources.put({ ...row, spec }, revision);
        return shown(token);
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'changed')) throw error;
      }
    }
    throw new Error('a join token is changed all the time');
  }

  return {
    note,
    async add({ roles, uses, labels, matchers, ttl }, by) {
      allow(by, 'create');
      const name = `t${randomBytes(NAME_BYTES).toString('hex')}`;
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const expires = new Date(clock().getTime() + (parseDuration(ttl) ?? JOIN_TOKEN_MS));
      const given = { ...asMap(labels), [RESOURCE_ID_LABEL]: randomUUID() };
      const wanted = { secret, roles: [...new Set(roles)], uses: uses ?? null, labels: given, matchers };
      const stored = await resources.create(newToken(name, wanted, by.user, expires));
      await note('created', stored, by.user);
      return { text: `${name}.${secret}`, name, expires, labels: given };
    },
    async list(by) {
      allow(by, 'list');
      const tokens = (await allOf(resources, 'token')).flatMap(row => readToken(row) ?? []);
      return tokens.toSorted((first, second) => (first.created < second.created ? 1 : -1));
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
    use: (text, role) => changed(() => found(text, role), 1),
    async giveBack(name) {
      await changed(async () => {
        const row = await resources.get('token', name);
        const spec = row && readSpec(row);
        if (!row || !spec) throw new Failure('not_found', UNKNOWN);
        return { row, spec };
      }, -1).catch((error: unknown) => {
        // It has ended meanwhile: there is nothing to give back.
        if (!(error instanceof Failure && error.code === 'not_found')) throw error;
      });
    },
  };
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
