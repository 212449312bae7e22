// Asks a directory by LDAP which computers there are: encrypted, in pages, and with bounds on all that it may answer.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { Entry } from 'ldapts';
import { DNS_NAME, readAddress } from '../../../contract/address.ts';
import { DISCOVERED_MOST } from '../../../contract/discovery-documents.ts';
import { plainText } from '../../../contract/visible-text.ts';
import type { Directory } from './stored.ts';

const CONNECT_MOST_MS = 10_000;
const ANSWER_MOST_MS = 30_000;
/** All of one reading, ms. */
const READING_MOST_MS = 120_000;
const PAGE = 500;
const BYTES_MOST = 64 * 1024 * 1024;
const LABEL_MOST_CHARACTERS = 255;
/** userAccountControl (MS-ADTS, section 2.2.16): the account is disabled; it is that of a domain controller. */
const DISABLED = 0x2;
const DOMAIN_CONTROLLER = 0x2000;

/** Attributes that are always asked for, and the labels that they become. */
const labelled: Readonly<Record<string, string>> = {
  operatingSystem: 'ldap/os',
  operatingSystemVersion: 'ldap/os_version',
  dNSHostName: 'ldap/dns_host_name',
  cn: 'ldap/computer_name',
};

export interface Computer {
  /** Its DNS name, in lower case. */
  readonly name: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
}
export interface Reading {
  readonly computers: readonly Computer[];
  /** The directory has more than are taken. */
  readonly isCut: boolean;
}
/** Why a directory could not be read, in words for people. */
class DirectoryError extends Error {}

/** Throws DirectoryError. `place`: an address of its host that may be connected to. */
export async function readComputers(directory: Directory, place: string): Promise<Reading> {
  const { Client, AndFilter, EqualityFilter, FilterParser } = await import('ldapts');
  const { address, tls, bind_name, password, base, filter, label_attributes: others = [] } = directory;
  const { host = '', port } = readAddress(address) ?? {};
  const name = directory.server_name ?? host;
  const secure = {
    ...(isIP(name) === 0 && { servername: name }),
    // The certificate itself may be what is trusted, without whoever has signed it.
    ...(directory.ca_cert !== undefined && { ca: directory.ca_cert, allowPartialTrustChain: true }),
  };
  let sockets = 0;
  let bytes = 0;
  /** Once: what ldapts would connect to again by itself is nobody who was logged in. */
  const once = <Opened extends Socket>(open: () => Opened): Opened => {
    sockets += 1;
    if (sockets > 1) throw new DirectoryError(`${address} ended the connection`);
    const socket = open();
    socket.on('data', (data: Buffer) => {
      bytes += data.length;
      if (bytes > BYTES_MOST) socket.destroy(new DirectoryError(`${address} answers more than ${BYTES_MOST} bytes`));
    });
    return socket;
  };
  const target = { host: place, port: port ?? 0 };
  const client = new Client({
    url: tls === 'ldaps' ? 'ldaps://directory' : 'ldap://directory',
    connectTimeout: CONNECT_MOST_MS,
    timeout: ANSWER_MOST_MS,
    createConnection: (() => once(() => connectPlain(target))) as typeof connectPlain,
    createSecureConnection: ((given: { readonly socket?: Socket }) =>
      typeof given === 'object'
        ? connectSecure({ ...secure, ...given })
        : once(() => connectSecure({ ...target, ...secure }))) as typeof connectSecure,
  });
  const late = setTimeout(() => void client.unbind().catch(() => undefined), READING_MOST_MS);
  try {
    if (tls === 'starttls') await client.startTLS({ ...secure });
    await client.bind(bind_name, password);
    const computers = new EqualityFilter({ attribute: 'objectClass', value: 'computer' });
    const pages = client.searchPaginated(base, {
      scope: 'sub',
      filter:
        filter === undefined ? computers : new AndFilter({ filters: [computers, FilterParser.parseString(filter)] }),
      attributes: [...new Set([...Object.keys(labelled), 'description', 'userAccountControl', ...others])],
      paged: { pageSize: PAGE },
    });
    const found = new Map<string, Computer>();
    for await (const { searchEntries } of pages)
      for (const entry of searchEntries) {
        const computer = computerOf(entry, others);
        if (computer === null) continue;
        if (found.size >= DISCOVERED_MOST && !found.has(computer.name))
          return { computers: [...found.values()], isCut: true };
        found.set(computer.name, computer);
      }
    return { computers: [...found.values()], isCut: false };
  } catch (error) {
    throw error instanceof DirectoryError ? error : new DirectoryError(wordsOf(error, directory));
  } finally {
    clearTimeout(late);
    await client.unbind().catch(() => undefined);
  }
}

/** The first value of an attribute, as a label may hold it; '' where there is none. */
function firstOf(entry: Entry, attribute: string): string {
  const name = Object.keys(entry).find(key => key.toLowerCase() === attribute.toLowerCase());
  const [first] = [name === undefined ? [] : entry[name]].flat();
  return typeof first === 'string' ? plainText(first).slice(0, LABEL_MOST_CHARACTERS) : '';
}
/** Null for what nobody could connect to: without a DNS name, or disabled. */
function computerOf(entry: Entry, others: readonly string[]): Computer | null {
  const name = firstOf(entry, 'dNSHostName').toLowerCase();
  const control = Number(firstOf(entry, 'userAccountControl')) || 0;
  if (name.length > 253 || !DNS_NAME.test(name) || (control & DISABLED) !== 0) return null;
  const labels = [
    ...Object.entries(labelled).map(([attribute, label]) => [label, firstOf(entry, attribute)] as const),
    ...others.map(attribute => [`ldap/${attribute}`, firstOf(entry, attribute)] as const),
    ['ldap/ou', organisationOf(entry.dn)] as const,
    ['ldap/is_domain_controller', String((control & DOMAIN_CONTROLLER) !== 0)] as const,
  ];
  return {
    name,
    description: firstOf(entry, 'description'),
    labels: Object.fromEntries(labels.filter(([, value]) => value !== '')),
  };
}
/** What a distinguished name has behind its first part. */
const organisationOf = (dn: string): string =>
  plainText(/^(?:[^\\,]|\\.)*,(.*)$/s.exec(dn)?.[1] ?? '').slice(0, LABEL_MOST_CHARACTERS);

/** What was wrong, in words. */
function wordsOf(error: unknown, { address, bind_name, base }: Directory): string {
  const { name = '', code = '', message = '' } = error as { name?: string; code?: unknown; message?: string };
  if (name === 'InvalidCredentialsError' || name === 'InvalidDNSyntaxError')
    return `${address} does not let ${bind_name} in: the name or the password is another one`;
  if (name === 'NoSuchObjectError') return `${address} has nothing at ${base}, or does not show it to ${bind_name}`;
  if (name === 'InsufficientAccessError') return `${address} does not let ${bind_name} search ${base}`;
  if (name === 'ConfidentialityRequiredError' || name === 'StrongAuthRequiredError')
    return `${address} wants a stronger log-in than a password over TLS`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${address} has no address: no DNS server knows the name`;
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT')
    return `${address} does not take connections (${code})`;
  if (message === 'Connection timeout' || /timed? ?out/i.test(message)) return `${address} does not answer in time`;
  if (typeof code === 'string' && /CERT|SIGNATURE|^ERR_TLS|ALTNAME|ISSUER|CHAIN/.test(code))
    return `${address} shows a certificate that is not trusted: ${plainText(message).slice(0, 200)}`;
  return `${address} could not be read: ${plainText(message || String(error)).slice(0, 200)}`;
}
