// How plugins reach services outside: never the gateway's own machine or its link, unless a setting allows it, and never for long.
import { type LookupAddress, lookup } from 'node:dns';
import { lookup as addressesOf } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isOwnAddress } from '../own-addresses.ts';

/** A service that has not answered by then is tried again, ms. */
const ANSWER_MOST_MS = 15_000;
/** Of an answer, what is read to say what was wrong, bytes. */
const ANSWER_READ_BYTES = 16_384;

/** A request as a sender makes it. */
export interface Outgoing {
  readonly method: 'POST' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
export interface OutgoingAnswer {
  readonly status: number;
  /** The beginning of it. */
  readonly text: string;
}
export type SendRequest = (request: Outgoing) => Promise<OutgoingAnswer>;

const refused = (host: string): Error =>
  new Error(`${host} is the gateway's own machine or link, which plugins may not reach (--plugins-loopback allows it)`);

/** Names are judged by what they resolve to in the very look-up that is connected to. */
const othersOnly: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
    const others = found.filter(({ address }) => !isOwnAddress(address));
    const [first] = others;
    if (error || !first) done(error ?? refused(hostname), '');
    else if (options.all) done(null, others);
    else done(null, first.address, first.family);
  });

/** Throws Error for an address that is written as a number and is the gateway's own. */
function refuseOwn(host: string): void {
  const plain = host.replace(/^\[|\]$/g, '');
  if (isIP(plain) !== 0 && isOwnAddress(plain)) throw refused(plain);
}

/** Sends requests. `own`: also to the gateway's own machine. */
export function createOutgoing(own: boolean): SendRequest {
  return async ({ method, url, headers, body }) => {
    if (!own) refuseOwn(new URL(url).hostname);
    const { Agent, request } = await import('undici');
    const dispatcher = new Agent({ connect: { timeout: ANSWER_MOST_MS, ...(!own && { lookup: othersOnly }) } });
    try {
      // It follows no redirect: where to, somebody has written down.
      const answer = await request(url, {
        method,
        headers: { 'user-agent': 'postern', ...headers },
        ...(method === 'POST' && { body }),
        dispatcher,
        signal: AbortSignal.timeout(ANSWER_MOST_MS),
      });
      return { status: answer.statusCode, text: await beginning(answer.body) };
    } finally {
      await dispatcher.destroy();
    }
  };
}

async function beginning(body: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    read.push(part);
    bytes += part.length;
    if (bytes >= ANSWER_READ_BYTES) break;
  }
  return Buffer.concat(read).subarray(0, ANSWER_READ_BYTES).toString();
}

/** An address of a host that is not the gateway's own. Throws Error where it has none. */
export async function otherAddress(host: string): Promise<string> {
  refuseOwn(host);
  if (isIP(host) !== 0) return host;
  const found = await addressesOf(host, { all: true }).catch((cause: unknown) => {
    throw new Error(`${host} has no address: no DNS server knows the name`, { cause });
  });
  const other = found.find(({ address }) => !isOwnAddress(address));
  if (!other) {
    refuseOwn(found[0]?.address ?? '127.0.0.1');
    throw new Error(`${host} has no address`);
  }
  return other.address;
}
