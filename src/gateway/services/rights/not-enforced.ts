// What a role may say that this gateway keeps and does not act on yet: whoever writes it hears so.
import type { Role } from './role.ts';

/** Keys of what a role allows that wait for what they are about. One that gets enforced leaves this list. */
const keysNotEnforced = ['azure_identities', 'gcp_service_accounts', 'desktop_groups', 'impersonate'] as const;
/** A person's own traits, which are there in presets for whatever comes: nobody has said anything with them. */
const isTrait = (value: unknown): boolean => typeof value === 'string' && value.startsWith('{{internal.');

/** One sentence for each key of a role that is kept and not enforced. */
export const notEnforcedIn = ({ name, allow }: Pick<Role, 'name' | 'allow'>): readonly string[] =>
  keysNotEnforced
    .filter(key => {
      const value: unknown = allow.source[key];
      return Array.isArray(value) ? value.some(one => !isTrait(one)) : value !== undefined;
    })
    .map(key => `role ${name}: spec.allow.${key} is kept, not enforced yet`);
