// Addresses on the way into an application. Its host is the gateway's word, never the link's.

import { AWS_ROLE_QUERY } from '../../../contract/applications.ts';

/** Applications are on the console's own scheme and port. */
export function applicationOrigin({ protocol, port }: Pick<Location, 'protocol' | 'port'>, fqdn: string): string {
  return `${protocol}//${fqdn}${port === '' ? '' : `:${port}`}`;
}

/** A page of the application itself: whatever the path says, on its host. */
export function firstAddress(origin: string, path: string, query: string): string {
  const to = URL.canParse(path, origin) ? new URL(path, origin) : new URL(origin);
  if (to.origin !== origin) return `${origin}/`;
  if (query !== '') to.search = query;
  return to.href;
}

/** Where the application's host takes a browser in. */
export const handOverAddress = (origin: string, code: string, state: string, path: string): string =>
  `${origin}/x-postern-auth?${new URLSearchParams({ code, state, path })}`;

/** The role of AWS that an address of such a console's host names; '' for none. */
export const awsRoleIn = (path: string): string =>
  new URLSearchParams(path.split('?').slice(1).join('?')).get(AWS_ROLE_QUERY) ?? '';
