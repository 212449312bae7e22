// A real LDAP directory of a test: OpenLDAP's slapd with computers in it, over TLS on loopback. Gone when disposed.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './gateway.ts';
import { selfSigned } from './https-server.ts';
import { startServer } from './server.ts';

const run = promisify(execFile);

export interface DirectoryRig {
  /** Where TLS begins at once, and where by STARTTLS: on loopback, by the name localhost. */
  readonly ldapsPort: number;
  readonly ldapPort: number;
  /** PEM of its certificate, which nobody vouches for. */
  readonly ca: string;
  readonly base: string;
  readonly reader: { readonly name: string; readonly password: string };
  /** Adds computers: their names, and further attributes of each as LDIF. */
  add(computers: Readonly<Record<string, string>>): Promise<void>;
  remove(...names: readonly string[]): Promise<void>;
  dispose(): Promise<void>;
}

const START_MS = 20_000;
const BASE = 'dc=example,dc=com';
const ROOT = `cn=root,${BASE}`;
const reader = { name: `cn=reader,${BASE}`, password: 'secret of the reader' };
/** What of Active Directory's schema computers have (MS-ADA, MS-ADSC). */
const SCHEMA = `attributetype ( 1.2.840.113556.1.4.619 NAME 'dNSHostName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.363 NAME 'operatingSystem' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.364 NAME 'operatingSystemVersion' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.222 NAME 'location' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.3.30 NAME 'computer' SUP top STRUCTURAL MUST cn MAY ( dNSHostName $ operatingSystem $ operatingSystemVersion $ userAccountControl $ location $ description ) )
`;
const ENTRIES = `dn: ${BASE}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ou=desks,${BASE}
objectClass: organizationalUnit
ou: desks

dn: ${reader.name}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: reader
userPassword: ${reader.password}
`;
const dnOf = (name: string): string => `cn=${name},ou=desks,${BASE}`;

/** You must dispose it. */
export async function openDirectoryRig(): Promise<DirectoryRig> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-ldap-'));
  const path = (name: string): string => join(folder, name);
  const dispose = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const { key, cert } = selfSigned();
    mkdirSync(path('data'));
    writeFileSync(path('key.pem'), key, { mode: 0o600 });
    writeFileSync(path('cert.pem'), cert);
    writeFileSync(path('computers.schema'), SCHEMA);
    writeFileSync(path('entries.ldif'), ENTRIES);
    writeFileSync(
      path('slapd.conf'),
      `include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include ${path('computers.schema')}
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile ${path('cert.pem')}
TLSCertificateKeyFile ${path('key.pem')}
security simple_bind=128
localSSF 256
sizelimit size.soft=50 size.hard=50 size.pr=1000 size.prtotal=unlimited
database mdb
suffix "${BASE}"
rootdn "${ROOT}"
rootpw root
directory ${path('data')}
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${reader.name}" read by * none
`,
    );
    await run('/usr/sbin/slapadd', ['-f', path('slapd.conf'), '-l', path('entries.ldif')]);
    const local = `ldapi://${encodeURIComponent(path('socket'))}`;
    const [ldapPort, ldapsPort] = [await freePort(), await freePort()];
    const server = await startServer({
      name: 'slapd',
      file: '/usr/sbin/slapd',
      args: [
        '-f',
        path('slapd.conf'),
        '-h',
        `ldap://127.0.0.1:${ldapPort} ldaps://127.0.0.1:${ldapsPort} ${local}`,
        '-d',
        '256',
      ],
      ready: 'slapd starting',
    });
    // It says that it starts before its sockets take connections.
    for (const until = Date.now() + START_MS; ; await after(50)) {
      const isThere = await run('ldapwhoami', ['-x', '-H', local]).then(
        () => true,
        () => false,
      );
      if (isThere) break;
      if (Date.now() > until) throw new Error('slapd takes no connections');
    }
    const asRoot = ['-x', '-H', local, '-D', ROOT, '-w', 'root'];
    return {
      ...{ ldapPort, ldapsPort, ca: cert, base: BASE, reader },
      async add(computers) {
        const entries = Object.entries(computers).map(
          ([name, more]) => `dn: ${dnOf(name)}\nobjectClass: computer\ncn: ${name}\n${more}`,
        );
        writeFileSync(path('new.ldif'), entries.join('\n'));
        await run('ldapadd', [...asRoot, '-f', path('new.ldif')]);
      },
      remove: async (...names) => void (await run('ldapdelete', [...asRoot, ...names.map(dnOf)])),
      async dispose() {
        await server.end();
        dispose();
      },
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
