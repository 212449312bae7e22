// What a program on a server answered that the gateway itself had asked, without a terminal: all of it at once, and bounded.
import type { Shell } from '../ports/shell.ts';

interface Bounds {
  /** The server in words. */
  readonly hostname: string;
  /** Of output and errors together. */
  readonly mostBytes: number;
  readonly mostMs: number;
}
interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  /** Null where it did not come to its end. */
  readonly code: number | null;
  /** Why the connection broke; null: it did not. */
  readonly error: string | null;
}

/** Takes over a shell that nobody listens to yet; `heard` is called with its first bytes. Rejects with a sentence where it says too much or too slowly. */
export function answerOf(
  shell: Shell,
  { hostname, mostBytes, mostMs }: Bounds,
  heard: () => void = () => undefined,
): Promise<Answer> {
  const answered = Promise.withResolvers<Answer>();
  const said = { stdout: '', stderr: '' };
  const decoder = new TextDecoder();
  let isFirst = true;
  const fail = (problem: string): void => {
    answered.reject(new Error(problem));
    shell.close();
  };
  const timer = setTimeout(() => fail(`${hostname} did not answer in time`), mostMs);
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
