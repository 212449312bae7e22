// What a program on a server answered that the gateway itself had asked, without a terminal: all of it at once, and bounded.
import type { Connector, Target } from '../ports/servers.ts';

const SIZE = { cols: 80, rows: 24 };
/** Longest that an answer may take, and the certificate it is asked with counts. */
const ANSWER_MOST_MS = 30_000;

interface Question {
  /** A login that a prepared server keeps for such questions. */
  readonly login: string;
  /** The session it is about. */
  readonly sid: string;
  readonly command: string;
  /** Of output and errors together. */
  readonly mostBytes: number;
}
interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  /** Null where it did not come to its end. */
  readonly code: number | null;
  /** Why the connection broke; null: it did not. */
  readonly error: string | null;
}

/**
 * Asks a server over a connection of the gateway's own; `heard` is called with the first bytes that come back. Rejects as `Connector.open`, and
 * with a sentence where it says too much or too slowly.
 */
export async function answerOf(
  connector: Pick<Connector, 'open'>,
  target: Target,
  { login, sid, command, mostBytes }: Question,
  heard: () => void = () => undefined,
): Promise<Answer> {
  const shell = await connector.open(target, {
    user: 'postern',
    ...{ sid, login, command },
    size: SIZE,
    ttlMs: ANSWER_MOST_MS,
  });
  const { hostname } = target;
  const answered = Promise.withResolvers<Answer>();
  const said = { stdout: '', stderr: '' };
  const decoder = new TextDecoder();
  let isFirst = true;
  const fail = (problem: string): void => {
    answered.reject(new Error(problem));
    shell.close();
  };
  const timer = setTimeout(() => fail(`${hostname} did not answer in time`), ANSWER_MOST_MS);
  shell.onOutput((bytes, from) => {
    if (isFirst) heard();
    isFirst = false;
    said[from] += from === 'stdout' ? decoder.decode(bytes, { stream: true }) : Buffer.from(bytes).toString();
    if (said.stdout.length + said.stderr.length > mostBytes) fail(`${hostname} answered too much`);
  });
  shell.onExit(({ code, error }) => {
    answered.resolve({ ...said, code, error });
    shell.close();
  });
  shell.resume();
  return answered.promise.finally(() => clearTimeout(timer));
}
