// Trusted devices: for whoever administers them, and for whoever enrolls and uses one.
import { OK } from '../../contract/shapes.ts';
import {
  authenticateDevice,
  createDeviceChallenge,
  createEnrollToken,
  createTrustedDevice,
  deleteTrustedDevice,
  enrollDevice,
  forgetOwnDevice,
  getDeviceTrust,
  listTrustedDevices,
  updateTrustedDevice,
} from '../../contract/trusted-devices.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveTrustedDevices(serve: Serve, { trustedDevices, config }: Services): void {
  serve(listTrustedDevices, async (_asked, who) => [...(await trustedDevices.list(who))]);
  serve(createTrustedDevice, ({ body }, who) => trustedDevices.add(body, who));
  serve(updateTrustedDevice, ({ params, body }, who) => trustedDevices.change(params.name, body, who));
  serve(deleteTrustedDevice, async ({ params }, who) => {
    await trustedDevices.remove(params.name, who);
    return OK;
  });
  serve(createEnrollToken, ({ params, body }, who) => trustedDevices.token(params.name, body.ttl, who));

  serve(getDeviceTrust, (_asked, who) => trustedDevices.of(who));
  serve(createDeviceChallenge, async ({ body }, who) => ({
    ...(await trustedDevices.challenge(who, body.purpose)),
    cluster: config.clusterName,
  }));
  serve(enrollDevice, ({ body }, who) => {
    const { token, challenge, creation, public_key = '', key_in, signature = '' } = body;
    return trustedDevices.enroll(who, {
      ...{ token, challenge },
      key: creation ? { creation } : { public_key, key_in, signature },
    });
  });
  serve(authenticateDevice, ({ body }, who) => {
    const { device, challenge, assertion, signature = '' } = body;
    return trustedDevices.authenticate(who, { device, challenge, proof: assertion ? { assertion } : { signature } });
  });
  serve(forgetOwnDevice, async ({ params }, who) => {
    await trustedDevices.forget(who, params.name);
    return OK;
  });
}
