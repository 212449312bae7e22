// How a machine becomes a bot, and stays one: a token opens its first session, a key that changes with every renewal the next.
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { BOT_PREFIX, BOT_TTL_MS, renewalText } from '../../../contract/bots.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { Failure } from '../../../contract/failure.ts';
import type { LockBody } from '../../../contract/locks.ts';
import type { SessionReply } from '../../../contract/session.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Actor } from '../../ports/who.ts';
import type { Resource, Resources, UserRecord, Users } from '../../store/store.ts';
import { type InstanceSpec, KEYS_MOST, newInstance, readInstance } from './stored.ts';

/** What an opened session hands over: what is answered, and the value of its cookie. */
interface SignedIn {
  readonly reply: SessionReply;
  readonly cookie: string;
}
interface CameFrom {
  /** host:port */
  readonly remoteAddr: string;
  readonly userAgent: string;
}
interface Token {
  readonly name: string;
  readonly bot: string;
  readonly method: string;
  readonly attributes: Readonly<Record<string, string>>;
}
export interface BotJoiningParts {
  readonly users: Pick<Users, 'get' | 'byId'>;
  readonly resources: Pick<Resources, 'get' | 'create' | 'put' | 'delete'>;
  readonly tokens: {
    /** Throws Failure denied, unavailable. */
    find(text: string, role: 'Bot'): Promise<Token>;
    /** Uses it once. Throws as `find` does. */
    use(text: string, role: 'Bot'): Promise<Token>;
    giveBack(name: string): Promise<void>;
  };
  readonly sessions: {
    /** One that lasts `mostMs` and no longer. Throws Failure denied with what a lock says. */
    open(user: UserRecord, from: CameFrom, mfaDevice: string, mostMs: number): Promise<SignedIn>;
  };
  readonly locks: {
    add(body: LockBody, by: Actor): Promise<unknown>;
  };
  readonly audit: AuditLog;
  readonly clock?: () => Date;
}
interface Joined {
  readonly signedIn: SignedIn;
  readonly bot: string;
  readonly instance: string;
  readonly generation: number;
  readonly renews: boolean;
}
export interface BotJoining {
  /** Throws Failure denied with one sentence, unavailable. */
  join(
    given: {
      readonly token: string;
      readonly idToken?: string | undefined;
      readonly publicKey: string;
      readonly ttl: string;
    },
    from: CameFrom,
  ): Promise<Joined>;
  /**
   * Throws Failure denied: for an instance that is not known or has ended, for a signature that is not its own, and for a key of before, by
   * which the bot is locked.
   */
  renew(
    given: {
      readonly instance: string;
      readonly generation: number;
      readonly publicKey: string;
      readonly signature: string;
      readonly ttl: string;
    },
    from: CameFrom,
  ): Promise<Joined>;
}

const UNKNOWN = 'this bot has not joined here, or too long ago: join again with a token';
const COPIED =
  'its certificates were renewed from an old copy: somebody else has what the machine was given, so the bot is locked';
/** Who locks a bot whose keys are in two places. */
const SYSTEM = { user: 'system', rights: null };

