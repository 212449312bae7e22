// Several gateways may share a store, and each lists the machine it runs on: a shell on one of those is opened by its own gateway alone.
import type { FilesConnector } from '../../ports/files.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { Connector, Target } from '../../ports/servers.ts';

/** `local` opens shells and files on this machine, the server `gatewayId`. Throws ConnectError not_permitted for the machine of another gateway. */
type LocalConnector = Connector & FilesConnector;
export function createOwnMachine(local: LocalConnector, gatewayId: string): LocalConnector {
  function refuseOthers(target: Target): void {
    if (target.id !== gatewayId)
      throw new ConnectError(
        'not_permitted',
        `${target.hostname} is the machine of another gateway, "${target.hostname}" (${target.id}): its shells and files can only be reached there.`,
      );
  }
  return {
    async open(target, request) {
      refuseOthers(target);
      return local.open(target, request);
    },
    async files(target, request) {
      refuseOthers(target);
      return local.files(target, request);
    },
  };
}
