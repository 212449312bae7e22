// Apache with mod_auth_mellon as a service provider of SAML: signs its requests, and shows who came and what it was told of them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './gateway.ts';

const MODULES = '/usr/lib/apache2/modules';
const modules = [
  ...['mpm_prefork', 'authn_core', 'authz_core', 'authz_user', 'dir', 'setenvif', 'mime', 'headers', 'include'],
  'auth_mellon',
];

export interface Mellon {
  /** A page that is for those who have signed in. */
  readonly page: string;
  /** What it says about itself, as XML. */
  readonly metadata: string;
  close(): Promise<void>;
}

/** Answers when it listens. `idpMetadata`: what the identity provider says about itself, as XML. */
export async function openMellon(idpMetadata: string): Promise<Mellon> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-mellon-'));
  const [key, certificate] = [join(folder, 'sp.pem'), join(folder, 'sp.crt')];
  const pair = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=sp', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...pair], { stdio: 'ignore' });
  const bare = readFileSync(certificate, 'utf8').replace(/-----[^-]+-----|\s/g, '');
  const port = await freePort();
  // Another site than `localhost`, where gateways are.
  const base = `http://127.0.0.1:${port}`;
  const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${base}/mellon/metadata"><SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${bare}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified</NameIDFormat><AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${base}/mellon/postResponse"/></SPSSODescriptor></EntityDescriptor>`;
  writeFileSync(join(folder, 'idp.xml'), idpMetadata);
  writeFileSync(join(folder, 'sp.xml'), metadata);
  mkdirSync(join(folder, 'www', 'inside'), { recursive: true });
  writeFileSync(
    join(folder, 'www', 'inside', 'index.shtml'),
    '<!doctype html><html lang="en"><title>Inside</title><h1>Inside</h1><p id="who"><!--#echo var="MELLON_NAME_ID" --></p><p id="roles"><!--#echo var="MELLON_roles_0" --></p></html>',
  );
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  const configuration = `ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/httpd.pid
ErrorLog ${folder}/error.log
Mutex file:${folder} default
User www-data
Group www-data
${modules.map(name => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
TypesConfig /etc/mime.types
AddType text/html .shtml
AddOutputFilter INCLUDES .shtml
DirectoryIndex index.shtml
DocumentRoot ${folder}/www
MellonLockFile ${folder}/mellon.lock
<Location />
  Options +Includes
  MellonEnable info
  MellonSecureCookie Off
  SetEnvIf User-Agent . MELLON_DISABLE_SAMESITE=1
  MellonSPPrivateKeyFile ${key}
  MellonSPCertFile ${certificate}
  MellonSPMetadataFile ${folder}/sp.xml
  MellonIdPMetadataFile ${folder}/idp.xml
  MellonEndpointPath /mellon
  MellonSignatureMethod rsa-sha256
</Location>
<Location /inside>
  AuthType Mellon
  MellonEnable auth
  Require valid-user
  MellonUser NAME_ID
</Location>
`;
  writeFileSync(join(folder, 'apache.conf'), configuration);
  // Told to end, it tells its whole process group: that must not be ours.
  const apache = spawn('/usr/sbin/apache2', ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'], {
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(apache, 'exit');
  const close = async (): Promise<void> => {
    apache.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  for (const until = Date.now() + 20_000; ; ) {
    try {
      await fetch(`${base}/`, { redirect: 'manual' });
      return { page: `${base}/inside/`, metadata, close };
    } catch (error) {
      if (Date.now() < until && apache.exitCode === null) {
        await new Promise(done => setTimeout(done, 20));
        continue;
      }
      await close();
      throw error;
    }
  }
}
