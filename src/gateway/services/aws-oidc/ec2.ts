// EC2 by its query protocol (AWS, EC2 API reference, version 2016-11-15), signed by the signer of AWS's own client: that client alone is 28 MB.
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { DOMParser } from '@xmldom/xmldom';
import { answerBytes } from '../answer-bytes.ts';

const VERSION = '2016-11-15';
/** Largest answer that is read, bytes. */
const ANSWER_MOST_BYTES = 16 * 1024 * 1024;
const ANSWER_MS = 15_000;

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}
/** What AWS said of a call that it did not do. */
class AwsRefusal extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}

/** An element of an answer: its text, the elements in it by name, and those of a list. */
export interface Answered {
  text(name: string): string;
  items(name: string): readonly Answered[];
  one(name: string): Answered;
}

class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : bytesOf(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {
    throw new Error('a hash is used once');
  }
}
const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);

/** `asked`: parameters as the protocol has them, such as `Filter.1.Name`. Throws AwsRefusal, and what the network says. */
export async function askEc2(
  endpoint: string,
  region: string,
  credentials: AwsCredentials,
  action: string,
  asked: Readonly<Record<string, string>>,
): Promise<Answered> {
  const url = new URL(endpoint);
  const body = new URLSearchParams({ Action: action, Version: VERSION, ...asked }).toString();
  const signer = new SignatureV4({ credentials, region, service: 'ec2', sha256: Sha256 });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: '/',
    headers: { host: url.host, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body,
  });
  const { host: _host, ...sent } = headers;
  const answer = await fetch(url, {
    method: 'POST',
    headers: sent,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const bytes = await answerBytes(answer, ANSWER_MOST_BYTES);
  if (bytes === null) throw new Error('the answer of EC2 is too large');
  const text = bytes.toString();
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('EC2 answered XML with a DOCTYPE');
  const quiet = { warning: () => undefined, error: () => undefined, fatalError: () => undefined };
  const document: unknown = new DOMParser({ errorHandler: quiet }).parseFromString(text, 'text/xml');
  const root = (document as Document | undefined)?.documentElement;
  if (!root) throw new Error(`EC2 answered ${answer.status} and nothing that can be read`);
  if (!answer.ok) {
    const error = answered(root).one('Errors').one('Error');
    throw new AwsRefusal(error.text('Code') || String(answer.status), error.text('Message') || 'it was refused');
  }
  return answered(root);
}

function answered(element: Element | null): Answered {
  const inside = (name: string): readonly Element[] =>
    Array.from(element?.childNodes ?? []).filter(
      (one): one is Element => one.nodeType === 1 && (one as Element).localName === name,
    );
  const one = (name: string): Answered => answered(inside(name)[0] ?? null);
  return {
    text: name => inside(name)[0]?.textContent ?? '',
    one,
    items: name => {
      const [list] = inside(name);
      return Array.from(list?.childNodes ?? [])
        .filter((child): child is Element => child.nodeType === 1 && (child as Element).localName === 'item')
        .map(child => answered(child));
    },
  };
}
