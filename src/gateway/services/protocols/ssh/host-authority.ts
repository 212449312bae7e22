// The gateway's host authority: certifies the host keys of servers that join, so that people's own SSH clients need know one key.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { type SharedKeyParts, sharedKey } from '../../shared-key.ts';
import { issueHostCertificate } from './certificate.ts';
import { parsePublicKey } from './host-key.ts';

const SETTING = 'ssh.host_ca';
/** Clocks of hosts may be this far behind ours. */
const BACKDATE_MS = 60_000;
/** Nothing renews them: as long as the other authorities' own certificates. */
const LIFE_MS = 10 * 365 * 24 * 3_600_000;

export interface HostAuthority {
  /** The certificate of a host key, one line. Throws Failure bad_request for a line that is no public key. */
  certify(hostKey: string, names: readonly string[]): Promise<string>;
}

/** Makes the key when it is first needed. Gateways that share a store get the same one. */
export function createHostAuthority(parts: SharedKeyParts): HostAuthority {
  const made = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key = sharedKey(parts, SETTING, made);
  return {
    async certify(hostKey, names) {
      const { blob: subject } = parsePublicKey(hostKey);
      const now = Date.now();
      const { type, certificate } = issueHostCertificate({
        ca: createPrivateKey(await key()),
        subject,
        keyId: `host=${names[0] ?? ''}`,
        principals: names,
        validAfter: new Date(now - BACKDATE_MS),
        validBefore: new Date(now + LIFE_MS),
      });
      return `${type} ${certificate.toString('base64')}`;
    },
  };
}
