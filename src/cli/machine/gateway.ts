// Reaches the gateway: the running one by its socket, or the store itself when none runs.
import { request } from 'node:http';
import { userInfo } from 'node:os';
import { Failure, type FailureCode, failures } from '../../contract/failure.ts';
import { ADMIN_USER_HEADER } from '../../gateway/admin/calls.ts';
import { adminSocket } from '../../gateway/admin/socket.ts';
import { type GatewayConfiguration, isLoopback } from '../../gateway/services/configuration/configuration.ts';

/** Longest wait for an answer, ms: probing a silent host takes ten seconds, checking a long audit log minutes. */
const ANSWER_MOST_MS = 600_000;
type Method = 'GET' | 'POST' | 'DELETE';

export interface Gateway {
  /** A gateway runs and answers; otherwise the folder is locked as long as this is open. */
  readonly running: boolean;
  /** Throws Failure as the gateway answered it. */
  call<Answer = unknown>(method: Method, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** Finds the gateway of a data folder. Throws FolderInUse when one holds the folder and does not answer. */
export async function openGateway(configuration: GatewayConfiguration): Promise<Gateway> {
  const headers = { [ADMIN_USER_HEADER]: userInfo().username };
  const path = adminSocket(configuration.dataFolder, process.env);
  if (await answers(path)) {
    return {
      running: true,
      call: async <Answer>(method: Method, url: string, body?: unknown) =>
        (await overSocket(path, method, url, headers, body)) as Answer,
      close: async () => {},
    };
  }
  // Loaded only now: a running gateway has all of this already.
  const [{ openCore }, { createAdmin }, { pino }] = await Promise.all([
    import('../../gateway/core.ts'),
    import('../../gateway/admin/admin.ts'),
    import('pino'),
  ]);
  const core = await openCore(configuration, pino({ level: 'silent' }));
  const admin = createAdmin(core, configuration.publicUrl ?? addressOf(configuration));
  return {
    running: false,
    async call<Answer>(method: Method, url: string, body?: unknown) {
      const answer = await admin.inject({
        method,
        url,
        headers,
        ...(body !== undefined && { payload: body as object }),
      });
      return read(answer.statusCode, answer.body) as Answer;
    },
    async close() {
      await admin.close();
      await core.close();
    },
  };
}

const addressOf = ({ listen, tls }: GatewayConfiguration): string =>
  `${tls ? 'https' : 'http'}://${isLoopback(listen.host) ? 'localhost' : listen.host}:${listen.port}`;

function answers(path: string): Promise<boolean> {
  return new Promise(done => {
    const probe = request({ socketPath: path, path: '/ca', timeout: 5000 }, response => {
      response.resume();
      done(true);
    });
    probe.on('timeout', () => probe.destroy());
    probe.on('error', () => done(false));
    probe.end();
  });
}

function overSocket(
  socketPath: string,
  method: Method,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<unknown> {
  return new Promise((done, fail) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(
      {
        socketPath,
        method,
        path,
        headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
        timeout: ANSWER_MOST_MS,
      },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => {
          try {
            done(read(response.statusCode ?? 500, Buffer.concat(chunks).toString()));
          } catch (error) {
            fail(error);
          }
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Failure('unreachable', 'the gateway did not answer')));
    sent.on('error', fail);
    sent.end(payload);
  });
}

/** Throws the answer's failure. */
function read(status: number, text: string): unknown {
  const body: unknown = JSON.parse(text);
  if (status < 400) return body;
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    message?: unknown;
  };
  const known = typeof code === 'string' && code in failures ? (code as FailureCode) : 'unknown';
  throw new Failure(known, typeof message === 'string' ? message : undefined);
}
