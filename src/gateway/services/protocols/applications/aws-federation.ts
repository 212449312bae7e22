// A way into the AWS console: credentials of a role for an hour at most, and an address that signs a browser in with them. The client of STS
// is loaded with the first of them.
import type { STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod/mini';
import { Failure } from '../../../../contract/failure.ts';
import type { Who } from '../../../ports/who.ts';
import { awsPartition } from '../../aws-console.ts';
import { digest } from '../../secrets.ts';

/** What STS allows at least, and what roles allow unless they say otherwise, seconds. */
const LEAST_SECONDS = 900;
const MOST_SECONDS = 3600;
/** Each of both answers may take this long, ms. */
const ANSWER_MS = 15_000;
/** A name of a session there, characters (STS, AssumeRole). */
const NAME_MOST = 64;
const DIGEST_CHARACTERS = 8;

export interface AwsFederationParts {
  readonly publicUrl: string;
  readonly clock: () => Date;
  /** In place of AWS: STS, and where browsers are signed in. */
  readonly aws?: { readonly sts: string; readonly signIn: string };
}
export interface AwsFederation {
  /** The address that signs a browser in as the role, good for 15 minutes. Throws Failure denied and unreachable with a sentence. */
  address(who: Pick<Who, 'user' | 'expires'>, uri: string, arn: string): Promise<string>;
}
const signInToken = z.object({ SigninToken: z.string().check(z.minLength(1)) });

export function createAwsFederation({ publicUrl, clock, aws }: AwsFederationParts): AwsFederation {
  /** By partition. */
  const clients = new Map<string, Promise<STSClient>>();
  const clientOf = (name: string, region: string): Promise<STSClient> => {
    const client =
      clients.get(name) ??
      import('@aws-sdk/client-sts').then(
        ({ STSClient }) =>
          new STSClient({
            // The machine's own configuration names another one where it does.
            ...(name !== 'aws' || !(process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION) ? { region } : {}),
            ...(aws && { endpoint: aws.sts }),
            maxAttempts: 2,
            requestHandler: { requestTimeout: ANSWER_MS, connectionTimeout: ANSWER_MS },
          }),
      );
    clients.set(name, client);
    return client;
  };

  async function credentialsOf(arn: string, who: Pick<Who, 'user' | 'expires'>, name: string, region: string) {
    const left = Math.floor((who.expires.getTime() - clock().getTime()) / 1000);
    const { AssumeRoleCommand } = await import('@aws-sdk/client-sts');
    try {
      const { Credentials } = await (await clientOf(name, region)).send(
        new AssumeRoleCommand({
          RoleArn: arn,
          RoleSessionName: sessionName(who.user),
          DurationSeconds: Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, left)),
        }),
      );
      const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials ?? {};
      if (!AccessKeyId || !SecretAccessKey || !SessionToken) throw new Error('it answered no credentials');
      return { sessionId: AccessKeyId, sessionKey: SecretAccessKey, sessionToken: SessionToken };
    } catch (error) {
      throw refusalOf(error, `AWS does not let the gateway act as ${arn}`);
    }
  }
  return {
    async address(who, uri, arn) {
      const partition = awsPartition(uri);
      if (!partition) throw new Failure('bad_request', `${uri} is not the AWS console`);
      const session = await credentialsOf(arn, who, partition.name, partition.region);
      const at = `${aws?.signIn ?? partition.signIn}/federation`;
      // Posted: the credentials are in no address that anybody on the way keeps.
      const asked = await fetch(at, {
        method: 'POST',
        body: new URLSearchParams({ Action: 'getSigninToken', Session: JSON.stringify(session) }),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      }).catch((error: unknown) => {
        throw refusalOf(error, `${new URL(at).host} does not answer`);
      });
      const read = asked.ok ? z.safeParse(signInToken, await asked.json().catch(() => null)) : null;
      if (!read?.success)
        throw new Failure('unreachable', `${new URL(at).host} gave no token to sign in with (${asked.status})`);
      const query = { Action: 'login', Issuer: publicUrl, Destination: uri, SigninToken: read.data.SigninToken };
      return `${at}?${new URLSearchParams(query)}`;
    },
  };
}

/** Names of people can hold what names of sessions there cannot: then a digest keeps apart who would look the same. */
function sessionName(user: string): string {
  const plain = user.replace(/[^\w+=,.@-]/g, '-');
  if (plain === user && user.length >= 2 && user.length <= NAME_MOST) return user;
  return `${plain.slice(0, NAME_MOST - DIGEST_CHARACTERS - 1)}-${digest(user).slice(0, DIGEST_CHARACTERS)}`;
}

function refusalOf(error: unknown, what: string): Failure {
  const { name = '', message = String(error) } = error instanceof Error ? error : {};
  if (name === 'CredentialsProviderError')
    return new Failure(
      'unreachable',
      `${what}: this gateway has no credentials of AWS (environment, profile or instance role)`,
    );
  return new Failure(name === 'AccessDenied' ? 'denied' : 'unreachable', `${what}: ${message.slice(0, 300)}`);
}
