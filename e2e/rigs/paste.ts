// A person who pastes the line of a join token into a shell: fetched by curl, run by sh, without the sudo of a machine that has one.
import { execFile } from 'node:child_process';

/** `line` as the gateway made it, or the script's address. `words`: options of the script. Resolves when it has ended, with all it said. */
export function pasteLine(
  line: string,
  ...words: readonly string[]
): Promise<{ readonly status: number; readonly said: string }> {
  const url = /'([^']+)'/.exec(line)?.[1] ?? line;
  const args = ['-c', `curl -fsSL "$0" | sh -s -- "$@"`, url, ...words];
  return new Promise(done =>
    execFile('sh', args, (error, out, err) =>
      done({ status: error === null ? 0 : Number(error.code), said: `${out}${err}` }),
    ),
  );
}
