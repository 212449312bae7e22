// What a role may say that this gateway keeps and does not act on yet: whoever writes it hears so.
import type { Role } from './role.ts';

/** Keys of what a role allows that wait for what they are about. One that gets enforced leaves this list. */
const keysNotEnforced = ['desktop_groups'] as const;
/** What of it works, or why nothing of it does, where that is not plain from the key. */
const instead: Readonly<Partial<Record<(typeof keysNotEnforced)[number], string>>> = {
  desktop_groups: 'groups are for users that create_desktop_user makes on desktops, and no user is made there yet',
};
/** A person's own traits, which are there in presets for whatever comes: nobody has said anything with them. */
const isTrait = (value: unknown): boolean => typeof value === 'string' && value.startsWith('{{internal.');

/** Options that count in some places alone. */
const partly = {
  create_desktop_user: 'is kept, not enforced yet: no user is made on desktops',
  create_db_user:
    'makes users in databases of PostgreSQL, MySQL and MariaDB that have an admin_user; in all others it does nothing',
  create_host_user: 'makes users on servers that the join script has prepared for it; on all others it does nothing',
} as const;
const isAsking = (value: unknown): boolean => value !== undefined && value !== false && value !== 'off';

/** One sentence for each key of a role that is kept and not enforced. */
export const notEnforcedIn = ({
  name,
  allow,
  options,
}: Pick<Role, 'name' | 'allow' | 'options'>): readonly string[] => [
  ...keysNotEnforced
    .filter(key => {
      const value = key
        .split('.')
        .reduce<unknown>((at, part) => (at as Readonly<Record<string, unknown>> | undefined)?.[part], allow.source);
      return Array.isArray(value) ? value.some(one => !isTrait(one)) : value !== undefined;
    })
    .map(key => `role ${name}: spec.allow.${key} is kept, not enforced yet${instead[key] ? `: ${instead[key]}` : ''}`),
  ...Object.entries(partly).flatMap(([option, where]) =>
    isAsking(options[option as keyof typeof partly]) ? [`role ${name}: spec.options.${option} ${where}`] : [],
  ),
];
