// What of a role does nothing, or not everywhere, or more than whoever writes it may expect: they hear it when it is written.
import { NO_HARDWARE_KEYS } from '../../ports/rights.ts';
import type { Role } from './role.ts';

/** A person's own traits, which are there in presets for whatever comes: nobody has said anything with them. */
const isTrait = (value: string): boolean => value.startsWith('{{internal.');

interface Note {
  readonly path: string;
  readonly applies: (role: Pick<Role, 'allow' | 'options'>) => boolean;
  readonly says: string;
}
/** One that gets enforced everywhere leaves this list. */
const notes: readonly Note[] = [
  {
    path: 'allow.desktop_groups',
    applies: ({ allow: { source } }) => source.desktop_groups?.some(one => !isTrait(one)) ?? false,
    says: 'is kept, not enforced yet: groups are for users that create_desktop_user makes on desktops, and no user is made there yet',
  },
  {
    path: 'options.require_session_mfa',
    applies: ({ options }) => typeof options.require_session_mfa === 'string',
    says: `keeps whoever holds this role from signing in and from opening anything. ${NO_HARDWARE_KEYS}`,
  },
  {
    path: 'options.create_db_user',
    applies: ({ options }) => options.create_db_user === true,
    says: 'makes users in databases of PostgreSQL, MySQL and MariaDB that have an admin_user; in all others it does nothing',
  },
  {
    path: 'options.create_host_user',
    applies: ({ options: { create_host_user: flag, create_host_user_mode: mode = 'off' } }) =>
      flag === true || mode !== 'off',
    says: 'makes users on servers that the join script has prepared for it; on all others it does nothing',
  },
];

/** A sentence for each of these that a role has. */
export const notesOn = (role: Pick<Role, 'name' | 'allow' | 'options'>): readonly string[] =>
  notes.filter(({ applies }) => applies(role)).map(({ path, says }) => `role ${role.name}: spec.${path} ${says}`);
