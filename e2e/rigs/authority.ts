// A certificate authority of a test's own, for servers and clients of other projects.
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const LIFE_MS = 24 * 3_600_000;

/** PEM both. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}
export interface TestAuthority {
  /** PEM. */
  readonly certificate: string;
  /** A certificate for a client or, with names or addresses, for a server too. `group` is the organisation it names. */
  issue(name: string, as?: { readonly group?: string; readonly hosts?: readonly string[] }): Promise<Issued>;
}

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
const life = () => ({ notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + LIFE_MS) });
const serialNumber = () => `01${randomBytes(8).toString('hex')}`;
const pem = (certificate: x509.X509Certificate): string => `${certificate.toString('pem')}\n`;

export async function createTestAuthority(name: string): Promise<TestAuthority> {
  const keys = await newKeys();
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${name}`,
    ...life(),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    certificate: pem(own),
    async issue(subject, { group, hosts = [] } = {}) {
      const { publicKey, privateKey } = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: [{ CN: [subject] }, ...(group === undefined ? [] : [{ O: [group] }])],
        issuer: own.subject,
        ...life(),
        signingAlgorithm: ALGORITHM,
        publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth, x509.ExtendedKeyUsage.serverAuth]),
          ...(hosts.length === 0
            ? []
            : [
                new x509.SubjectAlternativeNameExtension(
                  hosts.map(value => ({ type: (/^[\d.]+$/.test(value) ? 'ip' : 'dns') as 'ip' | 'dns', value })),
                ),
              ]),
        ],
      });
      const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
      return {
        certificate: pem(certificate),
        key: `-----BEGIN PRIVATE KEY-----\n${bytes}\n-----END PRIVATE KEY-----\n`,
      };
    },
  };
}
