// What is typed into the form of a plugin, and the spec that it makes.
import { type NotificationKind, notificationKindIds } from '../../../contract/notification-kinds.ts';
import { fieldsOf, isSecret, MESSAGE_DEFAULT, type PluginKind } from '../../../contract/plugin-kinds.ts';
import type { PluginSpec } from '../../../contract/plugins.ts';

/** What stands in the form: fields by name, all as text. */
export interface Typed {
  readonly fields: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, boolean>>;
  readonly kinds: readonly NotificationKind[];
  readonly roles: string;
  readonly message: string;
}

/** The form of a kind as it is at first: with what is kept, and without its secrets. */
export function typedOf(kind: PluginKind, spec: PluginSpec): Typed {
  const entries = Object.entries(fieldsOf(kind)).map(([name, field]) => ({
    name,
    field,
    value: spec[name as keyof PluginSpec],
  }));
  return {
    fields: Object.fromEntries(
      entries
        .filter(({ field }) => field.type !== 'flag')
        .map(({ name, field, value }) => [
          name,
          Array.isArray(value) ? value.join(', ') : value === undefined ? (field.otherwise ?? '') : String(value),
        ]),
    ),
    flags: Object.fromEntries(
      entries.filter(({ field }) => field.type === 'flag').map(({ name, value }) => [name, value === true]),
    ),
    kinds: spec.kinds ?? notificationKindIds,
    roles: (spec.roles ?? []).join(', '),
    message: spec.message ?? MESSAGE_DEFAULT,
  };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');

/** The spec of what was typed: what is empty is left out, and so is a secret that stays. */
export function specOf(kind: PluginKind, { fields, flags, kinds, roles, message }: Typed): PluginSpec {
  const written: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fieldsOf(kind))) {
    const text = (fields[name] ?? '').trim();
    if (field.type === 'flag') {
      if (flags[name]) written[name] = true;
    } else if (field.type === 'texts') {
      if (listOf(text).length > 0) written[name] = listOf(text);
    } else if (text !== '' && (isSecret(field) || text !== field.otherwise)) written[name] = text;
  }
  return {
    ...(written as PluginSpec),
    ...(kinds.length < notificationKindIds.length && { kinds: [...kinds] }),
    ...(listOf(roles).length > 0 && { roles: listOf(roles) }),
    ...(message.trim() !== '' && message !== MESSAGE_DEFAULT && { message: message.trim() }),
  };
}
