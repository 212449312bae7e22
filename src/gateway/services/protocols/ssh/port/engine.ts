// The engine of the SSH port, and what it leaves to whoever listens: whether a log-in was really signed by the key that it shows.
import ssh2, { type PublicKeyAuthContext } from 'ssh2';
import { sshFields } from '../../wire.ts';

const CERTIFICATE = '-cert-v01@openssh.com';
/** The engine's own keep-alive is one for all connections, and leaves the socket open; ours takes its place. */
const NEVER_MS = 2 ** 31 - 1;

/** `publicKey`: the plain key, as it goes over the wire. False for signatures that cannot be read. */
export function signedBy({ key, blob, signature, hashAlgo }: PublicKeyAuthContext, publicKey: Buffer): boolean {
  if (!signature || !blob) return false;
  const type = sshFields(publicKey)?.[0]?.toString('latin1') ?? '';
  const read = ssh2.utils.parseKey(`${type} ${publicKey.toString('base64')}`);
  if (read instanceof Error) return false;
  let bare = signature;
  if (key.algo.endsWith(CERTIFICATE)) {
    // Of a certificate's signature the engine does not take off the name of the algorithm, which is that of the plain key.
    const [algorithm, rest, ...more] = sshFields(signature, 2) ?? [];
    if (algorithm?.toString('latin1') !== type || !rest || more.length > 0) return false;
    bare = rest;
  } else if (key.algo !== type) return false;
  return read.verify(blob, bare, hashAlgo) === true;
}

/** `privateKey`: as OpenSSH keeps them. It hears of no connection by itself: they are given to it. */
export const createEngine = (privateKey: string): ssh2.Server =>
  new ssh2.Server({
    hostKeys: [privateKey],
    ident: 'Postern',
    keepaliveInterval: NEVER_MS,
    algorithms: {
      kex: [
        'curve25519-sha256',
        'curve25519-sha256@libssh.org',
        'ecdh-sha2-nistp256',
        'ecdh-sha2-nistp384',
        'diffie-hellman-group16-sha512',
        'diffie-hellman-group14-sha256',
      ],
      cipher: [
        'aes128-gcm@openssh.com',
        'aes256-gcm@openssh.com',
        'chacha20-poly1305@openssh.com',
        'aes128-ctr',
        'aes256-ctr',
      ],
      hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
      compress: ['none'],
    },
  });
