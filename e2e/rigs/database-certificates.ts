// Certificates of people that must open a database, and those that must not, as each engine's own client tells it.
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Rig } from '../../src/gateway/app.testing.ts';
import { type CertifiedKind, identityOf, identityUris } from '../../src/gateway/services/protocols/identity.ts';
import { roleResource } from '../../src/gateway/services/rights/source.ts';
import { certificatesOf, type DatabaseClient, logIn } from './databases.ts';

const TTL_MS = 24 * 3_600_000;

/** The certificate of a log-in once more, with another end or device. */
async function reissue(
  gateway: Rig,
  client: DatabaseClient,
  { ends = new Date(Date.now() + TTL_MS), device = '', kind = 'db' as CertifiedKind },
): Promise<DatabaseClient> {
  const shown = new X509Certificate(readFileSync(client.certificate));
  const identity = identityOf('db', shown);
  if (!identity) throw new Error('no certificate of a person');
  const { certificate } = await certificatesOf(gateway).issue('people', {
    ...{
      name: 'ann',
      ends,
      for: 'client',
      uris: identityUris(kind, { ...identity, device }),
    },
    publicKey: shown.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  });
  const path = `${client.certificate}.again`;
  writeFileSync(path, certificate);
  return { ...client, certificate: path };
}
const signedOut = /Postern: access denied: sign in first/;
const wanted: Readonly<Record<string, RegExp>> = {
  // Whoever shows that is answered as a client of clusters is, which is no answer here.
  'for a cluster': /error|HTTP|invalid|closed|expected|lost/i,
  'of whom no role leads there any more': /may not use|say as which database user/,
  expired: /certificate expired|show the certificate that postern db login has written/,
  'without the factor that roles ask for': /Postern: Your roles ask for a second factor for each session\./,
  locked: signedOut,
  // A lock ends web sessions, and with them what was made in them.
  'after a lock': signedOut,
};

interface Checked {
  readonly name: string;
  /** What the engine's own client says. */
  use(client: DatabaseClient): Promise<string>;
  /** That, when it works. */
  readonly works: string;
}
/** Answers what each certificate led to that should have led elsewhere. */
export async function checkCertificates(
  rig: Rig,
  folder: string,
  { name, use, works }: Checked,
): Promise<readonly string[]> {
  const { store, services } = rig;
  await store.resources.create(
    roleResource(
      "kind: role\nversion: v7\nmetadata: { name: careful }\nspec: { options: { require_session_mfa: 'yes' } }\n",
    ),
  );
  await rig.addUser('eve', ['access', 'shop']);
  const hasRoles = async (...roles: string[]): Promise<void> => {
    const eve = await store.users.get('eve');
    if (eve) await store.users.update({ ...eve, roles });
  };
  const root = { user: 'root', rights: null };
  const client = await logIn(folder, await rig.signIn('eve'), name);
  const wrong: string[] = [];
  const note = async (what: string, shown: DatabaseClient) => {
    const printed = await use(shown);
    const pattern = wanted[what];
    if (pattern ? !pattern.test(printed) : printed !== works) wrong.push(`${what}: ${printed}`);
  };
  await note('good', client);
  await note('for a cluster', await reissue(rig, client, { kind: 'kube' }));
  await hasRoles('access');
  await note('of whom no role leads there any more', client);
  await hasRoles('access', 'shop');
  await note('expired', await reissue(rig, client, { ends: new Date(Date.now() - 1000) }));
  await hasRoles('access', 'shop', 'careful');
  await note('without the factor that roles ask for', client);
  await note('with it', await reissue(rig, client, { device: 'key-1' }));
  await hasRoles('access', 'shop');
  const lock = await services.locks.add({ targets: { user: 'eve' }, message: 'left the laptop', ttl: '' }, root);
  await note('locked', client);
  await services.locks.remove(lock.name, root);
  await note('after a lock', client);
  return wrong;
}
