// Tokens by which the gateway is somebody in a cloud: from the metadata service of its own machine, kept in memory until shortly before their end.
import * as z from 'zod/mini';
import type { CloudProvider } from '../../../../contract/cloud-applications.ts';
import { Failure } from '../../../../contract/failure.ts';

/** Each answer may take this long, ms, and be this long, bytes. */
const ANSWER_MS = 10_000;
const ANSWER_MOST_BYTES = 65_536;
/** A token that ends within this time is asked for anew, ms. */
const FRESH_MS = 5 * 60_000;
/** One that is given for no longer is used for half of what it has. */
const SHORT_MS = 2 * FRESH_MS;
/** Kept at once: identities of people, times kinds of hosts. */
const KEPT_MOST = 2000;
/** What a service account is asked for; what it may do there, its grants in the cloud say. */
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** The most that Google Cloud gives unless an organisation says otherwise, seconds. */
const LIFE_SECONDS = 3600;
const IAM_HOST = 'iamcredentials.googleapis.com';

export interface CloudTokenParts {
  /** Address of the metadata service. */
  readonly metadata: string;
  /** Where a host of a cloud is. */
  readonly at: (host: string) => URL;
  readonly clock: () => Date;
}
export interface CloudTokens {
  /** `audience`: whom an identity of Azure shows it to. Throws Failure unreachable and denied with a sentence. */
  token(provider: CloudProvider, identity: string, audience: string): Promise<string>;
  /** Forgets one that the cloud does not take (any more). */
  forget(provider: CloudProvider, identity: string, audience: string): void;
  /** Whether the machine of the gateway is in that cloud. Throws Failure unreachable with a sentence. */
  probe(provider: CloudProvider): Promise<void>;
}
interface Held {
  readonly text: Promise<string>;
  until: number;
}
const azureToken = z.object({
  access_token: z.string().check(z.minLength(1)),
  /** Seconds since 1970, written as a text. */
  expires_on: z.coerce.number<string | number>(),
});
const machineToken = z.object({ access_token: z.string().check(z.minLength(1)) });
const accountToken = z.object({ accessToken: z.string().check(z.minLength(1)), expireTime: z.string() });
/** What both say of a refusal: Azure's metadata service (RFC 6749, section 5.2), and Google's APIs. */
const refusal = z.object({
  error_description: z.optional(z.string()),
  error: z.optional(z.union([z.string(), z.object({ message: z.optional(z.string()) })])),
});

export function createCloudTokens({ metadata, at, clock }: CloudTokenParts): CloudTokens {
  const held = new Map<string, Held>();
  const absent = (provider: CloudProvider): Failure =>
    new Failure(
      'unreachable',
      provider === 'azure'
        ? `the gateway does not run in Azure, or has no managed identity: no metadata service answers at ${metadata}`
        : `the gateway does not run in Google Cloud, or has no service account: no metadata service answers at ${metadata}`,
    );

  async function ask(url: URL, init: RequestInit): Promise<{ readonly answer: Response; readonly json: unknown }> {
    // Never followed: what is asked holds a token, or gives one.
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    return { answer, json: jsonIn(await shortText(answer)) };
  }
  const askMetadata = (provider: CloudProvider, path: string) =>
    ask(new URL(path, metadata), {
      headers: provider === 'azure' ? { Metadata: 'true' } : { 'Metadata-Flavor': 'Google' },
    }).then(
      asked => {
        // Whatever else answers at that address is no metadata service (Google Cloud, "Detect if a VM is running").
        if (provider === 'gcp' && asked.answer.headers.get('metadata-flavor') !== 'Google') throw absent(provider);
        return asked;
      },
      () => {
        throw absent(provider);
      },
    );
  const refused = (code: 'denied' | 'unreachable', what: string, json: unknown, status: number): Failure => {
    const { error, error_description } = z.safeParse(refusal, json).data ?? {};
    const said = error_description ?? (typeof error === 'string' ? error : error?.message) ?? `it answers ${status}`;
    return new Failure(code, `${what}: ${said.replace(/\s+/g, ' ').slice(0, 300)}`);
  };

  async function ofAzure(identity: string, audience: string): Promise<{ text: string; ends: number }> {
    const query = new URLSearchParams({
      'api-version': '2018-02-01',
      resource: audience,
      [identity.startsWith('/') ? 'msi_res_id' : 'client_id']: identity,
    });
    const { answer, json } = await askMetadata('azure', `/metadata/identity/oauth2/token?${query}`);
    const read = answer.ok ? z.safeParse(azureToken, json) : null;
    if (!read?.success)
      throw refused('denied', `Azure does not let the gateway act as ${identity}`, json, answer.status);
    return { text: read.data.access_token, ends: read.data.expires_on * 1000 };
  }
  async function ofGoogle(identity: string): Promise<{ text: string; ends: number }> {
    const own = await askMetadata('gcp', '/computeMetadata/v1/instance/service-accounts/default/token');
    const machine = own.answer.ok ? z.safeParse(machineToken, own.json) : null;
    if (!machine?.success) throw absent('gcp');
    const what = `Google Cloud does not let the gateway act as ${identity}`;
    const asked = await ask(
      new URL(`/v1/projects/-/serviceAccounts/${encodeURIComponent(identity)}:generateAccessToken`, at(IAM_HOST)),
      {
        method: 'POST',
        headers: { authorization: `Bearer ${machine.data.access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ scope: [SCOPE], lifetime: `${LIFE_SECONDS}s` }),
      },
    ).catch(() => {
      throw new Failure('unreachable', `${IAM_HOST} does not answer`);
    });
    const read = asked.answer.ok ? z.safeParse(accountToken, asked.json) : null;
    if (!read?.success) throw refused('denied', what, asked.json, asked.answer.status);
    return { text: read.data.accessToken, ends: Date.parse(read.data.expireTime) };
  }
  const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

  return {
    token(provider, identity, audience) {
      const key = keyOf(provider, identity, audience);
      const now = clock().getTime();
      const kept = held.get(key);
      if (kept && now < kept.until) return kept.text;
      const asked = provider === 'azure' ? ofAzure(identity, audience) : ofGoogle(identity);
      // Who comes meanwhile waits for the same answer.
      const one: Held = { text: asked.then(({ text }) => text), until: Number.POSITIVE_INFINITY };
      held.delete(key);
      for (const oldest of held.keys()) if (held.size >= KEPT_MOST) held.delete(oldest);
      held.set(key, one);
      asked.then(
        ({ ends }) => {
          const left = ends - clock().getTime();
          one.until = clock().getTime() + (left > SHORT_MS ? left - FRESH_MS : Math.max(0, left / 2));
          if (Number.isNaN(one.until)) one.until = 0;
        },
        () => {
          if (held.get(key) === one) held.delete(key);
        },
      );
      return one.text;
    },
    forget: (...of) => void held.delete(keyOf(...of)),
    async probe(provider) {
      const path =
        provider === 'azure'
          ? '/metadata/instance/compute/azEnvironment?api-version=2021-02-01&format=text'
          : '/computeMetadata/v1/instance/service-accounts/default/email';
      const { answer } = await askMetadata(provider, path);
      if (!answer.ok) throw absent(provider);
    },
  };
}

/** What an answer holds, up to a bound; beyond that it is no token. */
async function shortText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > ANSWER_MOST_BYTES) throw new Error('the answer is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
