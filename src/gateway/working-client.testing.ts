// Programs of people's own, such as psql and kubectl, that go on while a test looks at what is kept of them.
import { spawn } from 'node:child_process';
import { expect, vi } from 'vitest';

/** A client that goes on once `typed` is written to it; resolves once it has said `shown`, with what kills it. You must kill it. `slow`: ms. */
export async function workingClient(
  file: string,
  args: readonly string[],
  typed: string,
  shown: string,
  slow: { readonly timeout: number; readonly interval: number },
): Promise<() => void> {
  const child = spawn(file, args, { stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
  child.stdin.on('error', () => undefined);
  child.stdin.write(typed);
  const kill = (): void => void child.kill('SIGKILL');
  try {
    // Also before the tests of a file, where nothing can be polled.
    await vi.waitFor(() => expect(said).toContain(shown), slow);
  } catch (error) {
    kill();
    throw error;
  }
  return kill;
}
