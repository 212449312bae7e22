// Bots for every door: making them with a token to join by, listing, changing and removing them.
import { randomUUID } from 'node:crypto';
import type { Verb } from '../../../contract/acl.ts';
import { BOT_PREFIX, type Bot, type BotInstance, botLine } from '../../../contract/bots.ts';
import { Failure } from '../../../contract/failure.ts';
import type { JoinMethod, MethodRules } from '../../../contract/join-methods.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { Traits } from '../../ports/rights.ts';
import type { Actor } from '../../ports/who.ts';
import type { Resources, Store, UserRecord, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { readInstance, shownInstance } from './stored.ts';

export interface BotParts {
  readonly users: Pick<Users, 'get' | 'list'>;
  readonly resources: Pick<Resources, 'get' | 'list' | 'delete'>;
  readonly alone: Store['alone'];
  readonly accounts: {
    /** Keeps a user, and tells the audit log. Throws Failure exists, not_found. */
    keep(change: 'created' | 'updated', user: UserRecord, by: string): Promise<void>;
    /** With their sessions. Throws Failure not_found. */
    delete(name: string, by: Actor): Promise<void>;
  };
  readonly tokens: {
    /** Throws Failure bad_request for one that cannot be. */
    add(
      wanted: MethodRules & {
        readonly roles: readonly 'Bot'[];
        readonly join_method: JoinMethod;
        readonly bot_name: string;
        readonly uses?: number;
        readonly labels: readonly Label[];
        readonly matchers: Readonly<Record<string, never>>;
        readonly ttl: string;
      },
      by: Actor,
    ): Promise<{ readonly text: string; readonly name: string; readonly expires: Date | null }>;
    /** Names of those that a bot joins with. */
    forBot(bot: string): Promise<readonly string[]>;
    remove(name: string, by: Actor): Promise<void>;
  };
  readonly publicUrl: string;
  readonly clock?: () => Date;
}
interface WantedBot extends MethodRules {
  readonly name: string;
  readonly roles: readonly string[];
  readonly traits: Traits;
  readonly join_method: JoinMethod;
  readonly uses?: number | undefined;
  /** Of the token. */
  readonly ttl: string;
}
interface MadeBot {
  readonly bot: Bot;
  readonly token: {
    readonly id: string;
    readonly name: string;
    readonly method: string;
    readonly expiry: string | null;
  };
  readonly line: string;
}
export interface Bots {
  /** By name. Throws Failure denied. */
  list(by: Actor): Promise<readonly Bot[]>;
  /** Throws Failure denied, exists, bad_request for an unknown role or a token that cannot be. */
  add(wanted: WantedBot, by: Actor): Promise<MadeBot>;
  /** Traits that are left out stay. Throws Failure denied, not_found, bad_request. */
  update(
    name: string,
    wanted: { readonly roles: readonly string[]; readonly traits?: Traits | undefined },
    by: Actor,
  ): Promise<Bot>;
  /** Its sessions end at once, and what could join as it goes. Throws Failure denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
}

/** What a bot is made through: the gateway's own rights, since those of whoever asks were looked at. */
const own = (by: Actor): Actor => ({ user: by.user, rights: null });

export function createBots(parts: BotParts): Bots {
  const { users, resources, accounts, tokens, clock = () => new Date() } = parts;

  async function existing(name: string): Promise<UserRecord> {
    const user = await users.get(`${BOT_PREFIX}${name}`);
    if (!user?.isBot) throw new Failure('not_found', `there is no bot "${name}"`);
    return user;
  }
  async function checkRoles(roles: readonly string[]): Promise<readonly string[]> {
    const all = [...new Set(roles)];
    for (const role of all)
      if ((await resources.get('role', role)) === null)
        throw new Failure('bad_request', `role "${role}" is not known`, {
          roles: `"${role}" is not the name of a role`,
        });
    return all;
  }
  /** By the id of the bot's user. */
  async function instances(): Promise<ReadonlyMap<string, readonly BotInstance[]>> {
    const found = new Map<string, BotInstance[]>();
    for (const row of await allOf(resources, 'bot_instance')) {
      const shown = shownInstance(row);
      const userId = readInstance(row)?.userId;
      if (shown && userId) found.set(userId, [...(found.get(userId) ?? []), shown]);
    }
    return found;
  }
  const shown = (user: UserRecord, joined: readonly BotInstance[] = []): Bot => ({
    name: user.name.slice(BOT_PREFIX.length),
    user: user.name,
    roles: [...user.roles],
    traits: Object.fromEntries(Object.entries(user.traits).map(([trait, values]) => [trait, [...values]])),
    created: user.created.toISOString(),
    instances: [...joined],
  });

  return {
    async list(by) {
      allow(by, 'list');
      const joined = await instances();
      return (await users.list()).filter(({ isBot }) => isBot).map(user => shown(user, joined.get(user.id)));
    },

    async add({ name, roles, traits, join_method: method, uses, ttl, ...rules }, by) {
      allow(by, 'create');
      const user: UserRecord = {
        id: randomUUID(),
        name: `${BOT_PREFIX}${name}`,
        roles: await checkRoles(roles),
        traits: withoutEmpty(traits),
        authType: 'local',
        isBot: true,
        created: clock(),
      };
      if ((await users.get(user.name)) !== null) throw new Failure('exists', `there is a user "${user.name}" already`);
      const wanted = {
        ...rules,
        join_method: method,
        roles: ['Bot' as const],
        bot_name: name,
        labels: [],
        matchers: {},
      };
      // A secret is for one machine; rules say themselves whom they let in.
      const most = uses ?? (method === 'token' ? 1 : undefined);
      // First: what is wrong with it must leave no bot behind.
      const token = await tokens.add({ ...wanted, ttl, ...(most !== undefined && { uses: most }) }, own(by));
      try {
        await accounts.keep('created', user, by.user);
      } catch (error) {
        await tokens.remove(token.name, own(by));
        throw error;
      }
      return {
        bot: shown(user),
        token: { id: token.text, name: token.name, method, expiry: token.expires?.toISOString() ?? null },
        line: botLine(parts.publicUrl, token.text),
      };
    },

    update: (name, { roles, traits }, by) =>
      parts.alone(async () => {
        allow(by, 'update');
        const before = await existing(name);
        const after: UserRecord = {
          ...before,
          roles: await checkRoles(roles),
          traits: traits ? withoutEmpty(traits) : before.traits,
        };
        await accounts.keep('updated', after, by.user);
        return shown(after, (await instances()).get(after.id));
      }),

    async remove(name, by) {
      allow(by, 'delete');
      const { id, name: user } = await existing(name);
      await accounts.delete(user, own(by));
      for (const token of await tokens.forBot(name)) await tokens.remove(token, own(by));
      for (const row of await allOf(resources, 'bot_instance'))
        if (readInstance(row)?.userId === id) await resources.delete('bot_instance', row.name);
    },
  };
}

const withoutEmpty = (traits: Traits): Traits =>
  Object.fromEntries(
    Object.entries(traits)
      .filter(([, values]) => values.length > 0)
      .map(([trait, values]) => [trait, [...new Set(values)]]),
  );

function allow({ rights }: Actor, verb: Verb): void {
  if (rights !== null && !rights.may('bot', verb))
    throw new Failure('denied', `access denied: no role gives you "${verb}" on "bot"`);
}
