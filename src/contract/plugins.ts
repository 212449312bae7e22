// Plugins: where people are told outside of the console of what happens. Ours: no public wire of them is known.
import * as z from 'zod/mini';
import { hostAndPort } from './address.ts';
import { call } from './call.ts';
import { described, metadata, named } from './document-parts.ts';
import { notificationKindIds } from './notification-kinds.ts';
import { messageParts, type PluginKind, pluginKindIds, tlsModes } from './plugin-kinds.ts';
import { clusterParams, name, ok, safeName, time } from './shapes.ts';
import { visible, visibleLines } from './visible-text.ts';

/** Plugins of one cluster. */
export const PLUGINS_MOST = 50;

const text = z.string().check(z.minLength(1, 'not empty'), z.maxLength(255, 'at most 255 characters'), visible);
const texts = z.array(text).check(z.maxLength(50, 'at most 50 of them'));
const secret = z.string().check(z.minLength(1, 'not empty'), z.maxLength(4096, 'at most 4096 characters'), visible);
const webAddress = z
  .string()
  .check(
    z.maxLength(2048, 'at most 2048 characters'),
    z.regex(
      /^https?:\/\/[^\s\p{Cc}/?#@]+([/?][^\s\p{Cc}#]*)?$/u,
      'an address that begins with https:// or http://, without a user and a password',
    ),
    visible,
  );
const mailAddress = z
  .string()
  .check(
    z.maxLength(254, 'at most 254 characters'),
    z.regex(/^[^\s\p{Cc}@<>,;"]+@[^\s\p{Cc}@<>,;"]+$/u, 'an e-mail address'),
  );

/** Places between braces that messages do not have are refused, so that a slip of the pen is not sent. */
const message = z.string().check(
  z.minLength(1, 'not empty'),
  z.maxLength(1000, 'at most 1000 characters'),
  visibleLines,
  z.refine(
    words => [...words.matchAll(/\{([^{}\s]*)\}/g)].every(([, part]) => messageParts.some(one => one === part)),
    `between braces one of ${messageParts.join(', ')}`,
  ),
);

/** What a plugin may have: which of these, its kind says. */
export const pluginSpec = z.strictObject({
  url: z.optional(described('Where it posts. Never shown again.', webAddress)),
  signing_key: z.optional(described('Signs what a webhook is sent. Never shown again.', secret)),
  address: z.optional(described('Address of the service, where it is not the public one.', webAddress)),
  token: z.optional(described('Key or token of the service. Never shown again.', secret)),
  team: z.optional(text),
  username: z.optional(text),
  password: z.optional(described('Of the mail server. Never shown again.', secret)),
  server: z.optional(described('host:port of the mail server.', hostAndPort)),
  tls: z.optional(described('How the connection to the mail server is encrypted.', z.enum(tlsModes))),
  from: z.optional(mailAddress),
  to: z.optional(z.array(mailAddress).check(z.maxLength(50, 'at most 50 addresses'))),
  to_roles: z.optional(described('People with these roles, at their trait "email".', named('role', texts))),
  to_asker: z.optional(z.boolean()),
  project: z.optional(z.string().check(z.regex(/^[A-Z][A-Z0-9_]{1,63}$/, 'a project key such as OPS'))),
  issue_type: z.optional(text),
  repository: z.optional(
    z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/, 'owner/name')),
  ),
  labels: z.optional(texts),
  kinds: z.optional(described('What it tells of; else of everything.', z.array(z.enum(notificationKindIds)))),
  roles: z.optional(described('Of access requests, those for one of these roles; else all.', named('role', texts))),
  message: z.optional(described(`What it says, with ${messageParts.map(part => `{${part}}`).join(' ')}.`, message)),
});
export type PluginSpec = z.output<typeof pluginSpec>;

/** A plugin as YAML. */
export const pluginDocument = z.strictObject({
  kind: z.literal('plugin'),
  version: z.literal('v1'),
  sub_kind: z.enum(pluginKindIds as [PluginKind, ...PluginKind[]]),
  metadata,
  spec: pluginSpec,
});

export const plugin = z.object({
  name: z.string(),
  kind: z.enum(pluginKindIds as [PluginKind, ...PluginKind[]]),
  /** Where it goes, without what is secret. */
  details: z.string(),
  statusCode: z.number(),
  /** What went wrong last; empty where nothing did. */
  statusDetails: z.string(),
  /** When it was last sent something, or tried. */
  statusTime: z.nullable(time),
  /** Without its secrets. */
  spec: pluginSpec,
  /** Names of the secrets that are kept. */
  secrets: z.array(z.string()),
});
export type Plugin = z.infer<typeof plugin>;

const params = z.extend(clusterParams, { name });
const body = z.object({ spec: pluginSpec });

export const listPlugins = call('GET', 'sites/:clusterId/plugins', {
  summary: 'Plugins without their secrets, and how each fares.',
  access: { resource: 'plugin', verb: 'list' },
  params: clusterParams,
  reply: z.object({ items: z.array(plugin) }),
});
export const getPlugin = call('GET', 'sites/:clusterId/plugins/:name', {
  summary: 'One plugin without its secrets.',
  access: { resource: 'plugin', verb: 'read' },
  params,
  reply: plugin,
});
export const createPlugin = call('POST', 'sites/:clusterId/plugins', {
  summary: 'Enroll a plugin: from now on it tells of what happens.',
  access: { resource: 'plugin', verb: 'create' },
  params: clusterParams,
  body: z.extend(body, { name: safeName, kind: z.enum(pluginKindIds as [PluginKind, ...PluginKind[]]) }),
  reply: plugin,
});
export const updatePlugin = call('PUT', 'sites/:clusterId/plugins/:name', {
  summary: 'Change a plugin. Secrets that are left out stay; they must be given again where they would go elsewhere.',
  access: { resource: 'plugin', verb: 'update' },
  params,
  body,
  reply: plugin,
});
export const deletePlugin = call('DELETE', 'sites/:clusterId/plugins/:name', {
  summary: 'Remove a plugin with what it has not sent yet.',
  access: { resource: 'plugin', verb: 'delete' },
  params,
  reply: ok,
});
export const tryPlugin = call('POST', 'sites/:clusterId/plugins/:name/test', {
  summary: 'Send a test message now, and say what came of it.',
  access: { resource: 'plugin', verb: 'update' },
  params,
  reply: z.object({ statusCode: z.number(), details: z.string() }),
});
