// Who a person may be in the API of a cloud.
import { type CloudProvider, cloudWords, isCloudIdentity } from '../../contract/cloud-applications.ts';
import type { Rights } from '../ports/rights.ts';

/** The identities that roles give in an application; what names none, such as `*`, is left out, as it is of roles of AWS. */
export const cloudIdentitiesOf = (
  rights: Pick<Rights, 'principals'>,
  provider: CloudProvider,
  labels: Readonly<Record<string, string>>,
): string[] => rights.principals(cloudWords[provider].key, labels).filter(one => isCloudIdentity(provider, one));
