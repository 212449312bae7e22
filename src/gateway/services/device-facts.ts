// The trusted device that somebody is signed in from, and who acts as them, as the audit log and certificates carry it.
import type { Who } from '../ports/who.ts';

type Person = Pick<Who, 'trustedDevice' | 'impersonator'>;

/** The fields of events; nothing for somebody who is signed in from no such device, and is who they say. */
export const deviceField = ({ trustedDevice: device, impersonator }: Person): Record<string, unknown> => ({
  ...(impersonator !== undefined && { impersonator }),
  ...(device
    ? {
        trusted_device: {
          device_id: device.id,
          os_type: device.osType,
          asset_tag: device.assetTag,
          credential_id: device.credentialId,
        },
      }
    : {}),
});

/** What certificates of sessions carry beside what is in every one: what roles say, and the device. */
export const certExtensionsOf = ({
  rights,
  trustedDevice: device,
}: Person & Pick<Who, 'rights'>): Readonly<Record<string, string>> => ({
  ...rights.options.certExtensions,
  ...(device && {
    'device-id@postern.internal': device.id,
    'device-asset-tag@postern.internal': device.assetTag,
    'device-credential-id@postern.internal': device.credentialId,
  }),
});
