// A stored desktop as sessions and protocols need it.
import { isPort, readAddress } from '../../../../contract/address.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { DesktopTarget } from '../../../ports/desktops.ts';
import type { Rights } from '../../../ports/rights.ts';
import type { Resources } from '../../../store/store.ts';

/** A desktop that somebody's roles select. Throws Failure not_found, also where none do; bad_request for an address that is none. */
export async function desktopTarget(
  resources: Pick<Resources, 'get'>,
  rights: Pick<Rights, 'selects'>,
  name: string,
): Promise<DesktopTarget> {
  const found = await resources.get('windows_desktop', name);
  if (!found || !rights.selects('windows_desktop', found.labels))
    throw new Failure('not_found', `"${name}" was not found`);
  const { address, labels, subtype } = found;
  const { host = '', port } = readAddress(address) ?? {};
  if (port === null || port === undefined || !isPort(port))
    throw new Failure('bad_request', `the address of ${name}, ${address}, is no host:port`);
  return { name, protocol: subtype === 'vnc' ? 'vnc' : 'rdp', address, host, port, labels };
}
