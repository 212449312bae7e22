// Reads JSON by a schema of the contract. zod itself weighs more than all calls of a page together, and what a browser needs of it is
// this: its schemas describe themselves (`_zod.def`), and reading an answer is a walk along that description.
import type * as core from 'zod/v4/core';

type Described = core.$ZodTypes['_zod']['def'];
type Checked = core.$ZodChecks['_zod']['def'];

/** Says that a value is not what its schema describes. */
const refused = Symbol('refused');

/**
 * What a schema makes of a value, as `safeParse` of zod does: defaults filled in, unknown fields left out. Undefined when it does not fit.
 * Throws for a kind of schema that no reply has; the test beside walks them all.
 */
export function read<Schema extends core.$ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data: core.output<Schema> } | undefined {
  const data = take(schema, value);
  return data === refused ? undefined : { data: data as core.output<Schema> };
}

function take(schema: core.$ZodType, value: unknown): unknown {
  const def = schema._zod.def as Described;
  const data = taken(def, value);
  if (data === refused || def.checks === undefined) return data;
  return def.checks.every(check => passes(check._zod.def as Checked, data)) ? data : refused;
}

function taken(def: Described, value: unknown): unknown {
  switch (def.type) {
    case 'string':
    case 'boolean':
      return typeof value === def.type ? value : refused;
    case 'number':
      return Number.isFinite(value) ? value : refused;
    case 'unknown':
      return value;
    case 'never':
      return refused;
    case 'literal':
      return def.values.some(one => one === value) ? value : refused;
    case 'enum':
      return Object.values(def.entries).some(one => one === value) ? value : refused;
    case 'optional':
      return value === undefined ? value : take(def.innerType, value);
    case 'nullable':
      return value === null ? value : take(def.innerType, value);
    case 'default':
      return value === undefined ? structuredClone(def.defaultValue) : take(def.innerType, value);
    case 'union':
      for (const option of def.options) {
        const data = take(option, value);
        if (data !== refused) return data;
      }
      return refused;
    case 'array':
      return Array.isArray(value) ? whole(value.map(item => take(def.element, item))) : refused;
    case 'tuple':
      return Array.isArray(value) && value.length === def.items.length
        ? whole(def.items.map((item, index) => take(item, value[index])))
        : refused;
    case 'record':
      return isRecord(value)
        ? collected(
            Object.keys(value).map(name => [take(def.keyType, name), take(def.valueType, value[name])] as const),
          )
        : refused;
    case 'object':
      return isRecord(value) ? object(def, value) : refused;
    default:
      throw new Error(`No reply is described by "${def.type}"`);
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const whole = (items: readonly unknown[]): unknown => (items.includes(refused) ? refused : items);

/** An object of these fields, unless one of them is refused. A field named after the prototype is never one. */
function collected(fields: readonly (readonly [name: unknown, value: unknown])[]): unknown {
  return fields.some(field => field.includes(refused))
    ? refused
    : Object.fromEntries(fields.filter(([name]) => name !== '__proto__'));
}

function object({ shape, catchall }: core.$ZodObjectDef, value: Readonly<Record<string, unknown>>): unknown {
  const fields = Object.entries(shape).map(([name, field]) => [name, take(field, value[name])] as const);
  const others = Object.keys(value).filter(name => !Object.hasOwn(shape, name));
  return collected([
    // A field that is absent and may be stays absent.
    ...fields.filter(([name, data]) => data !== undefined || name in value),
    ...(catchall === undefined ? [] : others.map(name => [name, take(catchall, value[name])] as const)),
  ]);
}

function passes(check: Checked, data: unknown): boolean {
  switch (check.check) {
    case 'min_length':
      return (data as string).length >= check.minimum;
    case 'max_length':
      return (data as string).length <= check.maximum;
    case 'greater_than':
      return (data as number) >= Number(check.value);
    case 'less_than':
      return (data as number) <= Number(check.value);
    case 'number_format':
      return Number.isSafeInteger(data);
    case 'string_format':
      return (check as core.$ZodCheckRegexDef).pattern.test(data as string);
    default:
      throw new Error(`No reply is checked by "${check.check}"`);
  }
}
