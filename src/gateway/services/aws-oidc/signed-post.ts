// One call of a service of AWS, signed by the signer of AWS's own client: the clients of EC2 and ECS are 28 and 3 MB, and what is asked of them little.
import { SignatureV4 } from '@smithy/signature-v4';
import { answerBytes } from '../answer-bytes.ts';
import { Sha256 } from './sha256.ts';

/** Largest answer that is read, bytes. */
const ANSWER_MOST_BYTES = 16 * 1024 * 1024;
const ANSWER_MS = 15_000;

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}
/** Where a service is asked, and as whom. */
export interface AwsAsk {
  readonly endpoint: string;
  readonly region: string;
  /** As signatures name it, such as `ec2`. */
  readonly service: string;
  readonly credentials: AwsCredentials;
}
/** What AWS said of a call that it did not do; its name is AWS's code. */
export class AwsRefusal extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}

/** Rejects with what the network says, and for an answer that is too large. */
export async function signedPost(
  { endpoint, region, service, credentials }: AwsAsk,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ readonly ok: boolean; readonly status: number; readonly text: string }> {
  const url = new URL(endpoint);
  const signer = new SignatureV4({ credentials, region, service, sha256: Sha256 });
  const signed = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: '/',
    headers: { host: url.host, ...headers },
    body,
  });
  const { host: _host, ...sent } = signed.headers;
  const answer = await fetch(url, {
    method: 'POST',
    headers: sent,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const bytes = await answerBytes(answer, ANSWER_MOST_BYTES);
  if (bytes === null) throw new Error(`the answer of ${service} is too large`);
  return { ok: answer.ok, status: answer.status, text: bytes.toString() };
}

/** A signed query as it goes into an address: as AWS signs it (RFC 3986, 2.3). */
export const signedQuery = (query: Readonly<Record<string, unknown>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
