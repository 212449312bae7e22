// Plugins for every door: enrolling, changing, removing and trying one, how each fares, and what the audit log hears.
import * as z from 'zod/mini';
import type { Verb } from '../../../contract/acl.ts';
import { Failure } from '../../../contract/failure.ts';
import type { PluginKind } from '../../../contract/plugin-kinds.ts';
import { PLUGINS_MOST, type Plugin, type PluginSpec } from '../../../contract/plugins.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Actor } from '../../ports/who.ts';
import type { Events, NewResource, Resource, Resources, Settings, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { messageOf } from './message.ts';
import type { SendRequest } from './outgoing.ts';
import { NotTaken, send, statusOf } from './send.ts';
import { openPlugin, type PluginSecrets, placeText, pluginColumns, readPlugin, type StoredPlugin } from './stored.ts';

const status = z.object({ code: z.number(), details: z.string(), time: z.string() });
type Status = z.output<typeof status>;
const NEVER_TRIED: Status = { code: 0, details: '', time: '' };
const RUNNING = 1;

/** Codes of the audit log: the catalogue of the wire has none for plugins. */
const pluginCodes = { created: 'TPL00I', updated: 'TPL01I', removed: 'TPL02I' } as const;

export interface PluginParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  readonly users: Pick<Users, 'list'>;
  readonly events: Pick<Events, 'heads'>;
  readonly settings: Pick<Settings, 'get' | 'put' | 'remove'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly secretBox: PluginSecrets;
  readonly request: SendRequest;
  /** Plugins may reach the gateway's own machine. */
  readonly own: boolean;
  readonly clusterName: string;
  readonly clock?: () => Date;
}
export interface Plugins {
  /** Throws Failure denied. */
  list(by: Actor): Promise<readonly Plugin[]>;
  /** Throws Failure denied, not_found. */
  get(name: string, by: Actor): Promise<Plugin>;
  /** Throws Failure denied, exists, bad_request. */
  create(
    given: { readonly name: string; readonly kind: PluginKind; readonly spec: PluginSpec },
    by: Actor,
  ): Promise<Plugin>;
  /** Throws Failure denied, not_found, bad_request. */
  update(name: string, spec: PluginSpec, by: Actor): Promise<Plugin>;
  /** Throws Failure denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
  /** Sends a message now. Resolves also when it was not taken: with what was wrong. Throws Failure denied, not_found. */
  test(name: string, by: Actor): Promise<{ readonly statusCode: number; readonly details: string }>;
  /** Tells the bus and the audit log, also for what YAML files change. */
  note(change: 'created' | 'updated' | 'removed', plugin: NewResource, by: string): Promise<void>;
  /** Where the chains of the log end now: what is told begins there. */
  begin(): Promise<Readonly<Record<string, number>>>;
  /** For delivery: all there are, with what went wrong noted under their status. */
  readonly delivery: {
    all(): Promise<readonly StoredPlugin[]>;
    open(plugin: StoredPlugin): PluginSpec;
    noted(plugin: StoredPlugin, error: unknown): Promise<void>;
  };
}

/** Where a plugin's place in the log, and how it fares, are kept. */
export const progressName = (id: string): string => `plugin.${id}`;
const progressKey = (id: string): string => `audit.forwarded.${progressName(id)}`;
const statusKey = (id: string): string => `plugin.status.${id}`;

