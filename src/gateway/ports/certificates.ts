// The certificate authorities of the cluster.
/** What each certificate authority of the cluster vouches for: who trusts one of them trusts nothing else of ours. */
export type CertificatePurpose = 'people' | 'gateway' | 'databaseClients' | 'databaseServers';

/** What an X.509 certificate is to say. */
interface CertificateRequest {
  readonly name: string;
  readonly ends: Date;
  readonly for: 'client' | 'server';
  readonly uris?: readonly string[];
  /** Names and IP addresses. */
  readonly hosts?: readonly string[];
  /** PEM (SPKI), P-256. Absent: a key is made. */
  readonly publicKey?: string;
}

/** The certificate authorities (services/certificates). */
export interface CertificateSigner {
  /** Certificate of an authority, PEM. It is made at its first use; gateways that share a store have the same one. */
  authority(purpose: CertificatePurpose): Promise<string>;
  /** PEM each; `privateKey` is empty where the public key was given. Throws Failure bad_request for one that is none of P-256. */
  issue(
    purpose: CertificatePurpose,
    request: CertificateRequest,
  ): Promise<{ readonly certificate: string; readonly privateKey: string }>;
}
