import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type * as core from 'zod/v4/core';
import { calls } from '../../contract/calls.ts';
import { read } from './read.ts';
import * as schemas from './schemas.ts';

/** Values that fit a schema or nearly do: whole ones, bare ones, and whole ones with one part spoiled. */
function samples(schema: core.$ZodType): unknown[] {
  const def = schema._zod.def as core.$ZodTypes['_zod']['def'];
  switch (def.type) {
    case 'string':
      return ['a name', '', 'x'.repeat(5000), 7, null];
    case 'number':
      return [1, 0, 3, 1.5, -1, 1e12, '1', null];
    case 'boolean':
      return [true, false, 'true', null];
    case 'unknown':
      return [{ any: ['thing'] }, undefined];
    case 'literal':
      return [...def.values, 'no such word', 9];
    case 'enum':
      return [...Object.values(def.entries), 'no such word'];
    case 'optional':
    case 'default':
    case 'nullable':
      return [...samples(def.innerType), undefined, null];
    case 'union':
      return def.options.flatMap(samples);
    case 'array': {
      const items = samples(def.element);
      return [items.slice(0, 1), [], ...items.map(item => [items[0], item]), {}, 'text'];
    }
    case 'tuple': {
      const items = def.items.map(item => samples(item)[0]);
      return [items, items.slice(1), [...items, 1], items.map(() => null)];
    }
    case 'record':
      return [...samples(def.valueType).map(value => ({ name: value })), { ['x'.repeat(300)]: 'x' }, {}, [], null];
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, samples(field as core.$ZodType)] as const);
      const full = Object.fromEntries(fields.map(([name, values]) => [name, values[0]]));
      const spoiled = fields.flatMap(([name, values]) => values.map(value => ({ ...full, [name]: value })));
      const missing = fields.map(([gone]) =>
        Object.fromEntries(Object.entries(full).filter(([name]) => name !== gone)),
      );
      return [
        full,
        { ...full, unheardOf: 1 },
        JSON.parse('{"__proto__":{"admin":true}}'),
        ...spoiled,
        ...missing,
        {},
        [],
      ];
    }
    default:
      throw new Error(`No samples of ${def.type}`);
  }
}

test('every reply of the contract is read as zod reads it, whole, bare or spoiled', () => {
  const verdicts = new Set<boolean>();
  for (const { method, path, parts } of Object.values(calls))
    for (const sample of samples(parts.reply)) {
      const told = z.safeParse(parts.reply as z.ZodMiniType, sample);
      const wanted = told.success ? { data: told.data } : undefined;
      verdicts.add(told.success);
      expect(read(parts.reply, sample), `${method} ${path} of ${JSON.stringify(sample)?.slice(0, 300)}`).toEqual(
        wanted,
      );
    }
  expect(verdicts.size).toBe(2);
});

test('a default is a fresh copy: whoever changes one answer changes no other', () => {
  const schema = z._default(z.object({ names: z.array(z.string()) }), { names: [] });
  read(schema, undefined)?.data.names.push('mine');
  expect(read(schema, undefined)?.data).toEqual({ names: [] });
});

/** A schema of everything that replies are made of, by zod or by what takes its place in the built console. */
const everything = (make: typeof z) => {
  const base = make.object({
    text: make.string().check(make.minLength(1), make.maxLength(9), make.regex(/^[a-z]+$/)),
    count: make.number().check(make.int(), make.minimum(1), make.maximum(5)),
    flag: make._default(make.boolean(), true),
  });
  return make.extend(base, {
    word: make.enum(['one', 'two']),
    one: make.literal('one'),
    either: make.union([make.literal(1), make.array(make.string()).check(make.maxLength(2))]),
    pair: make.optional(make.tuple([make.number(), make.number()])),
    table: make._default(make.record(make.string().check(make.maxLength(3)), make.unknown()), { a: 1 }),
    closed: make.optional(make.strictObject({ name: make.string() })),
    open: make.optional(make.looseObject({ name: make.string() })),
    none: make.nullable(make.string()),
    perhaps: make.nullish(make.string()),
  });
};

test('what takes the place of zod in the built console describes the same', () => {
  const real = everything(z);
  const ours = everything(schemas as unknown as typeof z);
  for (const sample of [
    ...samples(real),
    { ...(samples(real)[0] as object), text: 'abc', table: { long: 1 } },
    { ...(samples(real)[0] as object), text: 'abc', either: ['a', 'b', 'c'] },
    { text: 'abc', count: 5, word: 'two', one: 'one', either: ['a'], open: { name: 'n', more: 1 }, none: null },
  ]) {
    const told = z.safeParse(real, sample);
    expect(read(ours, sample), JSON.stringify(sample)).toEqual(told.success ? { data: told.data } : undefined);
  }
  expect(read(ours, { text: 'abc', count: 5, word: 'two', one: 'one', either: 1, none: 'n' })?.data).toMatchObject({
    flag: true,
    table: { a: 1 },
  });
});
