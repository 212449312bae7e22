// Certificates by which people come in at the SSH port: signed by an authority of their own, and of no use anywhere else.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { Failure } from '../../../../../contract/failure.ts';
import type { AuditLog } from '../../../../ports/audit.ts';
import type { Who } from '../../../../ports/who.ts';
import { once, type SharedKeyParts, sharedKey } from '../../../shared-key.ts';
import { sshFields, sshString } from '../../wire.ts';
import { ED25519, ED25519_CERTIFICATE, issueUserCertificate, publicBlob } from '../certificate.ts';
import { parsePublicKey } from '../host-key.ts';

const SETTING = 'ssh.person_ca';
/** Long enough for a working day, ms: it counts no longer than the web session that it was made in. */
const LIFE_MOST_MS = 12 * 3_600_000;
/** Clocks of others may be this far behind ours, ms. */
const BACKDATE_MS = 60_000;
/** The web session, as an option that no other server understands: whatever else trusts this authority refuses the certificate. */
const WEB_SESSION = 'web-session@postern';
const SOURCE_ADDRESS = 'source-address';
const PRINCIPAL = 'person:';
const USER_CERTIFICATE = 1;
const CERTIFICATE_MOST_BYTES = 8192;
/** OpenSSH's SPKI head of an Ed25519 key (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** Whose certificate it is. */
interface CertifiedPerson {
  readonly userId: string;
  readonly webSessionId: string;
  /** The plain public key that it is for, as it goes over the wire. */
  readonly publicKey: Buffer;
}
export interface PersonAuthority {
  /**
   * `publicKey`: one line, Ed25519. Answers a line for a file that ssh reads as CertificateFile. Throws Failure bad_request for a key that is
   * none.
   */
  issue(who: Who, publicKey: string): Promise<{ readonly certificate: string; readonly expires: string }>;
  /** Null for a certificate that is not of this authority, or does not count from there or now. Says nothing of whether its web session goes on. */
  check(blob: Buffer, remoteAddr: string): Promise<CertifiedPerson | null>;
}

/** Makes its key when it is first needed: gateways that share a store have the same one. */
export function createPersonAuthority(
  parts: SharedKeyParts & { readonly audit: AuditLog; readonly clock: () => Date },
): PersonAuthority {
  const { audit, clock } = parts;
  const make = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const text = sharedKey(parts, SETTING, make);
  const authority = once(async () => {
    const privateKey = createPrivateKey(await text());
    return { privateKey, publicKey: createPublicKey(privateKey) };
  });
  return {
    async issue(who, line) {
      const subject = subjectOf(line);
      const { privateKey: ca } = await authority();
      const now = clock().getTime();
      const ends = new Date(Math.min(who.expires.getTime(), now + LIFE_MOST_MS));
      if (ends.getTime() <= now) throw new Failure('signed_out');
      const blob = issueUserCertificate({
        ca,
        subjectPublicKey: subject,
        keyId: `postern user ${who.user.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?').slice(0, 200)}`,
        principal: `${PRINCIPAL}${who.userId}`,
        validAfter: new Date(now - BACKDATE_MS),
        validBefore: ends,
        extensions: ['permit-agent-forwarding', 'permit-port-forwarding', 'permit-pty'],
        criticalOptions: { [WEB_SESSION]: who.webSessionId },
      });
      const identity = { user: who.user, expires: ends.toISOString(), usage: 'ssh' };
      await audit.emit({
        code: 'TC000I',
        cert_type: 'user',
        user: who.user,
        user_id: who.userId,
        'addr.remote': who.remoteAddr,
        identity,
      });
      return { certificate: `${ED25519_CERTIFICATE} ${blob.toString('base64')} postern`, expires: ends.toISOString() };
    },
    async check(blob, remoteAddr) {
      const { publicKey } = await authority();
      try {
        return read(blob, publicKey, clock(), remoteAddr);
      } catch (error) {
        // A field that is shorter than it says.
        if (error instanceof RangeError) return null;
        throw error;
      }
    },
  };
}

