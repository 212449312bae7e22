// Headers between a person's client and the API of a cloud: who asks is the gateway's to say, and nothing of what it says comes back.
import { type CloudHosts, type CloudPlace, patternOf } from './cloud-hosts.ts';

/** Between two neighbours only (RFC 9110, section 7.6.1), and what the gateway answers itself. */
const HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|host)$/;
/**
 * Who asks, also on behalf of whom, and by which other method: what is written down is what the cloud does. Cookies are nothing that a client of an API has.
 */
const OURS =
  /^(authorization|cookie|forwarded|x-forwarded-.*|x-real-ip|origin|referer|x-ms-authorization-.*|x-goog-iam-auth.*|x-goog-iap-.*|x-goog-authenticated-.*|x-goog-api-key|x-http-method.*|x-method-override|metadata|metadata-flavor)$/;
const KEPT_BACK =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|set-cookie|clear-site-data|alt-svc|strict-transport-security)$/;
/** Addresses that clients follow: of what has moved, and of work that goes on (Azure, "asynchronous operations"). */
const FOLLOWED = /^(location|content-location|azure-asyncoperation|operation-location)$/;

/** Headers for the cloud, name and value by turns. */
export function cloudRequestHeaders(raw: readonly string[], host: string, token: string, hasBody: boolean): string[] {
  const dropped = new Set<string>();
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]?.toLowerCase() === 'connection')
      for (const one of (raw[at + 1] ?? '').split(',')) dropped.add(one.trim().toLowerCase());
  const headers = ['Host', host];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    const known = name.toLowerCase().replaceAll('_', '-');
    const isLength = known === 'content-length' && hasBody;
    if ((HOP.test(known) && !isLength) || OURS.test(known) || dropped.has(known)) continue;
    headers.push(name, value);
  }
  headers.push('Authorization', `Bearer ${token}`);
  return headers;
}

/** Headers for the client, name and value by turns: addresses of the cloud's hosts lead through the gateway again. */
export function cloudAnswerHeaders(raw: readonly (Buffer | string)[], place: CloudPlace, hosts: CloudHosts): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = String(raw[at]);
    const value = (raw[at + 1] ?? '').toString('latin1');
    const known = name.toLowerCase();
    if (KEPT_BACK.test(known)) continue;
    headers.push(name, FOLLOWED.test(known) ? through(value, place, hosts) : value);
  }
  return headers;
}

function through(value: string, place: CloudPlace, hosts: CloudHosts): string {
  const [, host = '', rest = ''] = /^https:\/\/([^/?#]+)(.*)$/i.exec(value) ?? [];
  if (value.startsWith('/') && !value.startsWith('//')) return `${place.address(place.host)}${value}`;
  return patternOf(host.toLowerCase(), hosts) === undefined ? value : `${place.address(host.toLowerCase())}${rest}`;
}
