// What a role may say that this gateway keeps and does not act on yet: whoever writes it hears so.
import type { RoleOptions } from '../../../contract/role-options.ts';
import type { Role } from './role.ts';

/** Options that wait for what they are about. An option that gets enforced leaves this list. */
const optionsNotEnforced: readonly (keyof RoleOptions)[] = [
  'permit_x11_forwarding',
  'device_trust_mode',
  'create_host_user',
  'create_host_user_mode',
  'create_db_user',
  'create_desktop_user',
];

/** One sentence for each option of a role that is kept and not enforced. */
export const notEnforcedIn = ({ name, options }: Pick<Role, 'name' | 'options'>): readonly string[] =>
  [
    ...optionsNotEnforced.filter(option => options[option] !== undefined),
    ...(options.enhanced_recording ?? []).filter(kind => kind !== 'command').map(kind => `enhanced_recording: ${kind}`),
  ].map(option => `role ${name}: spec.options.${option} is kept, not enforced yet`);
