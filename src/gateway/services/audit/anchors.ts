/**
 * The ends of the audit log's chains, signed and written down outside of it. The chain alone shows what was changed or taken out in the
 * middle; that its tail was cut off, or the whole chain made anew, shows only against what stands elsewhere.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import { readJson } from '../../../contract/json.ts';
import type { ChainHead, Events, Settings } from '../../store/store.ts';
import type { Receiver } from './receivers.ts';

const KEY = 'audit.anchor_key';
const EVERY_MS = 3_600_000;

const anchor = z.object({
  time: z.string(),
  cluster: z.string(),
  chains: z.array(z.object({ chain: z.string(), length: z.int(), hash: z.string() })),
});
const line = z.object({ anchor, signature: z.string() });

export interface AnchorParts {
  readonly events: Pick<Events, 'heads'>;
  readonly settings: Pick<Settings, 'putIfAbsent'>;
  readonly secrets: {
    seal(secret: string, place: string): Promise<string>;
    open(sealed: string, place: string): string;
  };
  readonly clusterName: string;
  readonly clock?: () => Date;
}

export interface Anchors {
  /** The ends of all chains now, as one line of JSON signed with Ed25519. */
  write(): Promise<string>;
  /** What lines written earlier say, oldest first. Throws Failure bad_request that names the line which this cluster has not signed. */
  read(lines: string): Promise<readonly ChainHead[]>;
}

export function createAnchors({
  events,
  settings,
  secrets,
  clusterName,
  clock = () => new Date(),
}: AnchorParts): Anchors {
  /** Made at its first use, and kept sealed. */
  async function signingKey() {
    const { privateKey } = generateKeyPairSync('ed25519');
    const made = await secrets.seal(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), KEY);
    const sealed = String(await settings.putIfAbsent(KEY, made));
    return createPrivateKey(secrets.open(sealed, KEY));
  }
  return {
    async write() {
      const chains = await events.heads();
      const said = { time: clock().toISOString(), cluster: clusterName, chains };
      const signature = sign(null, Buffer.from(JSON.stringify(said)), await signingKey());
      return JSON.stringify({ anchor: said, signature: signature.toString('base64url') });
    },
    async read(lines) {
      const key = createPublicKey(await signingKey());
      return lines.split('\n').flatMap((text, index) => {
        if (text.trim() === '') return [];
        const { data } = z.safeParse(line, readJson(text));
        const isSigned =
          data !== undefined &&
          verify(null, Buffer.from(JSON.stringify(data.anchor)), key, Buffer.from(data.signature, 'base64url'));
        if (!isSigned)
          throw new Failure('bad_request', `line ${index + 1} is not an anchor that cluster ${clusterName} has signed`);
        return data.anchor.chains;
      });
    },
  };
}

/** Writes an anchor down now, and every hour from then on: answers after how long, ms. Rejects as the receiver does. */
export const anchoring = (anchors: Pick<Anchors, 'write'>, receiver: Receiver) => async (): Promise<number> => {
  await receiver.deliver([{ position: 0, code: '', time: new Date(), json: await anchors.write() }]);
  return EVERY_MS;
};
