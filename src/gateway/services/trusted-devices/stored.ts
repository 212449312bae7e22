// A trusted device as the store keeps it, and as it is read back. Its title is its asset tag, its subtype the system that it runs.
import * as z from 'zod/mini';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import { keyPlaces, type OsType, osType, type TrustedDevice } from '../../../contract/trusted-devices.ts';
import type { DeviceFacts, FindDevice } from '../../ports/who.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';

const spec = z.object({
  /** Absent: nobody has enrolled it. */
  enrolled: z.optional(
    z.object({
      /** Id of the user whose device it is. */
      userId: z.string(),
      /** SPKI of its key, base64url, and the SHA-256 of it, hex; of WebAuthn the COSE key and the id of the credential, both base64url. */
      publicKey: z.string(),
      credentialId: z.string(),
      keyIn: z.enum(keyPlaces),
      /** Of WebAuthn: how often the authenticator says that it was used. A copy of it falls behind. */
      counter: z.optional(z.number()),
      /** RFC 3339. */
      at: z.string(),
    }),
  ),
  /** SHA-256 of the secret of its enrol token, hex, and until when it counts. */
  token: z.optional(z.object({ hash: z.string(), expires: z.string() })),
});
export type DeviceSpec = z.output<typeof spec>;
export type Enrolled = NonNullable<DeviceSpec['enrolled']>;

/** A device and what is kept of it. */
export interface StoredDevice {
  readonly row: Resource;
  readonly spec: DeviceSpec;
  readonly osType: OsType;
}

/** Null for a row that holds no device. */
export function readDevice(row: Resource): StoredDevice | null {
  const read = z.safeParse(spec, row.spec);
  const os = z.safeParse(osType, row.subtype);
  return read.success && os.success ? { row, spec: read.data, osType: os.data } : null;
}

export const newDevice = (name: string, os: OsType, tag: string): NewResource => ({
  kind: 'device',
  name,
  title: tag,
  description: '',
  address: '',
  subtype: os,
  labels: {},
  words: [],
  spec: {} satisfies DeviceSpec,
  expires: null,
});

/** What is said of a device wherever it is used. */
export const factsOf = ({ row, spec: { enrolled }, osType }: StoredDevice): DeviceFacts => ({
  id: row.name,
  osType,
  assetTag: row.title,
  credentialId: enrolled?.credentialId ?? '',
});

/** `owner`: the present name of whose it is. */
export const shownDevice = (
  { row, spec: { enrolled, token }, osType }: StoredDevice,
  owner: string,
  locked: string | null,
  now: Date,
): TrustedDevice => ({
  id: row.name,
  os_type: osType,
  asset_tag: row.title,
  enroll_status: enrolled ? 'enrolled' : 'not_enrolled',
  create_time: row.created.toISOString(),
  update_time: row.updated.toISOString(),
  owner,
  ...(enrolled && {
    credential: { id: enrolled.credentialId },
    enroll_time: enrolled.at,
    key_in: enrolled.keyIn,
  }),
  ...(token && Date.parse(token.expires) > now.getTime() && { token_expires: token.expires }),
  ...(locked !== null && { locked }),
});

/** What makes a row a device, beside its name. Who has enrolled it stays what it was: a document says nothing of that. */
export const deviceColumns = (
  { spec: given }: ResourceDocument<'device'>,
  before: Resource | null,
): Partial<NewResource> => ({
  title: given.asset_tag,
  subtype: given.os_type,
  spec: (before && readDevice(before)?.spec) ?? {},
});

/** The spec that a document shows. */
export function writtenDevice(resource: Resource): object {
  const kept = readDevice(resource);
  if (!kept) return {};
  const { enrolled } = kept.spec;
  return {
    os_type: kept.osType,
    asset_tag: resource.title,
    enroll_status: enrolled ? 'enrolled' : 'not_enrolled',
    ...(enrolled && { credential: { id: enrolled.credentialId } }),
  };
}

/** What web sessions and the watch over what runs ask. */
export const createFindDevice =
  (resources: Pick<Resources, 'get'>): FindDevice =>
  async (device, userId) => {
    if (device === '') return null;
    const row = await resources.get('device', device);
    const kept = row && readDevice(row);
    return kept?.spec.enrolled?.userId === userId ? factsOf(kept) : null;
  };