export function createPlugins(parts: PluginParts): Plugins {
  const { resources, settings, events, audit, changes, secretBox, clock = () => new Date() } = parts;
  const begin = async (): Promise<Readonly<Record<string, number>>> =>
    Object.fromEntries((await events.heads()).map(({ chain, length }) => [chain, length]));
  const statusNow = async (id: string): Promise<Status> =>
    z.safeParse(status, await settings.get(statusKey(id))).data ?? NEVER_TRIED;

  async function show(plugin: StoredPlugin): Promise<Plugin> {
    const { code, details, time } = await statusNow(plugin.id);
    return {
      name: plugin.name,
      kind: plugin.kind,
      details: placeText(plugin.kind, plugin),
      statusCode: code,
      statusDetails: details,
      statusTime: time === '' ? null : time,
      spec: plugin.written,
      secrets: plugin.secrets,
    };
  }
  async function find(name: string): Promise<{ readonly row: Resource; readonly plugin: StoredPlugin }> {
    const row = await resources.get('plugin', name);
    const plugin = row && readPlugin(row);
    if (!plugin) throw new Failure('not_found', `there is no plugin "${name}"`);
    return { row, plugin };
  }
  const rowOf = async (
    given: { readonly name: string; readonly kind: PluginKind; readonly spec: PluginSpec },
    before: Resource | null,
  ): Promise<NewResource> => ({
    kind: 'plugin',
    name: given.name,
    description: before?.description ?? '',
    labels: before?.labels ?? {},
    expires: before?.expires ?? null,
    ...(await pluginColumns(secretBox, given, before, begin)),
  });
  const all = async (): Promise<readonly StoredPlugin[]> =>
    (await allOf(resources, 'plugin')).flatMap(row => readPlugin(row) ?? []);

  const note: Plugins['note'] = async (change, row, by) => {
    const plugin = readPlugin({ ...row, revision: 0, created: clock(), updated: clock() });
    if (change === 'removed' && plugin)
      for (const key of [statusKey, progressKey]) await settings.remove(key(plugin.id));
    changes.emit({ kind: 'pluginsChanged' });
    await audit.emit({
      code: pluginCodes[change],
      name: row.name,
      user: by,
      plugin_kind: row.subtype,
      ...(row.address !== '' && { plugin_target: row.address }),
    });
  };
  async function noted(plugin: StoredPlugin, error: unknown): Promise<void> {
    const before = await statusNow(plugin.id);
    const code = error === null ? RUNNING : statusOf(error);
    const details = error === null ? '' : reasonOf(error);
    await settings.put(statusKey(plugin.id), { code, details, time: clock().toISOString() } satisfies Status);
    if (before.code !== code || before.details !== details) changes.emit({ kind: 'pluginsChanged' });
  }

  return {
    note,
    begin,
    delivery: { all, open: plugin => openPlugin(secretBox, plugin), noted },
    async list(by) {
      allow(by, 'list');
      return Promise.all((await all()).map(show));
    },
    async get(name, by) {
      allow(by, 'read');
      return show((await find(name)).plugin);
    },
    async create(given, by) {
      allow(by, 'create');
      if ((await all()).length >= PLUGINS_MOST)
        throw new Failure('bad_request', `no more than ${PLUGINS_MOST} plugins`);
      const made = await resources.create(await rowOf(given, null));
      await note('created', made, by.user);
      return show((await find(given.name)).plugin);
    },
    async update(name, spec, by) {
      allow(by, 'update');
      const { row, plugin } = await find(name);
      const next = await resources.put(await rowOf({ name, kind: plugin.kind, spec }, row), row.revision);
      await note('updated', next, by.user);
      return show((await find(name)).plugin);
    },
    async remove(name, by) {
      allow(by, 'delete');
      const { row } = await find(name);
      if (!(await resources.delete('plugin', name))) throw new Failure('not_found', `there is no plugin "${name}"`);
      await note('removed', row, by.user);
    },
    async test(name, by) {
      allow(by, 'update');
      const { plugin } = await find(name);
      const now = clock();
      const happened = {
        id: `test-${plugin.id}-${now.getTime()}`,
        kind: 'test' as const,
        title: `Test message from ${parts.clusterName}`,
        text: `${by.user} tries the plugin ${name}.`,
        annotations: {},
        user: by.user,
        link: '',
        time: now,
      };
      let failure: unknown = null;
      try {
        const spec = openPlugin(secretBox, plugin);
        await send({ ...parts, clock }, plugin.kind, spec, messageOf(happened, parts.clusterName, spec.message));
      } catch (error) {
        failure = error;
      }
      await noted(plugin, failure);
      const answer = await statusNow(plugin.id);
      await audit.emit({
        code: failure === null ? 'TPL03I' : 'TPL03W',
        name,
        user: by.user,
        plugin_kind: plugin.kind,
        success: failure === null,
        ...(failure !== null && { error: answer.details }),
      });
      return { statusCode: answer.code, details: answer.details };
    },
  };
}

/** What was wrong, without anything that was sent: errors of the network name hosts alone. */
function reasonOf(error: unknown): string {
  if (error instanceof NotTaken) return error.message;
  const { cause = error } = error instanceof Error ? error : { cause: error };
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replaceAll(/https?:\/\/\S+/g, 'its address').slice(0, 300);
}

function allow({ rights }: Actor, verb: Verb): void {
  if (rights !== null && !rights.may('plugin', verb))
    throw new Failure('denied', `access denied: no role gives you "${verb}" on "plugin"`);
}
