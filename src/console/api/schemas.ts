// What the build puts in the place of zod/mini in the console: the same names, making descriptions that read.ts reads and nothing more.

interface Description {
  readonly type: string;
  readonly [field: string]: unknown;
}
interface Described {
  readonly _zod: { readonly def: Description };
  readonly check: (...checks: readonly unknown[]) => Described;
}
type Shape = Readonly<Record<string, unknown>>;

const make = (type: string, fields: object = {}): Described => {
  const def = { type, ...fields };
  return { _zod: { def }, check: (...checks) => make(type, { ...def, checks }) };
};
const check = (name: string, fields: object = {}) => ({ _zod: { def: { check: name, ...fields } } });

export const string = () => make('string');
export const number = () => make('number');
export const boolean = () => make('boolean');
export const unknown = () => make('unknown');
export const literal = (value: unknown) => make('literal', { values: [value] });
export const array = (element: unknown) => make('array', { element });
export const tuple = (items: readonly unknown[]) => make('tuple', { items });
export const union = (options: readonly unknown[]) => make('union', { options });
export const record = (keyType: unknown, valueType: unknown) => make('record', { keyType, valueType });
export const optional = (innerType: unknown) => make('optional', { innerType });
export const nullable = (innerType: unknown) => make('nullable', { innerType });
export const nullish = (innerType: unknown) => optional(nullable(innerType));
export const _default = (innerType: unknown, defaultValue: unknown) => make('default', { innerType, defaultValue });
export const object = (shape: Shape) => make('object', { shape });
export const looseObject = (shape: Shape) => make('object', { shape, catchall: unknown() });
export const strictObject = (shape: Shape) => make('object', { shape, catchall: make('never') });
export const extend = ({ _zod: { def } }: Described, shape: Shape) =>
  make('object', { ...def, shape: { ...(def.shape as Shape), ...shape } });
const oneOf = (names: readonly string[]) =>
  make('enum', { entries: Object.fromEntries(names.map(name => [name, name])) });

export { oneOf as enum };

export const minLength = (minimum: number) => check('min_length', { minimum });
export const maxLength = (maximum: number) => check('max_length', { maximum });
export const minimum = (value: number) => check('greater_than', { value, inclusive: true });
export const maximum = (value: number) => check('less_than', { value, inclusive: true });
export const int = () => check('number_format', { format: 'safeint' });
export const regex = (pattern: RegExp) => check('string_format', { format: 'regex', pattern });

/** Requests are read by the gateway alone: what only they are described with fits nothing here. */
const ofRequests = () => make('never');

export { ofRequests as pipe, ofRequests as transform };
export const coerce = { number: ofRequests };
