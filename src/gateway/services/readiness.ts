// Whether the gateway can do its work, part by part: what sends traffic here asks, and a person who is told "not ready" must see why.
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Part -> what is wrong with it in a sentence, or null when it is ready. */
export type Readiness = Readonly<Record<'store' | 'recordings' | 'signing_keys', string | null>>;

export interface ReadinessParts {
  /** Reads something from the store. */
  readonly readStore: () => Promise<unknown>;
  readonly recordingsFolder: string;
  /** Issues a certificate that nobody gets. */
  readonly sign: () => unknown;
  /** Hears the whole of what is wrong: the answer goes to anybody who asks. */
  readonly report: (problem: string, error: unknown) => void;
}

export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  const ask = async (problem: string, try_: () => unknown): Promise<string | null> => {
    try {
      await try_();
      return null;
    } catch (error) {
      parts.report(problem, error);
      return problem;
    }
  };
  return async () => {
    const [store, recordings, signing_keys] = await Promise.all([
      ask('the store does not answer', parts.readStore),
      ask('recordings cannot be written', () => writable(parts.recordingsFolder)),
      ask('certificates cannot be signed', parts.sign),
    ]);
    return { store, recordings, signing_keys };
  };
}

/** The folder is made with the first recording: until then its parent must let it be made. Throws the system's own error. */
async function writable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    await access(dirname(folder), constants.W_OK | constants.X_OK);
  }
}
