// What may be written next in a YAML text of a kind that has a schema: its keys, with what the schema says of each, and the values it names.
import { type $ZodType, globalRegistry } from 'zod/v4/core';
import { bare, keysAt, schemasAt } from '../../contract/schema-keys.ts';
import type { Completed, Completion } from '../ui/CodeField.tsx';
import { placeAt, type YamlPlace } from './yaml-place.ts';

/** Names that texts of a schema stand for, such as those of roles; asked for only where they could stand. */
export type KnownNames = Readonly<Record<string, (() => Promise<readonly string[]>) | undefined>>;

/** What fits at the caret; null where nothing does. */
export async function completeYaml(
  schema: $ZodType,
  names: KnownNames,
  text: string,
  caret: number,
): Promise<Completed | null> {
  const place = placeAt(text, caret);
  if (place === null) return null;
  const { wants, start } = place;
  const found = [
    ...(wants === 'value' ? [] : await keysFor(schema, names, place)),
    ...(wants === 'key' ? [] : await valuesFor(schema, names, place)),
  ];
  const options = [...new Map(found.map(option => [option.label, option])).values()];
  return options.length === 0 ? null : { start, options };
}

async function keysFor(schema: $ZodType, names: KnownNames, place: YamlPlace): Promise<readonly Completion[]> {
  const { path, siblings } = place;
  const known = keysAt(schema, path).map(([key, of]) => ({ label: key, info: said(of), ...written(key, of, place) }));
  const named = await Promise.all(
    schemasAt(schema, path).map(({ _zod: { def } }) => namesOf((def as { keyType?: $ZodType }).keyType, names)),
  );
  return [...known, ...named.flat().map(label => ({ label, text: `${quoted(label)}: ` }))]
    .filter(({ label }) => !siblings.includes(label))
    .map(option => ({ ...option, isKey: true }));
}

/** A key with the beginning of what it holds. */
function written(key: string, schema: $ZodType, { column, inBrackets }: YamlPlace): Pick<Completion, 'text' | 'back'> {
  const [{ _zod: { def } = {} } = {}] = bare(schema);
  const { shape, element, valueType } = (def ?? {}) as Partial<Record<'shape' | 'element' | 'valueType', $ZodType>>;
  const below = `${key}:\n${' '.repeat(column + 2)}`;
  if (inBrackets) return { text: `${key}: ` };
  if (shape ?? valueType) return { text: below };
  if (element === undefined) return { text: `${key}: ` };
  return bare(element).some(({ _zod }) => 'shape' in _zod.def)
    ? { text: `${below}- ` }
    : { text: `${key}: []`, back: 1 };
}

async function valuesFor(schema: $ZodType, names: KnownNames, { path }: YamlPlace): Promise<readonly Completion[]> {
  const found = await Promise.all(
    schemasAt(schema, path).map(async one => {
      const { type, entries, values } = one._zod.def as {
        readonly type: string;
        readonly entries?: Readonly<Record<string, string>>;
        readonly values?: readonly unknown[];
      };
      if (type === 'boolean') return ['true', 'false'];
      return [...Object.values(entries ?? {}), ...(values ?? []).map(String), ...(await namesOf(one, names))];
    }),
  );
  return found.flat().map(label => ({ label: quoted(label), text: quoted(label) }));
}

/** A text as YAML has to have it. */
const quoted = (text: string): string => (/^[\w/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`);

/** The sentence about a key. */
const said = (schema: $ZodType): string | undefined =>
  globalRegistry.get(schema)?.description ??
  [(schema._zod.def as { readonly innerType?: $ZodType }).innerType].flatMap(inner => (inner ? said(inner) : []))[0];

const namesOf = async (schema: $ZodType | undefined, names: KnownNames): Promise<readonly string[]> => {
  const kind = schema && globalRegistry.get(schema)?.names;
  return (await names[String(kind)]?.()) ?? [];
};
