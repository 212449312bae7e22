// Certificate authorities of the cluster (X.509): one for each purpose, so that whoever trusts one of them trusts nothing else of ours.
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type * as x509 from '@peculiar/x509';
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import type { CertificatePurpose, CertificateSigner } from '../../ports/certificates.ts';
import type { Settings } from '../../store/store.ts';

/** As the certificate of each authority calls it. */
const purposes: Readonly<Record<CertificatePurpose, string>> = {
  /** People, to the gateway's own port for database clients. */
  people: 'people',
  /** That port, to people. */
  gateway: 'gateway',
  /** The gateway in the name of a database user, to databases. */
  databaseClients: 'database clients',
  /** Databases, to the gateway. */
  databaseServers: 'database servers',
};

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const SERIAL_BYTES = 16;
const YEAR_MS = 365 * 24 * 3_600_000;
/** An authority lasts this long: what trusts it is set up by hand, ms. */
const AUTHORITY_LIFE_MS = 10 * YEAR_MS;
/** Clocks of others may be this far behind ours, ms. */
const BACKDATE_MS = 60_000;

/** Loaded with the first certificate that is written or read; the library asks for the other one before it. */
async function loadX509(): Promise<typeof x509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

const stored = z.object({ certificate: z.string(), key: z.string() });

export interface CertificateParts {
  readonly settings: Pick<Settings, 'get' | 'putIfAbsent'>;
  readonly secrets: {
    seal(secret: string, place: string): Promise<string>;
    open(sealed: string, place: string): string;
  };
  readonly clusterName: string;
  readonly clock?: () => Date;
}
interface Authority {
  readonly certificate: x509.X509Certificate;
  readonly key: CryptoKey;
}

export function createCertificates(parts: CertificateParts): CertificateSigner {
  const { settings, secrets, clusterName, clock = () => new Date() } = parts;
  const open = new Map<CertificatePurpose, Promise<Authority>>();

  async function load(purpose: CertificatePurpose): Promise<Authority> {
    const place = `certificates.${purpose}`;
    const kept = (await settings.get(place)) ?? (await settings.putIfAbsent(place, await make(purpose, place)));
    const read = z.safeParse(stored, kept);
    if (!read.success) throw new Error(`setting ${place} of the store is not a certificate authority`);
    const { certificate, key } = read.data;
    const { PemConverter, X509Certificate } = await loadX509();
    const bytes = PemConverter.decodeFirst(secrets.open(key, place));
    return {
      certificate: new X509Certificate(certificate),
      key: await crypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign']),
    };
  }
  async function make(purpose: CertificatePurpose, place: string): Promise<z.infer<typeof stored>> {
    const library = await loadX509();
    const keys = await newKeys();
    const now = clock().getTime();
    const certificate = await library.X509CertificateGenerator.createSelfSigned({
      serialNumber: newSerial(),
      name: [{ O: [clusterName] }, { CN: [`Postern ${purposes[purpose]}`] }],
      notBefore: new Date(now - BACKDATE_MS),
      notAfter: new Date(now + AUTHORITY_LIFE_MS),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new library.BasicConstraintsExtension(true, 0, true),
        new library.KeyUsagesExtension(library.KeyUsageFlags.keyCertSign | library.KeyUsageFlags.cRLSign, true),
        await library.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return { certificate: pem(certificate), key: await secrets.seal(await privatePem(keys.privateKey), place) };
  }
  function authorityOf(purpose: CertificatePurpose): Promise<Authority> {
    const known = open.get(purpose);
    if (known) return known;
    const loading = load(purpose);
    open.set(purpose, loading);
    // What could not be read now may be there at the next use.
    loading.catch(() => open.delete(purpose));
    return loading;
  }

  return {
    authority: async purpose => pem((await authorityOf(purpose)).certificate),
    async issue(purpose, request) {
      const { certificate: issuer, key } = await authorityOf(purpose);
      const library = await loadX509();
      const keys = request.publicKey === undefined ? await newKeys() : null;
      const publicKey = keys?.publicKey ?? (await importPublic(request.publicKey ?? ''));
      const usage = library.ExtendedKeyUsage[request.for === 'server' ? 'serverAuth' : 'clientAuth'];
      const names = [
        ...(request.hosts ?? []).map(value => ({
          type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
          value,
        })),
        ...(request.uris ?? []).map(value => ({ type: 'url' as const, value })),
      ];
      const certificate = await library.X509CertificateGenerator.create({
        serialNumber: newSerial(),
        subject: [{ CN: [request.name] }],
        issuer: issuer.subjectName.toJSON(),
        notBefore: new Date(clock().getTime() - BACKDATE_MS),
        notAfter: request.ends,
        signingAlgorithm: ALGORITHM,
        publicKey,
        signingKey: key,
        extensions: [
          new library.BasicConstraintsExtension(false),
          new library.KeyUsagesExtension(library.KeyUsageFlags.digitalSignature, true),
          new library.ExtendedKeyUsageExtension([usage]),
          await library.AuthorityKeyIdentifierExtension.create(issuer),
          ...(names.length > 0 ? [new library.SubjectAlternativeNameExtension(names)] : []),
        ],
      });
      return { certificate: pem(certificate), privateKey: keys ? await privatePem(keys.privateKey) : '' };
    },
  };
}

const newKeys = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
/** Positive whatever the random bytes are. */
const newSerial = (): string => `01${randomBytes(SERIAL_BYTES - 1).toString('hex')}`;
/** With the line end that OpenSSL needs where certificates follow each other. */
const pem = (certificate: x509.X509Certificate): string => `${certificate.toString('pem')}\n`;
const privatePem = async (key: CryptoKey): Promise<string> =>
  `${(await loadX509()).PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;

async function importPublic(text: string): Promise<CryptoKey> {
  const { PemConverter } = await loadX509();
  try {
    return await crypto.subtle.importKey('spki', PemConverter.decodeFirst(text), ALGORITHM, true, ['verify']);
  } catch {
    throw new Failure('bad_request', 'a public key of P-256 is needed (PEM, SPKI)');
  }
}
