// The key that the gateway's SSH port shows. All gateways of a store have the same, so that people and tunnels pin one.
import { once, type SharedKeyParts, sharedKey } from '../../../shared-key.ts';

const SETTING = 'ssh.port_host_key';
/** The SSH engine takes some 10 MB: it comes with the first connection. */
const loadEngine = async () => (await import('ssh2')).default;

export interface PortHostKey {
  /** As OpenSSH keeps private keys. */
  readonly privateKey: string;
  /** One line, algorithm and key, as known_hosts files have it. */
  readonly line: string;
}

/** It rejects when what is stored is no key, or was sealed by another store's key. */
export const createPortHostKey = (parts: SharedKeyParts): (() => Promise<PortHostKey>) =>
  once(async () => {
    const { utils } = await loadEngine();
    const privateKey = await sharedKey(parts, SETTING, () => newKey(utils))();
    const line = lineOf(utils, privateKey);
    if (line === null) throw new Error(`setting ${SETTING} of the store is not a private key`);
    return { privateKey, line };
  });

/** A new key of the same kind, for whoever dials such a port. */
export async function newDialKey(): Promise<PortHostKey> {
  const { utils } = await loadEngine();
  const privateKey = newKey(utils);
  return { privateKey, line: lineOf(utils, privateKey) ?? '' };
}

type Utils = Awaited<ReturnType<typeof loadEngine>>['utils'];
/** One in some 250 of the engine's new keys cannot be read by itself: such a key would close the port for good. */
function newKey(utils: Utils): string {
  for (;;) {
    const made = utils.generateKeyPairSync('ed25519').private;
    if (!(utils.parseKey(made) instanceof Error)) return made;
  }
}
function lineOf(utils: Utils, privateKey: string): string | null {
  const read = utils.parseKey(privateKey);
  return read instanceof Error ? null : `${read.type} ${read.getPublicSSH().toString('base64')}`;
}