export function createBotJoining(parts: BotJoiningParts): BotJoining {
  const { users, resources, tokens, sessions, audit, clock = () => new Date() } = parts;
  const lifeOf = (ttl: string): number => parseDuration(ttl) ?? BOT_TTL_MS;

  /** The bot that a token is for. Throws Failure denied. */
  async function botOf(name: string): Promise<UserRecord> {
    const user = await users.get(`${BOT_PREFIX}${name}`);
    if (!user?.isBot) throw new Failure('denied', `this join token is for bot "${name}", which there is not any more`);
    return user;
  }
  const noteJoin = (
    given: { readonly bot: string; readonly method: string; readonly token: string; readonly attributes?: object },
    { remoteAddr }: CameFrom,
    error?: Failure,
  ): Promise<void> =>
    audit.emit({
      code: error ? 'TJ001E' : 'TJ001I',
      success: !error,
      ...(given.bot !== '' && { bot_name: given.bot, user: `${BOT_PREFIX}${given.bot}` }),
      method: given.method,
      token_name: given.token.slice(0, 63),
      'addr.remote': remoteAddr,
      ...(given.attributes && Object.keys(given.attributes).length > 0 && { attributes: given.attributes }),
      ...(error && { error: error.message }),
    });

  /** A key of before has signed: what this machine was given is in two places, and nobody knows which is the right one. */
  async function lockOut(user: UserRecord, row: Resource, spec: InstanceSpec, from: CameFrom): Promise<never> {
    const bot = user.name.slice(BOT_PREFIX.length);
    await resources.delete('bot_instance', row.name);
    await audit.emit({ code: 'TCB00W', user: user.name });
    await noteJoin({ bot, method: row.subtype, token: spec.token }, from, new Failure('denied', COPIED));
    const message = `A certificate of ${user.name} was renewed from an old copy. Find out who has it, remove this lock, and let the bot join anew.`;
    await parts.locks.add({ targets: { user: user.name }, message, ttl: '' }, SYSTEM);
    throw new Failure('denied', COPIED);
  }

  return {
    async join({ token: shown, idToken, publicKey, ttl }, from) {
      const text = idToken === undefined ? shown : `${shown}.${idToken}`;
      const said = {
        bot: '',
        method: idToken === undefined ? 'token' : 'id token',
        token: shown.split('.', 1)[0] ?? '',
      };
      try {
        keyOf(publicKey);
        const token = await tokens.find(text, 'Bot');
        Object.assign(said, { bot: token.bot, method: token.method, attributes: token.attributes });
        const user = await botOf(token.bot);
        await tokens.use(text, 'Bot');
        const signedIn = await sessions.open(user, from, '', lifeOf(ttl)).catch(async (error: unknown) => {
          await tokens.giveBack(token.name);
          throw error;
        });
        const instance = randomUUID();
        const renews = token.method === 'token';
        const spec: InstanceSpec = {
          userId: user.id,
          token: token.name,
          generation: 1,
          key: publicKey,
          before: [],
          renewed: clock().toISOString(),
          remoteAddr: from.remoteAddr,
          renews,
        };
        const ends = new Date(signedIn.reply.sessionExpires);
        await resources.create(newInstance(instance, user.name, token.method, spec, ends));
        await noteJoin(said, from);
        return { signedIn, bot: token.bot, instance, generation: 1, renews };
      } catch (error) {
        if (error instanceof Failure) await noteJoin(said, from, error);
        throw error;
      }
    },

    async renew({ instance, generation, publicKey, signature, ttl }, from) {
      keyOf(publicKey);
      const row = await resources.get('bot_instance', instance);
      const spec = row && readInstance(row);
      const user = spec && (await users.byId(spec.userId));
      const isOver = !row?.expires || row.expires <= clock();
      if (isOver || !spec?.renews || !user?.isBot) throw new Failure('denied', UNKNOWN);
      const isBy = (key: string): boolean => isSigned(key, renewalText({ instance, generation, publicKey }), signature);
      const bot = user.name.slice(BOT_PREFIX.length);
      const [last] = spec.before;
      // Its answer was lost: the same is asked for with the same key to come, which nobody else knows.
      const isAgain = generation === spec.generation - 1 && publicKey === spec.key && last !== undefined && isBy(last);
      if (isAgain) {
        const signedIn = await sessions.open(user, from, '', lifeOf(ttl));
        return { signedIn, bot, instance, generation: spec.generation, renews: true };
      }
      if (spec.before.some(isBy)) return lockOut(user, row, spec, from);
      if (generation !== spec.generation || !isBy(spec.key)) throw new Failure('denied', UNKNOWN);
      const signedIn = await sessions.open(user, from, '', lifeOf(ttl));
      const next: InstanceSpec = {
        ...spec,
        generation: generation + 1,
        key: publicKey,
        before: [spec.key, ...spec.before].slice(0, KEYS_MOST),
        renewed: clock().toISOString(),
        remoteAddr: from.remoteAddr,
      };
      const { revision, created: _created, updated: _updated, ...kept } = row;
      const expires = new Date(signedIn.reply.sessionExpires);
      try {
        await resources.put({ ...kept, spec: next, expires }, revision);
      } catch (error) {
        if (!(error instanceof Failure && (error.code === 'changed' || error.code === 'not_found'))) throw error;
        // Two have asked in the same moment with the same key: one of them is a copy, or this one has asked twice.
        const now = await resources.get('bot_instance', instance);
        const newer = now && readInstance(now);
        if (!now || !newer) throw new Failure('denied', UNKNOWN);
        if (newer.key !== publicKey) return lockOut(user, now, newer, from);
      }
      return { signedIn, bot, instance, generation: generation + 1, renews: true };
    },
  };
}

/** Throws Failure bad_request for bytes that are no point of the curve. */
function keyOf(raw: string): ReturnType<typeof createPublicKey> {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw }, format: 'jwk' });
  } catch {
    throw new Failure('bad_request', 'publicKey: an Ed25519 public key: 32 bytes as base64url');
  }
}
const isSigned = (key: string, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), keyOf(key), Buffer.from(signature, 'base64url'));
