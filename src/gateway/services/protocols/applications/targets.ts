// Applications as the store has them, found by name and by the host that a browser asks for.
import * as z from 'zod/mini';
import { Failure } from '../../../../contract/failure.ts';
import type { ApplicationTarget } from '../../../ports/applications.ts';
import type { Resource, Resources } from '../../../store/store.ts';
import { applicationHost } from '../../application-host.ts';
import { allOf } from '../../lists.ts';

/** Addresses of their own that applications have are read again no sooner than this, ms. */
const FRESH_MS = 1000;

/** A web application, with all that is needed to pass requests on to it. */
export interface WebApplication extends ApplicationTarget {
  /** http or https. */
  readonly url: URL;
  /** Headers that it is sent, in place of what the browser sent. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Hosts by which it calls itself in redirects, beside its own. */
  readonly redirects: readonly string[];
  /** PEM: who vouches for its certificate; null: whom everybody knows. */
  readonly authorities: string | null;
}
export interface ApplicationTargets {
  /** Whether a host is none of the console's: applications alone are there, or nothing. */
  isBelow(host: string): boolean;
  /** Null where there is none at this host. Throws Failure as `named` does. */
  at(host: string): Promise<WebApplication | null>;
  /** Null where there is none. Throws Failure unsupported for one that browsers do not come to. */
  named(name: string): Promise<WebApplication | null>;
}

const spec = z.object({
  uri: z.string(),
  rewrite: z.optional(
    z.object({
      headers: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
      redirect: z.optional(z.array(z.string())),
    }),
  ),
  tls: z.optional(z.object({ ca_cert: z.optional(z.string()) })),
  saml: z.optional(z.unknown()),
});

/** `publicUrl`: address of the console. */
export function createApplicationTargets(
  resources: Pick<Resources, 'get' | 'list'>,
  publicUrl: string,
): ApplicationTargets {
  const { hostname } = new URL(publicUrl);
  const below = `.${hostname}`;
  let known: Promise<ReadonlyMap<string, string>> | undefined;
  let knownAt = 0;

  /** Names of the applications with an address of their own, by that. */
  function byAddress(): Promise<ReadonlyMap<string, string>> {
    if (!known || Date.now() - knownAt > FRESH_MS) {
      knownAt = Date.now();
      known = allOf(resources, 'app').then(
        apps => new Map(apps.flatMap(({ name, address }) => (address === '' ? [] : [[address.toLowerCase(), name]]))),
      );
      known.catch(() => {
        known = undefined;
      });
    }
    return known;
  }
  async function named(name: string): Promise<WebApplication | null> {
    const found = await resources.get('app', name);
    return found && readApplication(found, publicUrl);
  }
  return {
    isBelow: host => host.endsWith(below),
    named,
    async at(host) {
      // The console is never an application, whatever somebody writes of one.
      if (host === hostname) return null;
      const name = (await byAddress()).get(host);
      if (name !== undefined) return named(name);
      const label = host.endsWith(below) ? host.slice(0, -below.length) : '';
      const found = label === '' || label.includes('.') ? null : await named(label);
      // One with an address of its own is nowhere else: its cookies are for that host.
      return found?.publicAddr === host ? found : null;
    },
  };
}

function readApplication(resource: Resource, publicUrl: string): WebApplication {
  const { name, labels } = resource;
  const read = z.safeParse(spec, resource.spec);
  if (!read.success) throw new Failure('internal', `what is stored of application ${name} cannot be read`);
  const { uri, rewrite, tls, saml } = read.data;
  if (saml !== undefined)
    throw new Failure('unsupported', `${name} takes people in by SAML: its requests do not go through the gateway`);
  if (!/^https?:/.test(uri))
    throw new Failure('unsupported', `${name} is at ${uri}, which is no web address: browsers cannot come to it`);
  return {
    name,
    uri,
    url: new URL(uri),
    publicAddr: applicationHost({ ...resource, uri }, publicUrl),
    labels,
    headers: rewrite?.headers ?? [],
    redirects: rewrite?.redirect ?? [],
    authorities: tls?.ca_cert ?? null,
  };
}
