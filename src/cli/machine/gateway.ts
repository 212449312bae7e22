// Reaches the gateway of a folder on this machine through its admin socket, whether it runs or not.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ADMIN_USER_HEADER, type DoorAnswer } from '../../contract/admin.ts';
import { Failure, type FailureCode, failures } from '../../contract/failure.ts';
import { Refused, UsageError } from '../verb.ts';

/** Longest wait for an answer, ms: probing a silent host takes ten seconds, checking a long audit log minutes. */
const ANSWER_MOST_MS = 600_000;
/** The program that finds the socket, or serves it while no gateway runs. */
const DOOR = resolve(import.meta.dirname, '../../gateway/admin/door.ts');

type Method = 'GET' | 'POST' | 'DELETE';

export interface Gateway {
  /** A gateway runs and answers; otherwise the folder is locked as long as this is open. */
  readonly running: boolean;
  /** Throws Failure as the gateway answered it. */
  call<Answer = unknown>(method: Method, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** Finds the gateway that the settings name, given as flags of "npm start". Throws UsageError for settings, Refused for the folder. */
export async function openGateway(settings: readonly string[]): Promise<Gateway> {
  if (!existsSync(DOOR))
    throw new Refused(
      'this verb is for the own account of a gateway, on its machine: run "npm run postern -- VERB" in its folder. Elsewhere, sign in with "sign-in"',
    );
  const child = spawn(process.execPath, [DOOR, ...settings], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>(done => child.once('close', () => done()));
  // It may have ended by itself, as it does when a gateway runs.
  child.stdin.on('error', () => {});
  const answer = await firstLine(child.stdout);
  if ('problems' in answer) {
    await ended;
    throw new (answer.mistyped ? UsageError : Refused)(answer.problems.join('\n'));
  }
  return {
    running: answer.running,
    call: async <Answer>(method: Method, path: string, body?: unknown) =>
      (await ask(answer.socket, method, path, body)) as Answer,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

async function firstLine(output: NodeJS.ReadableStream): Promise<DoorAnswer> {
  for await (const line of createInterface({ input: output })) return JSON.parse(line) as DoorAnswer;
  throw new Refused('the gateway’s folder could not be opened');
}

function ask(socketPath: string, method: Method, path: string, body: unknown): Promise<unknown> {
  return new Promise((done, fail) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      [ADMIN_USER_HEADER]: userInfo().username,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = request({ socketPath, method, path, headers, timeout: ANSWER_MOST_MS }, response => {
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
    });
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
