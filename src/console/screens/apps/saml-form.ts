// What the form of a SAML application holds, as it is typed, and what it is sent as.
import { readLabels } from '../../../../commands/servers.ts';
import type { ServiceProvider } from '../../../contract/service-providers.ts';

export interface SamlForm {
  readonly name: string;
  readonly uri: string;
  readonly entityDescriptor: string;
  readonly entityId: string;
  readonly acsUrl: string;
  /** One a line, `email: traits.email`. */
  readonly attributes: string;
  readonly relayState: string;
  /** As commands ask for them, `team=docs env=prod`. */
  readonly labels: string;
}
export type SamlFaults = { readonly [Field in keyof SamlForm]?: string };

export const formOf = (provider: ServiceProvider | null): SamlForm => ({
  name: provider?.name ?? '',
  uri: provider?.uri ?? '',
  entityDescriptor: provider?.entityDescriptor ?? '',
  entityId: provider?.entityId ?? '',
  acsUrl: provider?.acsUrl ?? '',
  attributes: (provider?.attributes ?? []).map(({ name, value }) => `${name}: ${value}`).join('\n'),
  relayState: provider?.relayState ?? '',
  labels: (provider?.labels ?? [])
    .map(({ name, value }) => `${name}=${/\s/.test(value) ? `"${value}"` : value}`)
    .join(' '),
});

const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const ATTRIBUTE = /^\s*(.+?)\s*:\s*(user\.(?:name|roles)|traits\.\S+)\s*$/;
const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '');

/** What can be sent; null and what is wrong with it, by field. */
export function readForm(form: SamlForm): { readonly read: ServiceProvider | null; readonly faults: SamlFaults } {
  const descriptor = form.entityDescriptor.trim();
  const isMetadata = descriptor !== '';
  const labels = readLabels(form.labels);
  const lines = form.attributes.split('\n').filter(line => line.trim() !== '');
  const wrong = lines.find(line => !ATTRIBUTE.test(line));
  const faults: Record<string, string> = {
    ...(!NAME.test(form.name.trim()) && { name: 'At most 63 lower-case letters, digits and dashes' }),
    ...(!isWebAddress(form.uri) && { uri: 'Type the address with its scheme, such as https://grafana.example.com' }),
    ...(isMetadata &&
      !descriptor.includes('EntityDescriptor') && { entityDescriptor: 'That holds no EntityDescriptor' }),
    ...(!isMetadata && form.entityId.trim() === '' && { entityId: 'Type it, or give the metadata' }),
    ...(!isMetadata &&
      !isWebAddress(form.acsUrl) && { acsUrl: 'Type the address with its scheme, or give the metadata' }),
    ...(wrong !== undefined && { attributes: `“${wrong.trim()}” is none: NAME: user.name, user.roles or traits.NAME` }),
    ...(typeof labels === 'string' && { labels }),
  };
  if (typeof labels === 'string' || Object.keys(faults).length > 0) return { read: null, faults };
  const read = {
    name: form.name.trim(),
    uri: form.uri.trim(),
    entityDescriptor: descriptor,
    entityId: isMetadata ? '' : form.entityId.trim(),
    acsUrl: isMetadata ? '' : form.acsUrl.trim(),
    attributes: lines.map(line => {
      const [, name = '', value = ''] = ATTRIBUTE.exec(line) ?? [];
      return { name, value };
    }),
    relayState: form.relayState.trim(),
    labels: [...labels],
  };
  return { read, faults };
}
