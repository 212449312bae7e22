// What somebody else says of this machine: the proof for a join token without a secret.
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { readJson } from '../../contract/json.ts';
import { Refused, UsageError } from '../verb.ts';

const MOST_MS = 30_000;
/** Where pods have the token that is made for the cluster (a projected volume, as the manual shows it). */
const POD_FILE = '/var/run/secrets/postern/token';

type Variables = Readonly<Record<string, string | undefined>>;

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--id-token-file: ${error instanceof Error ? error.message : file}`);
  }
};

/** Undefined for a token with a secret. `audience`: whom it must be for. Throws UsageError where there is none, Refused where GitHub gives none. */
export async function idTokenFor(
  token: string,
  file: string | undefined,
  audience: () => Promise<string>,
  env: Variables = process.env,
): Promise<string | undefined> {
  if (token.includes('.')) return undefined;
  if (file !== undefined) return readText(file);
  if (env.POSTERN_ID_TOKEN) return env.POSTERN_ID_TOKEN;
  if (env.ACTIONS_ID_TOKEN_REQUEST_URL && env.ACTIONS_ID_TOKEN_REQUEST_TOKEN)
    return askGitHub(env.ACTIONS_ID_TOKEN_REQUEST_URL, env.ACTIONS_ID_TOKEN_REQUEST_TOKEN, await audience());
  if (env.KUBERNETES_SERVICE_HOST) return readText(POD_FILE);
  throw new UsageError(
    'this join token has no secret: give --id-token-file FILE or POSTERN_ID_TOKEN, or run in a job of GitHub Actions with the permission id-token: write',
  );
}

async function askGitHub(address: string, bearer: string, audience: string): Promise<string> {
  const url = new URL(address);
  url.searchParams.set('audience', audience);
  const answer = await fetch(url, {
    headers: { authorization: `bearer ${bearer}` },
    redirect: 'error',
    signal: AbortSignal.timeout(MOST_MS),
  });
  const read = z.safeParse(z.object({ value: z.string() }), readJson(await answer.text()));
  if (!answer.ok || !read.success) throw new Refused(`GitHub Actions gave no ID token (${answer.status})`);
  return read.data.value;
}
