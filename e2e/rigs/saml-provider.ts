// Debian's simplesamlphp as a SAML identity provider, run by PHP's own web server: takes signed requests only, and encrypts what it asserts.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './gateway.ts';

const WWW = '/usr/share/simplesamlphp/www';

/** Everybody's, at the form of the provider. */
export const SAML_PASSWORD = 'of the provider';

export interface SamlProvider {
  /** What it says about itself, as XML. */
  readonly metadata: string;
  /**
   * Makes a gateway known, which sends its requests in the name of `acs`, the address that answers go to, and signs them with the key of
   * `certificate`, base64. It opens what is encrypted with the same.
   */
  register(acs: string, certificate: string): void;
  close(): void;
}

/** A connector to a provider, as the gateway's documents are written (JSON is YAML): the group `dev` gives access. */
export const samlConnector = ({ metadata }: Pick<SamlProvider, 'metadata'>, name: string, spec = {}): string =>
  JSON.stringify({
    kind: 'saml',
    version: 'v2',
    metadata: { name },
    spec: {
      entity_descriptor: metadata,
      attributes_to_roles: [{ name: 'groups', value: 'dev', roles: ['access'] }],
      ...spec,
    },
  });

/** A value as a literal of PHP. */
function php(value: unknown): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([key, one]) =>
    Array.isArray(value) ? php(one) : `${php(key)} => ${php(one)}`,
  );
  return `[${entries.join(', ')}]`;
}

/** Answers when it listens. `people`: for each name, their attributes; all have SAML_PASSWORD. Their NameID is their `mail`. */
export async function openSamlProvider(
  people: Readonly<Record<string, { readonly mail: readonly string[]; readonly groups: readonly string[] }>>,
): Promise<SamlProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-simplesamlphp-'));
  for (const name of ['config', 'metadata', 'sessions']) mkdirSync(join(folder, name));
  const write = (file: string, variable: string, value: unknown) =>
    writeFileSync(join(folder, file), `<?php $${variable} = ${php(value)};`);
  const [key, certificate] = [join(folder, 'idp.pem'), join(folder, 'idp.crt')];
  const pair = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=idp', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...pair], { stdio: 'ignore' });
  // Another site than `localhost`, where gateways are: cookies are kept from forms that it posts, as those of any provider.
  const address = `127.0.0.1:${await freePort()}`;
  const base = `http://${address}/`;
  write('config/config.php', 'config', {
    baseurlpath: base,
    certdir: folder,
    loggingdir: folder,
    datadir: folder,
    tempdir: folder,
    metadatadir: join(folder, 'metadata'),
    'metadata.sources': [{ type: 'flatfile' }],
    secretsalt: 'of this test',
    'auth.adminpassword': 'of this test',
    timezone: 'UTC',
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true },
    'logging.handler': 'errorlog',
    'store.type': 'phpsession',
    'session.phpsession.savepath': join(folder, 'sessions'),
    'session.phpsession.cookiename': 'provider',
    'session.cookie.secure': false,
    'session.cookie.samesite': null,
    'language.default': 'en',
    'theme.use': 'default',
  });
  const known = Object.entries(people).map(([name, attributes]) => [`${name}:${SAML_PASSWORD}`, attributes]);
  // The type of a source of people is its entry 0.
  write('config/authsources.php', 'config', { people: { 0: 'exampleauth:UserPass', ...Object.fromEntries(known) } });
  write('metadata/saml20-idp-hosted.php', 'metadata', {
    [`${base}idp`]: { host: '__DEFAULT__', privatekey: 'idp.pem', certificate: 'idp.crt', auth: 'people' },
  });
  const server = spawn('php', ['-d', 'error_reporting=E_ALL & ~E_DEPRECATED', '-S', address, '-t', WWW], {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: join(folder, 'config') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const end = () => void server.kill();
  process.on('exit', end);
  await once(server.stderr, 'data');
  server.stderr.resume();
  const answer = await fetch(`${base}saml2/idp/metadata.php`);
  const metadata = await answer.text();
  if (!answer.ok) throw new Error(`simplesamlphp answers ${answer.status}: ${metadata.slice(0, 2000)}`);
  return {
    metadata,
    register: (acs, certData) =>
      write('metadata/saml20-sp-remote.php', 'metadata', {
        [acs]: {
          AssertionConsumerService: acs,
          NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
          'simplesaml.nameidattribute': 'mail',
          'validate.authnrequest': true,
          'assertion.encryption': true,
          certData,
        },
      }),
    close: () => {
      process.off('exit', end);
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
