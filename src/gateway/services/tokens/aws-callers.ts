// Who a machine is to AWS: it signs a request of its own for STS, with a challenge of the gateway's in it, and the gateway sends that to the STS of the
// region. Nothing but the region and what was signed comes from the machine: host, path and body are the gateway's.
import { randomBytes } from 'node:crypto';
import { awsRegion } from '../../../contract/aws-shapes.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Challenges } from '../../store/store.ts';
import { digest } from '../secrets.ts';

/** A challenge is good for so long, ms. */
const CHALLENGE_MS = 120_000;
const PURPOSE = 'iam_join';
/** What a machine shows is this long at most, characters: session tokens of AWS are some 1500. */
const SHOWN_MOST = 8192;
export const CHALLENGE_HEADER = 'x-postern-challenge';
/** Headers that are sent on, each as the machine signed it. */
const HEADERS = ['authorization', 'x-amz-date', 'x-amz-security-token', CHALLENGE_HEADER] as const;

/** Who AWS says that a request is from. */
export interface AwsCaller {
  readonly account: string;
  readonly arn: string;
}
export interface AwsCallerParts {
  readonly challenges: Pick<Challenges, 'create' | 'get'>;
  readonly clock: () => Date;
  /** Sends GetCallerIdentity with these headers to the STS of a region. Throws Failure denied, unavailable. */
  readonly callerOf: (region: string, headers: Readonly<Record<string, string>>) => Promise<AwsCaller>;
}

export function createAwsCallers({ challenges, clock, callerOf }: AwsCallerParts) {
  return {
    /** A challenge for whoever joins with the token of this name. */
    async challenge(token: string): Promise<string> {
      const challenge = randomBytes(32).toString('base64url');
      const now = clock();
      const expires = new Date(now.getTime() + CHALLENGE_MS);
      await challenges.create({ id: idOf(challenge), userId: '', purpose: PURPOSE, scope: token, expires }, now);
      return challenge;
    },
    /**
     * Who shows this: lines `name: value`, the region and what was signed. `id`: of its challenge, which counts once. Throws Failure denied,
     * unavailable.
     */
    async verify(token: string, shown: string): Promise<{ readonly caller: AwsCaller; readonly id: string }> {
      const { region, headers, challenge } = readShown(shown);
      const id = idOf(challenge);
      const kept = await challenges.get(id);
      if (kept?.purpose !== PURPOSE || kept.scope !== token || kept.expires <= clock())
        throw refused('its challenge is not one of the last two minutes, or has been used');
      return { caller: await callerOf(region, headers), id };
    },
  };
}

const idOf = (challenge: string): string => digest(`${PURPOSE} ${challenge}`);
const refused = (why: string): Failure => new Failure('denied', `the request for AWS is not taken: ${why}`);

/** Throws Failure denied. */
function readShown(shown: string): {
  readonly region: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly challenge: string;
} {
  if (shown.length > SHOWN_MOST) throw refused(`it is longer than ${SHOWN_MOST} characters`);
  const said = new Map<string, string>();
  for (const line of shown.trim().split('\n')) {
    const [, name = '', value = ''] = /^([a-z-]+): ([\x21-\x7e][\x20-\x7e]*)$/.exec(line.trimEnd()) ?? [];
    if (name !== 'region' && !HEADERS.some(one => one === name))
      throw refused('it holds a line that is not understood');
    if (said.has(name)) throw refused(`it says ${name} twice`);
    said.set(name, value);
  }
  const region = said.get('region') ?? '';
  if (!awsRegion.safeParse(region).success) throw refused('its region is none of AWS');
  const challenge = said.get(CHALLENGE_HEADER) ?? '';
  const authorization = said.get('authorization') ?? '';
  const [, signedFor, signed = ''] =
    /^AWS4-HMAC-SHA256 Credential=\w{16,128}\/\d{8}\/([\w-]+)\/sts\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=[0-9a-f]{64}$/.exec(
      authorization,
    ) ?? [];
  if (signedFor === undefined) throw refused('it has no signature of version 4 for sts');
  if (signedFor !== region) throw refused(`it is signed for ${signedFor}, not for ${region}`);
  // What is not signed proves nothing: anybody could have written it.
  const missing = ['host', 'x-amz-date', CHALLENGE_HEADER].find(name => !signed.split(';').includes(name));
  if (missing !== undefined) throw refused(`${missing} is not signed`);
  said.delete('region');
  return { region, challenge, headers: Object.fromEntries(said) };
}
