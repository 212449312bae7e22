// Bots: users that are machines. Each joins with a token and gets certificates and sessions as people do, renewed before they end.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { parseDuration } from './duration.ts';
import { joinMethod, methodRules } from './join-methods.ts';
import { botName, tokenTtl, tokenUses } from './join-tokens.ts';
import { sessionReply } from './session.ts';
import { name, ok, time } from './shapes.ts';
import { traitName } from './users.ts';
import { visible } from './visible-text.ts';

/** What the name of a bot's user begins with. */
export const BOT_PREFIX = 'bot-';
/** What is run on the machine of a bot: `token` is what it shows. */
export const botLine = (gateway: string, token: string): string =>
  `postern bot start --gateway ${gateway} --token ${token}`;
/** How long what a bot is given lasts unless it asks for less or more, and at most, ms. Roles may shorten it. */
export const BOT_TTL_MS = 3_600_000;
export const BOT_TTL_MOST_MS = 24 * 3_600_000;
/** An ID token is this long at most, characters. */
export const ID_TOKEN_MOST = 16_384;

const words = z.array(z.string().check(z.minLength(1), z.maxLength(255), visible)).check(z.maxLength(1000));
const roles = z.array(name).check(z.minLength(1, 'at least one role'), z.maxLength(100, 'at most 100 roles'));
const traits = z.record(traitName, words);
const botParams = z.object({ name: botName });

/** A machine that has joined as the bot. */
const instance = z.object({
  id: z.string(),
  /** Name of the token that it joined with, and how it proved that the token was meant for it. */
  token: z.string(),
  method: z.string(),
  /** How often its certificates were renewed, and 1. */
  generation: z.number(),
  joined: time,
  renewed: time,
  /** When it is forgotten unless it renews. */
  expires: time,
  remoteAddr: z.string(),
});
export const bot = z.object({
  name: z.string(),
  /** Name of its user. */
  user: z.string(),
  roles: z.array(z.string()),
  traits: z.record(z.string(), z.array(z.string())),
  created: time,
  instances: z.array(instance),
});
export type Bot = z.infer<typeof bot>;
export type BotInstance = z.infer<typeof instance>;

export const listBots = call('GET', 'bots', {
  summary: 'All bots, with the machines that have joined as them.',
  access: { resource: 'bot', verb: 'list' },
  reply: z.array(bot),
});
export const createBot = call('POST', 'bots', {
  summary: 'Make a bot and a join token for it. The token is shown this once, where it holds a secret.',
  access: { resource: 'bot', verb: 'create' },
  body: z.object({
    name: botName,
    roles,
    traits: z._default(traits, {}),
    join_method: z._default(joinMethod, 'token'),
    /** How many machines may join; absent: one with a secret, any number that the rules let in without. */
    uses: z.optional(tokenUses),
    /** How long the token can be used. Those without a secret never end. */
    ttl: z._default(tokenTtl, '1h'),
    ...methodRules,
  }),
  reply: z.object({
    bot,
    token: z.object({
      /** What the bot shows: `NAME.SECRET`, or the name alone where an ID token is the proof. */
      id: z.string(),
      name: z.string(),
      method: z.string(),
      /** Null: never. */
      expiry: z.nullable(time),
    }),
    /** What is run on the bot's machine. */
    line: z.string(),
  }),
});
export const updateBot = call('PUT', 'bots/:name', {
  summary: "Replace a bot's roles and traits.",
  access: { resource: 'bot', verb: 'update' },
  params: botParams,
  body: z.object({ roles, traits: z.optional(traits) }),
  reply: bot,
});
export const deleteBot = call('DELETE', 'bots/:name', {
  summary: 'Remove a bot: its sessions end, and its tokens with them.',
  access: { resource: 'bot', verb: 'delete' },
  params: botParams,
  reply: ok,
});

/** Raw Ed25519 public key, base64url. */
const publicKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'an Ed25519 public key: 32 bytes as base64url'));
const ttl = z._default(
  z.string().check(
    z.refine(text => {
      const ms = parseDuration(text) ?? 0;
      return ms >= 60_000 && ms <= BOT_TTL_MOST_MS;
    }, 'a time from 1m to 24h'),
  ),
  '1h',
);
const joined = z.object({
  ...sessionReply.shape,
  bot: z.string(),
  instance: z.string(),
  generation: z.number(),
  /** It may ask for the next by what it was given. Otherwise it joins again. */
  renews: z.boolean(),
});
export type JoinedBot = z.infer<typeof joined>;

export const joinBot = call('POST', 'bots/join', {
  summary: 'Join as a bot, by a token and, where it has no secret, an ID token: opens a session as that bot.',
  access: 'public',
  csrf: true,
  body: z.object({
    token: z.string().check(z.minLength(1), z.maxLength(255)),
    idToken: z.optional(z.string().check(z.maxLength(ID_TOKEN_MOST, `at most ${ID_TOKEN_MOST} characters`))),
    /** Of the key that the next renewal is signed with. */
    publicKey,
    ttl,
  }),
  reply: joined,
});

/** What a renewal is signed over: the key of before vouches for the one to come. */
export const renewalText = (given: {
  readonly instance: string;
  readonly generation: number;
  readonly publicKey: string;
}): string => `postern bot renewal\n${given.instance}\n${given.generation}\n${given.publicKey}`;

export const renewBot = call('POST', 'bots/renew', {
  summary:
    'The next session of a bot that has joined. An older generation than the last is a copy that somebody else has: the bot is locked.',
  access: 'public',
  csrf: true,
  body: z.object({
    instance: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'the id of an instance')),
    /** The last that it knows of. */
    generation: z.int().check(z.minimum(1), z.maximum(2 ** 31)),
    publicKey,
    /** Ed25519 over `renewalText`, base64url. */
    signature: z.string().check(z.regex(/^[A-Za-z0-9_-]{86}$/, 'an Ed25519 signature: 64 bytes as base64url')),
    ttl,
  }),
  reply: joined,
});
