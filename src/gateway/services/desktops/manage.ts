// Desktops that people add, change and remove one by one.
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { Who } from '../../ports/who.ts';
import { createOneByOne, type OneByOne, type OneByOneParts } from '../one-by-one.ts';

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
}

export function createManagedDesktops(parts: OneByOneParts): ManagedDesktops {
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
    remove: ones.remove,
  };
}
