// A call about a leaf cluster is passed on to it, as the person who makes it; what comes back is held against the contract before anybody reads it.
import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BodyInput, type Call, pathOf, type ReplyOf } from '../../contract/call.ts';
import { Failure, type FailureBody, type FailureCode, failures, fromAnswer } from '../../contract/failure.ts';
import { ConnectError } from '../ports/reach.ts';
import type { Who } from '../ports/who.ts';
import type { Identity } from '../services/identity/identity.ts';
import type { Leaf, Leaves, ReachedLeaf } from '../services/trust/leaves.ts';
import { check } from './check.ts';
import { isOwnCluster } from './cluster.ts';
import { answeringDevice } from './shown-factor.ts';

/** Longest answer that is not streamed, and longest refusal, bytes. */
const ANSWER_MOST_BYTES = 16 * 1024 * 1024;
const REFUSAL_MOST_BYTES = 64 * 1024;
const MESSAGE_MOST_CHARACTERS = 2000;
/** An answer that is not streamed is there by then, ms. */
const ANSWER_MS = 30_000;
/** What is streamed moves on within this, ms. */
const STILL_MS = 120_000;

/** Of a request, what a leaf is told beside who asks. */
const passedHeaders = ['content-type', 'content-length', 'transfer-encoding', 'range'] as const;
/** What a browser may take an answer for; all else is a file of bytes. None of them runs anything. */
const shownTypes =
  /^(application\/(json|octet-stream|x-ndjson|gzip|x-asciicast)|text\/(plain|csv))( *; *charset=utf-8)?$/i;
/** Names under which answers say which cluster something is of. */
const clusterKeys: ReadonlySet<string> = new Set(['siteId', 'clusterId', 'cluster_name', 'clusterName']);

/** The other cluster that a path names; undefined where it names this one, or none. */
export function otherCluster(request: FastifyRequest, clusterName: string): string | undefined {
  const { clusterId } = (request.params ?? {}) as { readonly clusterId?: string };
  return clusterId === undefined || isOwnCluster(clusterId, clusterName) ? undefined : clusterId;
}

/** What is sent to a leaf about a request: nothing of the person's own cookies and tokens. */
export function passedOn(
  { raw }: FastifyRequest,
  { vouched }: Pick<ReachedLeaf, 'vouched'>,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { host: 'leaf', ...vouched };
  for (const name of passedHeaders) {
    const value = raw.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
/** The token of a socket is the person's at the root, and so is what their key has answered. */
export const passedPath = (url: string): string => url.replace(/([?&])(access_token|webauthn)=[^&]*/g, '$1$2=');

export interface PassingParts {
  readonly leaves: Pick<Leaves, 'reach'>;
  readonly identity: { readonly factors: Pick<Identity['factors'], 'prove'> };
}
/** Throws Failure and ConnectError, as a call of this gateway does. */
export async function passOn(
  call: Pick<Call, 'parts'> | null,
  request: FastifyRequest,
  reply: FastifyReply,
  { leaves, identity }: PassingParts,
  who: Who,
  wanted: string | Leaf,
): Promise<FastifyReply> {
  const { webauthn } = request.query as Readonly<Record<string, unknown>>;
  const isShown = typeof webauthn === 'string' && webauthn !== '';
  const device = isShown ? await answeringDevice(identity, who.userId, webauthn) : undefined;
  const leaf = await leaves.reach(who, wanted, device);
  const { name } = leaf;
  const isStreamed = call?.parts.streamed === true;
  const ended = new AbortController();
  reply.raw.once('close', () => ended.abort());
  const late = isStreamed ? undefined : setTimeout(() => ended.abort(), ANSWER_MS);
  const hasBody = Number(request.headers['content-length']) > 0 || 'transfer-encoding' in request.headers;
  try {
    const answer = await leaf.connection.ask({
      method: request.method,
      path: passedPath(request.raw.url ?? '/'),
      headers: passedOn(request, leaf),
      ...(hasBody && { body: request.raw }),
      signal: ended.signal,
    });
    const status = answer.statusCode ?? 500;
    if (status >= 400 && status !== 426) throw refusalOf(status, name, await bytesOf(answer, REFUSAL_MOST_BYTES, name));
    if (isStreamed) return await stream(answer, reply);
    const bytes = await bytesOf(answer, ANSWER_MOST_BYTES, name);
    const type = answer.headers['content-type'] ?? '';
    void reply.code(status === 426 ? 426 : 200);
    if (!type.startsWith('application/json') || call === null)
      return await typed(reply, type, answer.headers['content-disposition']).send(bytes);
    const checked = readReply(call, bytes, leaf);
    return await reply.type('application/json; charset=utf-8').send(JSON.stringify(checked));
  } catch (error) {
    if (ended.signal.aborted && !reply.raw.destroyed)
      throw new ConnectError('unreachable', `cluster "${name}" did not answer within ${ANSWER_MS / 1000} s`);
    throw error instanceof ConnectError ? new ConnectError(error.reason, `cluster "${name}": ${error.message}`) : error;
  } finally {
    clearTimeout(late);
  }
}

/** What a leaf answers a call. Throws Failure, ConnectError. */
export async function askLeaf<C extends Call>(
  call: C,
  leaves: Pick<Leaves, 'reach'>,
  who: Who,
  name: string,
  withinMs: number,
  given: {
    readonly params?: Readonly<Record<string, string>>;
    readonly body?: BodyInput<C>;
    /** Of the second factor that was shown for it. */
    readonly device?: string | undefined;
  } = {},
): Promise<ReplyOf<C>> {
  const leaf = await leaves.reach(who, name, given.device);
  const body = given.body === undefined ? undefined : JSON.stringify(given.body);
  const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body ?? '')) };
  const answer = await leaf.connection.ask({
    ...{ method: call.method, path: pathOf(call, given.params ?? {}) },
    headers: { host: 'leaf', ...leaf.vouched, ...(body !== undefined && length) },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(withinMs),
  });
  const bytes = await bytesOf(answer, ANSWER_MOST_BYTES, name);
  if (answer.statusCode !== 200) throw refusalOf(answer.statusCode ?? 500, name, bytes);
  return readReply(call, bytes, leaf) as ReplyOf<C>;
}

