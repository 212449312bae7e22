// Applications that are the API of a cloud: which there are, and whom somebody may be in one.

/** Address of an application -> the cloud whose API it is. */
const CLOUD = /^cloud:\/\/(azure|gcp)\/?$/i;

export type CloudProvider = 'azure' | 'gcp';
/** Null for what is not the API of a cloud that people are somebody in. */
export const cloudOf = (uri: string): CloudProvider | null =>
  (CLOUD.exec(uri)?.[1]?.toLowerCase() as CloudProvider | undefined) ?? null;

/** What clouds are called, who somebody is in one, the key of roles that says who, and the flag of the command line that chooses. */
export const cloudWords = {
  azure: {
    cloud: 'Azure',
    identity: 'a managed identity of Azure',
    key: 'azure_identities',
    flag: '--azure-identity',
  },
  gcp: {
    cloud: 'Google Cloud',
    identity: 'a service account of Google Cloud',
    key: 'gcp_service_accounts',
    flag: '--gcp-service-account',
  },
} as const;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const shapes: Readonly<Record<CloudProvider, RegExp>> = {
  // A resource ID of Azure, or the client ID of the identity.
  azure: new RegExp(
    `^(?:/subscriptions/${UUID}/resourcegroups/[\\w().-]{1,90}/providers/microsoft\\.managedidentity/userassignedidentities/[\\w-]{3,128}|${UUID})$`,
    'i',
  ),
  gcp: /^[a-z0-9][a-z0-9-]{0,63}@[a-z0-9][a-z0-9.-]{0,190}\.gserviceaccount\.com$/,
};
/** Whether a text names one that there could be; `*`, which means any, names none. */
export const isCloudIdentity = (provider: CloudProvider, text: string): boolean => shapes[provider].test(text);

/** The spelling by which two names of the same are compared: Azure tells no case apart. */
export const plainCloudIdentity = (provider: CloudProvider, text: string): string =>
  provider === 'azure' ? text.toLowerCase() : text;
