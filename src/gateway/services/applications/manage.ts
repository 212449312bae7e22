// Applications that people add, change and remove one by one.
import { Failure } from '../../../contract/failure.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { Who } from '../../ports/who.ts';
import { createOneByOne, type OneByOne, type OneByOneParts } from '../one-by-one.ts';
import { takesSaml } from './service-providers.ts';

interface WantedApplication {
  readonly name: string;
  readonly uri: string;
  /** '' = its name below the console's. */
  readonly publicAddr: string;
  readonly labels: readonly Label[];
}
/** All throw Failure as `OneByOne` does, and denied for a service provider of SAML, whose rights are others. */
export interface ManagedApplications extends Pick<OneByOne, 'remove'> {
  add(wanted: WantedApplication, by: Who): Promise<void>;
  /** What is undefined stays. */
  change(
    name: string,
    to: { readonly [Part in 'uri' | 'publicAddr' | 'labels']: WantedApplication[Part] | undefined },
    by: Who,
  ): Promise<void>;
}

export function createManagedApplications(parts: OneByOneParts): ManagedApplications {
  const ones = createOneByOne(parts, 'app', 'an application');
  async function refuseSaml(name: string, by: Who): Promise<void> {
    if (takesSaml((await ones.get(name, by)).spec))
      throw new Failure(
        'denied',
        `"${name}" takes people in by SAML: that is changed and removed under saml-applications, with rights on saml_idp_service_provider`,
      );
  }
  return {
    add: ({ name, uri, publicAddr, labels }, by) =>
      ones.add(name, labels, { uri, ...(publicAddr !== '' && { public_addr: publicAddr }) }, by),
    async change(name, { uri, publicAddr, labels }, by) {
      await refuseSaml(name, by);
      await ones.change(
        name,
        labels,
        spec => {
          const { public_addr, ...before } = spec as { readonly public_addr?: string };
          const address = publicAddr ?? public_addr ?? '';
          return { ...before, ...(uri !== undefined && { uri }), ...(address !== '' && { public_addr: address }) };
        },
        by,
      );
    },
    async remove(name, by) {
      await refuseSaml(name, by);
      await ones.remove(name, by);
    },
  };
}
