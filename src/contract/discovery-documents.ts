// Where desktops are found by themselves, as people write it in YAML: a directory that is asked by LDAP which computers there are.
import * as z from 'zod/mini';
import { hostAndPort } from './address.ts';
import { described, metadata, shortText } from './document-parts.ts';
import { parseDuration } from './duration.ts';
import { desktopProtocol } from './resources.ts';
import { visible, visibleLines } from './visible-text.ts';

/** A directory is asked no more often, and no less, ms. */
const INTERVAL_LEAST_MS = 60_000;
const INTERVAL_MOST_MS = 24 * 60 * 60_000;
/** Unless said otherwise. */
export const DISCOVERY_INTERVAL = '10m';
/** Desktops that one directory gives at most. */
export const DISCOVERED_MOST = 10_000;

/** A distinguished name, an account such as alice@example.com, or a filter. */
const name = z.string().check(z.minLength(1, 'not empty'), z.maxLength(1024, 'at most 1024 characters'), visible);
const interval = z.string().check(
  z.refine(text => {
    const ms = parseDuration(text);
    return ms !== undefined && ms >= INTERVAL_LEAST_MS && ms <= INTERVAL_MOST_MS;
  }, 'a duration from 1m to 24h'),
);
/** RFC 4512, section 1.4. */
const attribute = z
  .string()
  .check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'the name of an attribute, such as location'));

/** Which directory, as whom it is asked, and what becomes of its computers. */
export const discoverySpec = z.strictObject({
  ldap: z.strictObject({
    address: described('host:port of the directory; without a port 636, or 389 with starttls.', hostAndPort),
    tls: z._default(
      described(
        'How the connection is encrypted: from its first byte, or from STARTTLS on.',
        z.enum(['ldaps', 'starttls']),
      ),
      'ldaps',
    ),
    ca_cert: z.optional(
      described(
        'PEM: the authority of its certificate, or that certificate itself; no other is trusted then.',
        z
          .string()
          .check(
            z.maxLength(65_536, 'at most 65536 characters'),
            z.regex(/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/, 'PEM certificates'),
            visibleLines,
          ),
      ),
    ),
    server_name: z.optional(
      described('Name that its certificate has, where that is not the host of the address.', shortText),
    ),
    bind_name: described('As whom it is asked: a distinguished name, or an account such as reader@example.com.', name),
    password: z.optional(
      described(
        'Of that account. Kept sealed, and never shown again.',
        z.string().check(z.minLength(1, 'not empty'), z.maxLength(1024, 'at most 1024 characters')),
      ),
    ),
    base: described('Where computers are looked for, such as DC=example,DC=com: there and below.', name),
    filter: z.optional(
      described('Of the computers, those that this fits (RFC 4515), such as (location=Berlin).', name),
    ),
    label_attributes: z.optional(
      described('Attributes that become labels: ldap/NAME.', z.array(attribute).check(z.maxLength(20, 'at most 20'))),
    ),
    interval: z.optional(described(`How often it is asked; else every ${DISCOVERY_INTERVAL}.`, interval)),
  }),
  protocol: z.optional(described('What its desktops speak; else rdp.', desktopProtocol)),
  labels: z.optional(
    described(
      'Every desktop that it gives has these labels as well.',
      z
        .record(
          z.string().check(z.regex(/^(?!postern\.)[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/, 'the name of a label')),
          z.string().check(z.maxLength(255, 'at most 255 characters'), visible),
        )
        .check(z.refine(map => Object.keys(map).length <= 50, 'at most 50 labels')),
    ),
  ),
});
export const discoveryDocument = z.strictObject({
  kind: z.literal('discovery_config'),
  version: z.literal('v1'),
  metadata,
  spec: discoverySpec,
});
export type DiscoverySpec = z.output<typeof discoverySpec>;
