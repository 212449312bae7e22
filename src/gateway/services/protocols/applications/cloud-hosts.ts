// Where a request to the API of a cloud goes: to a host of that cloud, over TLS, and nowhere else.

/** Hosts of a cloud: names, and `*.` before one for all below it. */
export type CloudHosts = readonly string[];

/** Names of hosts alone: no port, no user, nothing encoded, no dot at the end. */
const HOST = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const OWN_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** The pattern that a host fits; undefined: it is none of the cloud's. */
export const patternOf = (host: string, hosts: CloudHosts): string | undefined =>
  HOST.test(host) && host.length <= 253
    ? hosts.find(one => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))
    : undefined;

export interface CloudPlace {
  readonly host: string;
  /** With its query. */
  readonly path: string;
  /** How the client writes addresses that come here, for a host: what the cloud answers as one of its own is written so. */
  address(host: string): string;
}

/**
 * Three ways to say a host: as the first part of the path at a port of one's own machine, as a proxy is asked, and in the header `Host`. Null: none is
 * said, or one that is no host. What browsers are led to by names of strangers (DNS rebinding) is none of the cloud's, and so refused.
 */
export function cloudPlace(url: string, hostHeader: string): CloudPlace | null {
  const proxied = /^https?:\/\/([^/?#]*)([^#]*)$/i.exec(url);
  const [, host = '', rest = ''] = proxied ?? /^\/([^/?#]*)([^#]*)$/.exec(url) ?? [];
  const isProxied = proxied !== null;
  if (isProxied || OWN_MACHINE.test(hostHeader)) {
    const plain = host.toLowerCase();
    return HOST.test(plain)
      ? {
          host: plain,
          path: rest.startsWith('/') ? rest : `/${rest}`,
          address: to => (isProxied ? `http://${to}` : `http://${hostHeader}/${to}`),
        }
      : null;
  }
  const plain = hostHeader.toLowerCase();
  return HOST.test(plain) && url.startsWith('/') ? { host: plain, path: url, address: to => `http://${to}` } : null;
}
