// How the gateway logs in to databases of RDS and Aurora: by a password that AWS makes of a role for a quarter of an hour (RDS user guide, "IAM
// database authentication"), shown only to a server for which AWS's own authorities vouch.
import { SignatureV4 } from '@smithy/signature-v4';
import { ConnectError } from '../../ports/reach.ts';
import { answerBytes } from '../answer-bytes.ts';
import { partitionOf } from '../aws-console.ts';
import { Sha256 } from './sha256.ts';
import { type AwsCredentials, signedQuery } from './signed-post.ts';

/** A password is good for so long, s: what AWS gives at most. */
const PASSWORD_SECONDS = 900;
/** The certificates of a region are some 5 to 170 kB. */
const BUNDLE_MOST_BYTES = 1024 * 1024;
const ANSWER_MS = 15_000;

/** A password for one user of one server. `host` and `port` as people reach it: the password is good there alone. */
export async function rdsPassword(
  credentials: AwsCredentials,
  {
    host,
    port,
    region,
    dbUser,
  }: { readonly [Part in 'host' | 'region' | 'dbUser']: string } & { readonly port: number },
  clock: () => Date,
): Promise<string> {
  const signer = new SignatureV4({ credentials, region, service: 'rds-db', sha256: Sha256 });
  const { path, query = {} } = await signer.presign(
    {
      method: 'GET',
      protocol: 'https:',
      hostname: host,
      port,
      path: '/',
      query: { Action: 'connect', DBUser: dbUser },
      headers: { host: `${host}:${port}` },
    },
    { expiresIn: PASSWORD_SECONDS, signingDate: clock() },
  );
  return `${host}:${port}${path}?${signedQuery(query)}`;
}

/** Where AWS publishes the certificates of those who vouch for its databases (RDS user guide, "Using SSL/TLS"). */
export function bundleAddress(region: string): string {
  const host =
    partitionOf(region) === 'aws-us-gov'
      ? 'truststore.pki.us-gov-west-1.rds.amazonaws.com'
      : 'truststore.pki.rds.amazonaws.com';
  return `https://${host}/${region}/${region}-bundle.pem`;
}

/** PEM. Throws ConnectError. */
export async function readBundle(address: string): Promise<string> {
  try {
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    const text = (await answerBytes(answer, BUNDLE_MOST_BYTES))?.toString() ?? '';
    if (!/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(text))
      throw new Error('it answered no certificates');
    return text;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConnectError('unreachable', `Who vouches for databases of RDS could not be read at ${address}: ${why}.`);
  }
}
