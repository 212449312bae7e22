// The gateway's own user authority: signs the short-lived certificate that each session logs in with.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Settings } from '../../../store/store.ts';
import { ED25519, issueUserCertificate, KEY_ID_MOST_BYTES, publicBlob } from './certificate.ts';

const SETTING = 'ssh.user_ca';
/** Clocks of hosts may be this far behind ours. */
const BACKDATE_MS = 60_000;
/** Long enough to log in over a slow line, short enough to be worth nothing afterwards. */
const LIFE_MOST_MS = 5 * 60_000;
/** A pty and nothing else unless it is asked for: no forwarding of ports, agent or X11, no rc file. */
const EXTENSIONS = ['permit-pty'];

/** Who logs in where, for one session. */
interface CredentialRequest {
  readonly user: string;
  readonly sid: string;
  readonly login: string;
  /** The certificate lives at most this long, ms, and never longer than five minutes. */
  readonly ttlMs: number;
  /** What it allows beyond a terminal, such as `permit-port-forwarding`. */
  readonly extensions?: readonly string[];
  /** Extensions that roles give, by name, each with its value: what they mean is the host's affair. */
  readonly certExtensions?: Readonly<Record<string, string>> | undefined;
}

/** A key made for one session, with its certificate. Kept in memory only. */
interface Credential {
  readonly privateKey: KeyObject;
  /** Blob of the certificate, as it goes over the wire. */
  readonly certificate: Buffer;
  /** Nobody logs in with it from then on. */
  readonly expires: Date;
}

export interface Authority {
  /** The line for a host's TrustedUserCAKeys file. */
  trustedUserCaLine(): string;
  /** A fresh key and its certificate. Throws when `ttlMs` is not positive or the login is empty. */
  issue(request: CredentialRequest): Credential;
}

/** Control characters would break the host's log, and an endless name the certificate. */
function keyIdOf(user: string, sid: string): string {
  const clean = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
  const end = ` session=${clean(sid)}`;
  const space = KEY_ID_MOST_BYTES - Buffer.byteLength(`user=${end}`);
  let name = clean(user).slice(0, space);
  while (Buffer.byteLength(name) > space) name = name.slice(0, -1);
  return `user=${name}${end}`;
}

/** An authority over a private key that is already there. */
export function createAuthority(ca: KeyObject, clusterName: string): Authority {
  const line = `${ED25519} ${publicBlob(createPublicKey(ca)).toString('base64')} postern-${clusterName.replace(/\s+/g, '-')}`;
  return {
    trustedUserCaLine: () => line,
    issue({ user, sid, login, ttlMs, extensions = [], certExtensions = {} }) {
      if (!(ttlMs > 0)) throw new Error('the session has no time left');
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const now = Date.now();
      const expires = new Date(now + Math.min(ttlMs, LIFE_MOST_MS));
      const certificate = issueUserCertificate({
        ca,
        subjectPublicKey: publicKey,
        keyId: keyIdOf(user, sid),
        principal: login,
        validAfter: new Date(now - BACKDATE_MS),
        validBefore: expires,
        extensions: [...EXTENSIONS, ...extensions],
        valuedExtensions: certExtensions,
      });
      return { privateKey, certificate, expires };
    },
  };
}

/**
 * Opens the authority of this cluster, making its key at the first start. Gateways that share a store get the same one.
 * `clusterName` is only the comment of the public line. Throws when what is stored is not an Ed25519 key.
 */
export async function openAuthority(
  settings: Pick<Settings, 'get' | 'putIfAbsent'>,
  clusterName = 'gateway',
): Promise<Authority> {
  const kept =
    (await settings.get(SETTING)) ??
    (await settings.putIfAbsent(
      SETTING,
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ));
  return createAuthority(readKey(kept), clusterName);
}

function readKey(kept: unknown): KeyObject {
  try {
    if (typeof kept === 'string') {
      const key = createPrivateKey(kept);
      if (key.asymmetricKeyType === 'ed25519') return key;
    }
  } catch {
    // Falls through to the one sentence below: the parser's own words could quote the key.
  }
  throw new Error(`setting ${SETTING} of the store is not an Ed25519 private key (PKCS#8 PEM)`);
}
