// HTTP as a person's commands speak it, for the client of the web API: one origin, no redirects, bounded answers, and what is wrong
// with a network in words.
import type { Answer, ApiRequest } from '../../client/api.ts';
import { ApiError, fromAnswer } from '../../contract/failure.ts';
import { UsageError } from '../verb.ts';

/** Longest wait for an answer's first byte, and for the whole of it, ms. */
const ANSWER_MOST_MS = 60_000;
/** Largest answer that is held in memory, bytes: a list of 5000 rows is some megabytes. */
const ANSWER_MOST_BYTES = 64 * 1024 * 1024;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The origin of a typed address. Throws UsageError. */
export function readUrl(typed: string): string {
  const scheme = LOOPBACK.test(typed.replace(/:\d*$/, '')) ? 'http' : 'https';
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `${scheme}://${typed}`);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new UsageError(`--url: "${typed}": an address such as https://postern.example.com expected`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url: name and password do not go into the address');
  // Passwords must not cross a network in the clear; browsers keep the session's Secure cookies from such addresses too.
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new UsageError(`--url: http:// would send the password to ${url.host} in the clear: use https://`);
  return url.origin;
}

/** An answer whose text is bounded; a file is read from its body instead. */
export interface GatewayAnswer extends Answer {
  readonly headers: Headers;
  readonly body: Response['body'];
}

/** Sends one request. Throws ApiError network with what is wrong, in words, and unknown for an answer that leads elsewhere. */
export async function send(url: string, path: string, request: ApiRequest): Promise<GatewayAnswer> {
  let answer: Response;
  try {
    answer = await fetch(`${url}${path}`, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MOST_MS),
    });
  } catch (error) {
    throw new ApiError('network', `${url} cannot be reached: ${reason(error)}`);
  }
  const { ok, status, headers, body } = answer;
  if (status >= 300 && status < 400) {
    const at = `${url}${withoutQuery(path)}`;
    throw new ApiError('unknown', `${at} leads elsewhere (${status}): give the gateway's own address`, {
      status,
      url: at,
    });
  }
  return { ok, status, headers, body, text: () => textOf(url, answer) };
}

/** What was asked for is nobody's business in a log. */
const withoutQuery = (path: string): string => path.split('?')[0] ?? '';

/** The text of a good answer that is no call of the contract, such as a page. Throws ApiError for any other. */
export async function pageText(url: string, path: string, answer: GatewayAnswer): Promise<string> {
  const text = await answer.text();
  if (!answer.ok) throw fromAnswer({ status: answer.status, url: `${url}${withoutQuery(path)}` }, undefined);
  return text;
}

function reason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${ANSWER_MOST_MS / 1000} s`;
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  const known = reasons[code];
  if (known !== undefined) return known;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not speak TLS: is it http:// there?';
  const text = cause instanceof Error && cause.message !== '' ? cause.message : code;
  return /CERT|SELF_SIGNED|ISSUER/.test(code)
    ? `its certificate is not trusted (${text}); NODE_EXTRA_CA_CERTS=FILE adds an authority`
    : text || 'the network failed';
}
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is the gateway running?',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'no host has that name',
  EAI_AGAIN: 'the name could not be looked up',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
};

/** The text of an answer. Throws ApiError network when it breaks off, too_large when it is. */
async function textOf(url: string, answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      if (bytes > ANSWER_MOST_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new ApiError('network', `the answer of ${url} broke off: ${reason(error)}`);
  }
  if (bytes > ANSWER_MOST_BYTES)
    throw new ApiError('too_large', `the answer of ${url} is larger than ${ANSWER_MOST_BYTES / 1024 / 1024} MB`);
  return Buffer.concat(chunks).toString('utf8');
}

/** The value of a meta tag of the console's page, or undefined. */
export const metaOf = (html: string, name: string): string | undefined =>
  new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(html)?.[1];

/** The value of a cookie that an answer sets, or undefined. */
export function cookieSet(answer: GatewayAnswer, name: string): string | undefined {
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';', 1);
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1);
  }
  return undefined;
}