/** Throws Failure bad_request. */
function subjectOf(line: string): KeyObject {
  const { blob } = parsePublicKey(line);
  const [type, raw] = sshFields(blob) ?? [];
  if (type?.toString() !== ED25519 || raw?.length !== 32)
    throw new Failure('bad_request', 'a public key of Ed25519 is needed, one line as ssh-keygen writes it');
  return keyOf(raw);
}
const keyOf = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });

/** As OpenSSH's PROTOCOL.certkeys lays it out. Throws RangeError. */
function read(blob: Buffer, authority: KeyObject, now: Date, remoteAddr: string): CertifiedPerson | null {
  if (blob.length > CERTIFICATE_MOST_BYTES) return null;
  let at = 0;
  const string = (): Buffer => {
    const length = blob.readUInt32BE(at);
    if (at + 4 + length > blob.length) throw new RangeError('a field is longer than the certificate');
    at += 4 + length;
    return blob.subarray(at - length, at);
  };
  const uint64 = (): bigint => {
    at += 8;
    return blob.readBigUInt64BE(at - 8);
  };
  const type = string().toString('latin1');
  string();
  const raw = string();
  uint64();
  at += 4;
  const role = blob.readUInt32BE(at - 4);
  string();
  const principals = sshFields(string());
  const [after, before] = [uint64(), uint64()];
  const critical = sshFields(string());
  string();
  string();
  const signer = string();
  const signed = blob.subarray(0, at);
  const [algorithm, signature, ...more] = sshFields(string(), 2) ?? [];
  if (type !== ED25519_CERTIFICATE || at !== blob.length || more.length > 0 || raw.length !== 32) return null;
  if (!signer.equals(publicBlob(authority)) || algorithm?.toString('latin1') !== ED25519 || !signature) return null;
  if (!verify(null, signed, authority, signature)) return null;
  // What follows was signed by this authority.
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  if (role !== USER_CERTIFICATE || seconds < after || seconds >= before) return null;
  const [principal, another] = principals ?? [];
  if (!principal || another) return null;
  const options = optionsOf(critical);
  const webSessionId = options?.get(WEB_SESSION);
  const from = options?.get(SOURCE_ADDRESS);
  const isKnown = [...(options?.keys() ?? [])].every(name => name === WEB_SESSION || name === SOURCE_ADDRESS);
  const name = principal.toString();
  if (!webSessionId || !isKnown || !name.startsWith(PRINCIPAL)) return null;
  if (from !== undefined && !isFrom(from, remoteAddr)) return null;
  const publicKey = Buffer.concat([sshString(ED25519), sshString(raw)]);
  return { userId: name.slice(PRINCIPAL.length), webSessionId, publicKey };
}

/** Undefined for what is no list of options. */
function optionsOf(fields: readonly Buffer[] | undefined): ReadonlyMap<string, string> | undefined {
  if (!fields || fields.length % 2 !== 0) return undefined;
  const options = new Map<string, string>();
  for (let at = 0; at < fields.length; at += 2) {
    const [value, ...more] = sshFields(fields[at + 1] ?? Buffer.alloc(0)) ?? [];
    if (!value || more.length > 0) return undefined;
    options.set(String(fields[at]), value.toString());
  }
  return options;
}

/** Whether host:port lies in one of the networks of a list such as `10.0.0.0/8,::1`. */
function isFrom(networks: string, remoteAddr: string): boolean {
  const host = remoteAddr
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  if (isIP(host) === 0) return false;
  const list = new BlockList();
  for (const network of networks.split(',')) {
    const [address = '', bits] = network.split('/');
    if (isIP(address) === 0) continue;
    const most = isIP(address) === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : Number(bits);
    if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most) list.addSubnet(address, prefix, family(address));
  }
  return list.check(host, family(host));
}
