// Several gateways may share a store, and each lists the machine it runs on: a shell on one of those is opened by its own gateway alone.
import { ConnectError, type Connector } from '../../ports.ts';

/** `local` opens shells on this machine, the server `gatewayId`. Throws ConnectError not_permitted for the machine of another gateway. */
export function createOwnMachine(local: Connector, gatewayId: string): Connector {
  return {
    async open(target, request) {
      if (target.id !== gatewayId)
        throw new ConnectError(
          'not_permitted',
          `${target.hostname} is the machine of another gateway, "${target.hostname}" (${target.id}): a shell on it can only be opened there.`,
        );
      return local.open(target, request);
    },
  };
}
