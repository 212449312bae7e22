// How a plugin is kept: what people wrote without its secrets, the secrets sealed beside it, and from where on the log is told.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import { fieldsOf, isPluginKind, isSecret, type PluginKind, pluginKinds } from '../../../contract/plugin-kinds.ts';
import { type PluginSpec, pluginSpec } from '../../../contract/plugins.ts';
import type { NewResource, Resource } from '../../store/store.ts';

/** What every kind may have beside its own fields. */
const RULES: readonly string[] = ['kinds', 'roles', 'message'];
/** Fields that say where secrets go: whoever changes one gives the secrets again. */
const PLACES = ['address', 'server', 'repository'] as const;

const storedSpec = z.object({
  /** Of this plugin alone, also when another has its name later: its place in the log is kept under it. */
  id: z.string(),
  written: pluginSpec,
  /** Fields of the secrets, sealed as one. */
  sealed: z.string(),
  secrets: z.array(z.string()),
  /** How far each chain of the audit log had come when it was enrolled: what happened before is not told. */
  begin: z.record(z.string(), z.number()),
  /** Host that a secret address leads to. */
  host: z.string(),
});
export type StoredPlugin = Omit<z.output<typeof storedSpec>, 'written'> & {
  readonly name: string;
  readonly kind: PluginKind;
  readonly written: PluginSpec;
  readonly revision: number;
};
export interface PluginSecrets {
  seal(secret: string, place: string): Promise<string>;
  /** Throws Error when the key is not the one that sealed it. */
  open(sealed: string, place: string): string;
}
/** What is written of a plugin: its kind, and its fields with the secrets that are given. */
export interface WrittenPlugin {
  readonly name: string;
  readonly kind: PluginKind;
  readonly spec: PluginSpec;
}

/** Null for a row that holds none. */
export function readPlugin({ name, subtype, revision, spec }: Resource): StoredPlugin | null {
  const read = z.safeParse(storedSpec, spec);
  return read.success && isPluginKind(subtype) ? { ...read.data, name, kind: subtype, revision } : null;
}
const placeOf = (name: string): string => `plugin:${name}`;
/** Every field, secrets too. Throws Error when they cannot be opened. */
export const openPlugin = (box: PluginSecrets, { name, written, sealed }: StoredPlugin): PluginSpec => ({
  ...written,
  ...(JSON.parse(box.open(sealed, placeOf(name))) as PluginSpec),
});

/**
 * The columns of a plugin: a secret that is left out is that of `before`. `begin`: where the chains of the log end now. Throws Failure
 * bad_request for fields that its kind does not have, or lacks.
 */
export async function pluginColumns(
  box: PluginSecrets,
  { name, kind, spec }: WrittenPlugin,
  before: Resource | null,
  begin: () => Promise<Readonly<Record<string, number>>>,
): Promise<Pick<NewResource, 'title' | 'subtype' | 'address' | 'spec' | 'words'>> {
  const fields = fieldsOf(kind);
  const kept = before && readPlugin(before);
  if (kept && kept.kind !== kind)
    throw wrong('sub_kind', `"${name}" is a plugin for ${pluginKinds[kept.kind].title}, and stays one`);
  for (const key of Object.keys(spec))
    if (!Object.hasOwn(fields, key) && !RULES.includes(key))
      throw wrong(
        `spec.${key}`,
        `a plugin for ${pluginKinds[kind].title} has no such field: ${Object.keys(fields).join(', ')}`,
      );
  const old = kept ? openPlugin(box, kept) : {};
  const secretNames = Object.keys(fields).filter(key => isSecret(fields[key] as never)) as (keyof PluginSpec)[];
  const given = secretNames.filter(key => spec[key] !== undefined);
  const written = Object.fromEntries(
    Object.entries(spec).filter(([key]) => !secretNames.some(one => one === key)),
  ) as PluginSpec;
  const lost = secretNames.filter(key => !given.includes(key) && old[key] !== undefined);
  const moved = PLACES.find(place => kept && kept.written[place] !== written[place]);
  if (moved !== undefined && lost.length > 0)
    throw wrong(`spec.${lost[0]}`, `give it again: with another ${moved} it is sent elsewhere`);
  const secrets = Object.fromEntries(
    secretNames.flatMap(key => {
      const value = spec[key] ?? old[key];
      return value === undefined ? [] : [[key, value]];
    }),
  ) as PluginSpec;
  const whole: PluginSpec = { ...written, ...secrets };
  for (const [key, field] of Object.entries(fields))
    if (!field.optional && whole[key as keyof PluginSpec] === undefined)
      throw wrong(`spec.${key}`, `missing: ${field.title} of ${pluginKinds[kind].title}`);
  for (const key of ['url', 'address'] as const)
    if (whole[key] !== undefined && !URL.canParse(whole[key]))
      throw wrong(`spec.${key}`, 'an address such as https://example.com');
  checkMail(kind, whole);
  const isSame = kept !== null && isDeepStrictEqual(onlySecrets(old, secretNames), secrets);
  const stored: z.input<typeof storedSpec> = {
    id: kept?.id ?? randomUUID(),
    written,
    // What has not changed stays as it is, so that writing it again is no change.
    sealed: isSame ? kept.sealed : await box.seal(JSON.stringify(secrets), placeOf(name)),
    secrets: Object.keys(secrets),
    begin: kept?.begin ?? { ...(await begin()) },
    host: whole.url === undefined ? '' : new URL(whole.url).host,
  };
  return {
    title: name,
    subtype: kind,
    address: placeText(kind, { written, host: stored.host }).slice(0, 255),
    words: [pluginKinds[kind].title],
    spec: stored,
  };
}

/** What a document shows: without secrets. */
export const writtenPlugin = (resource: Resource): object => readPlugin(resource)?.written ?? {};

/** Where a plugin sends to, in words that give no secret away. */
export function placeText(kind: PluginKind, { written, host }: Pick<StoredPlugin, 'written' | 'host'>): string {
  if (host !== '') return host;
  if (kind === 'email') return `${written.from ?? ''} by ${written.server ?? ''}`;
  if (kind === 'github') return written.repository ?? '';
  if (kind === 'jira') return `${written.project ?? ''} at ${new URL(written.address ?? 'https://localhost').host}`;
  const { otherwise = 'https://localhost' } = fieldsOf(kind).address ?? {};
  return new URL(written.address ?? otherwise).host;
}

const onlySecrets = (spec: PluginSpec, names: readonly (keyof PluginSpec)[]): PluginSpec =>
  Object.fromEntries(Object.entries(spec).filter(([key]) => names.some(one => one === key))) as PluginSpec;

function checkMail(kind: PluginKind, spec: PluginSpec): void {
  if (kind !== 'email') return;
  if ((spec.to ?? []).length + (spec.to_roles ?? []).length === 0 && spec.to_asker !== true)
    throw wrong('spec.to', 'addresses, roles in to_roles, or to_asker: somebody must get the mail');
  if (spec.password !== undefined && spec.username === undefined)
    throw wrong('spec.username', 'missing: the user whose password it is');
  if (spec.password !== undefined && spec.tls === 'none')
    throw wrong('spec.tls', 'a password is never sent over a connection that is not encrypted: starttls or tls');
}

const wrong = (field: string, text: string): Failure =>
  new Failure('bad_request', `${field}: ${text}`, { [field.replace(/^spec\./, '')]: text });
