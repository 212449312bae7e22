// Turns whatever a call threw into its answer: a status, one sentence, the fields, and never an internal detail.
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type FailureBody, type FailureCode, failures } from '../../contract/failure.ts';
import { ConnectError } from '../ports/reach.ts';

/** Fastify's own refusals, by its codes: parsing the URL, the headers and the body. */
const fastifyFailures: Readonly<Record<string, readonly [FailureCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['bad_request', 'the body must be sent as Content-Type: application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'the body is too large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'the body is not as long as Content-Length says'],
  FST_ERR_BAD_URL: ['bad_request', 'the path is not valid percent-encoding'],
  FST_ERR_MAX_LENGTH: ['bad_request', 'the path is too long'],
  FST_ERR_NOT_FOUND: ['not_found', 'not found'],
};

const connectFailures = {
  unreachable: 'unreachable',
  host_key_changed: 'denied',
  principal_refused: 'denied',
  no_such_login: 'denied',
  not_permitted: 'denied',
  failed: 'unreachable',
} as const;

/** The Failure behind an error; null when it is none that a caller may see. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof Failure) return error;
  if (error instanceof ConnectError) return new Failure(connectFailures[error.reason], error.message);
  if (!(error instanceof Error)) return null;
  const known = 'code' in error && typeof error.code === 'string' ? fastifyFailures[error.code] : undefined;
  if (known) return new Failure(known[0], known[1]);
  // Other refusals of the HTTP layer itself, such as a body that was cut off.
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status !== 'number' || status < 400 || status >= 500) return null;
  // A file or folder that is not handed out is as good as none.
  return new Failure(status === 403 || status === 404 ? 'not_found' : 'bad_request');
}

function failureBody(failure: Failure, requestId: string): FailureBody {
  const { message, code, fields } = failure;
  return { error: { message, code, ...(fields ? { fields } : {}), requestId } };
}

/** What a caller is told of an error. */
export const failureCode = (error: unknown): FailureCode => failureOf(error)?.code ?? 'internal';

/** The app's error handler. Anything that is not a Failure is logged and answered as "internal". */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = failureOf(error);
  if (failure === null || failure.code === 'internal') {
    request.log.error({ err: error, route: request.routeOptions.url ?? 'unknown' }, 'a call failed');
  }
  const said = failure ?? new Failure('internal');
  if (said.code === 'too_large') reply.header('connection', 'close');
  return reply
    .code(failures[said.code].status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(failureBody(said, request.id)));
}

/** What Node says of bytes that are no request, by its codes: the status line, and the sentence. */
const brokenRequests: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not come in full in time'],
};

/** Answers what never became a request, and closes the connection. Nothing is logged: anyone can send this, as often as they like. */
export function answerBrokenRequest(error: Error, socket: Duplex): void {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = brokenRequests[code] ?? ['400 Bad Request', 'this is no request of HTTP/1.1'];
  const body = JSON.stringify({ error: { message, code: 'bad_request' } } satisfies FailureBody);
  const head = [
    `HTTP/1.1 ${status}`,
    'connection: close',
    'cache-control: no-store',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  // Whoever sends what is no request may never close either.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
