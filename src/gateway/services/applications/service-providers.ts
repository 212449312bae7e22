// Service providers of SAML that people add, change and remove one by one. Each is an application with `spec.saml`.
import { Failure } from '../../../contract/failure.ts';
import type { ServiceProvider } from '../../../contract/service-providers.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { Who } from '../../ports/who.ts';
import type { Resource } from '../../store/store.ts';
import { createOneByOne, type OneByOneParts } from '../one-by-one.ts';

type Told = Omit<ServiceProvider, 'name' | 'labels'>;
/** All throw Failure as `OneByOne` does; an application that takes no SAML is not found. */
export interface ServiceProviders {
  get(name: string, by: Who): Promise<ServiceProvider>;
  add(wanted: ServiceProvider, by: Who): Promise<void>;
  /** Labels that are undefined stay. */
  change(name: string, to: Told, labels: readonly Label[] | undefined, by: Who): Promise<void>;
  remove(name: string, by: Who): Promise<void>;
}
/** `spec.saml` of a document. */
interface Written {
  readonly entity_descriptor?: string;
  readonly entity_id?: string;
  readonly acs_url?: string;
  readonly attributes?: Told['attributes'];
  readonly relay_state?: string;
}

/** Whether what is written of an application makes it a service provider. */
export const takesSaml = (spec: unknown): boolean => (spec as { readonly saml?: unknown }).saml !== undefined;

export function createServiceProviders(parts: OneByOneParts): ServiceProviders {
  const ones = createOneByOne(parts, 'app', 'an application');
  async function found(name: string, by: Who): Promise<Resource> {
    const one = await ones.get(name, by);
    if (!takesSaml(one.spec)) throw new Failure('not_found', `"${name}" takes no SAML`);
    return one;
  }
  return {
    async get(name, by) {
      const { labels, spec } = await found(name, by);
      const { uri = '', saml = {} } = spec as { readonly uri?: string; readonly saml?: Written };
      return {
        name,
        uri,
        entityDescriptor: saml.entity_descriptor ?? '',
        entityId: saml.entity_id ?? '',
        acsUrl: saml.acs_url ?? '',
        attributes: [...(saml.attributes ?? [])],
        relayState: saml.relay_state ?? '',
        labels: ones.labelsOf(labels),
      };
    },
    add: ({ name, labels, ...told }, by) => ones.add(name, labels, specOf({}, told), by),
    async change(name, told, labels, by) {
      await found(name, by);
      await ones.change(name, labels, before => specOf(before, told), by);
    },
    async remove(name, by) {
      await found(name, by);
      await ones.remove(name, by);
    },
  };
}

/** What YAML says beside it, such as a friendly name, stays. */
function specOf(before: object, told: Told): object {
  const { uri, entityDescriptor, entityId, acsUrl, attributes, relayState } = told;
  const saml: Written = {
    ...(entityDescriptor !== '' && { entity_descriptor: entityDescriptor }),
    ...(entityId !== '' && { entity_id: entityId }),
    ...(acsUrl !== '' && { acs_url: acsUrl }),
    ...(attributes.length > 0 && { attributes }),
    ...(relayState !== '' && { relay_state: relayState }),
  };
  return { ...before, uri, saml };
}
