// Desktops that people add, change and remove one by one.
import { Failure } from '../../../contract/failure.ts';
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import { createOneByOne, type OneByOne, type OneByOneParts } from '../one-by-one.ts';
import type { KeptDesktops } from './kept.ts';

interface WantedDesktop {
  readonly name: string;
  /** host or host:port */
  readonly addr: string;
  readonly protocol: DesktopProtocol;
  readonly labels: readonly Label[];
}
/** All throw Failure as `OneByOne` does. */
export interface ManagedDesktops extends Pick<OneByOne, 'remove'> {
  add(wanted: WantedDesktop, by: Who): Promise<void>;
  /** What is undefined stays. */
  change(
    name: string,
    to: { readonly [Part in 'addr' | 'protocol' | 'labels']: WantedDesktop[Part] | undefined },
    by: Who,
  ): Promise<void>;
  /** Keeps the password of a login, for whoever may use it; '' forgets it. Throws Failure not_found, limited. */
  keepPassword(name: string, login: string, password: string, by: Who): Promise<void>;
}
interface ManagedDesktopParts extends OneByOneParts {
  readonly kept: Pick<KeptDesktops, 'keepPassword' | 'forget'>;
  readonly audit: AuditLog;
}

export function createManagedDesktops(parts: ManagedDesktopParts): ManagedDesktops {
  const ones = createOneByOne(parts, 'windows_desktop', 'a desktop');
  return {
    add: ({ name, addr, protocol, labels }, by) => ones.add(name, labels, { addr, protocol }, by),
    change: (name, { addr, protocol, labels }, by) =>
      ones.change(
        name,
        labels,
        before => ({ ...before, ...(addr !== undefined && { addr }), ...(protocol !== undefined && { protocol }) }),
        by,
      ),
    async remove(name, by) {
      await ones.remove(name, by);
      await parts.kept.forget(name);
    },
    async keepPassword(name, login, password, by) {
      const found = await parts.resources.get('windows_desktop', name);
      if (!found || !by.rights.selects('windows_desktop', found.labels))
        throw new Failure('not_found', `"${name}" was not found`);
      await parts.kept.keepPassword({ name, address: found.address }, login, password);
      // The password itself stands nowhere but sealed.
      await parts.audit.emit({
        code: password === '' ? 'TJ015I' : 'TJ014I',
        user: by.user,
        'addr.remote': by.remoteAddr,
        desktop_name: name,
        desktop_addr: found.address,
        windows_user: login,
      });
    },
  };
}