function readReply({ parts }: Pick<Call, 'parts'>, bytes: Buffer, leaf: ReachedLeaf): unknown {
  const { name } = leaf;
  try {
    return check(parts.reply, ofCluster(JSON.parse(bytes.toString()), leaf), 'reply');
  } catch (error) {
    throw new ConnectError(
      'unreachable',
      `cluster "${name}" gave an answer that this gateway does not understand: ${error instanceof Error ? error.message.slice(0, 200) : 'no JSON'}`,
    );
  }
}

/** Nothing that a leaf says is of another cluster than itself, and browsers come to its applications at hosts that are none of its choice. */
function ofCluster(value: unknown, { name, applicationPlace }: ReachedLeaf): unknown {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, inner] of Object.entries(next)) {
      const own = next as Record<string, unknown>;
      if (clusterKeys.has(key) && typeof inner === 'string') own[key] = name;
      else if (key === 'fqdn') Object.assign(own, isPassedOn(own) ? applicationPlace(String(own.name)) : NOWHERE);
      else if (typeof inner === 'object' && inner !== null) waiting.push(inner);
    }
  }
  return value;
}

const NOWHERE = { fqdn: '', address: '' };
/** Whether browsers come to an application through its gateway. */
const isPassedOn = ({ uri, samlApp }: Readonly<Record<string, unknown>>): boolean =>
  /^https?:/.test(String(uri)) && samlApp !== true;

/** A refusal of a leaf's own; it can sign nobody out here. */
function refusalOf(status: number, name: string, bytes: Buffer): Failure {
  let body: unknown = null;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    // What is no JSON says nothing but its status.
  }
  const { code, message, fields } = fromAnswer({ status, url: name }, body);
  const own: FailureCode =
    code === 'signed_out'
      ? 'denied'
      : code === 'network' || code === 'internal' || code === 'unknown'
        ? 'unreachable'
        : code;
  const said = message === failures[code].text || status >= 500 ? `cluster "${name}": ${message}` : message;
  return new Failure(own, said.slice(0, MESSAGE_MOST_CHARACTERS), fieldsOf(fields));
}
const fieldsOf = (fields: unknown): FailureBody['error']['fields'] =>
  typeof fields === 'object' && fields !== null && Object.values(fields).every(one => typeof one === 'string')
    ? (fields as Record<string, string>)
    : undefined;

/** Throws ConnectError when there is more. */
async function bytesOf(answer: IncomingMessage, most: number, name: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > most) {
      answer.destroy();
      throw new ConnectError('unreachable', `cluster "${name}" answered with more than ${most / 1024} KiB`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function typed(reply: FastifyReply, type: string, disposition: string | undefined): FastifyReply {
  const isShown = shownTypes.test(type);
  if (disposition?.startsWith('attachment') && !/[\r\n]/.test(disposition))
    reply.header('content-disposition', disposition);
  else if (!isShown) reply.header('content-disposition', 'attachment');
  return reply.type(isShown ? type : 'application/octet-stream');
}

/** As long as it moves. */
async function stream(answer: IncomingMessage, reply: FastifyReply): Promise<FastifyReply> {
  const length = answer.headers['content-length'];
  if (length !== undefined && /^\d{1,15}$/.test(length)) reply.header('content-length', length);
  let still = setTimeout(() => answer.destroy(new Error('nothing came for too long')), STILL_MS);
  const watched = new Transform({
    transform(piece, _encoding, done) {
      still.refresh();
      done(null, piece);
    },
  });
  const over = (): void => clearTimeout(still);
  still = still.unref();
  answer.once('error', error => watched.destroy(error));
  answer.once('aborted', () => watched.destroy(new Error('the tunnel broke')));
  watched.once('close', () => {
    over();
    answer.destroy();
  });
  answer.pipe(watched);
  void typed(reply, answer.headers['content-type'] ?? '', answer.headers['content-disposition']);
  return reply.send(Readable.from(watched));
}
