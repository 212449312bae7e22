// A machine that has joined as a bot, as the store keeps it: what it may renew by, and by which copies it would be found out.
import * as z from 'zod/mini';
import type { BotInstance } from '../../../contract/bots.ts';
import type { NewResource, Resource } from '../../store/store.ts';

const spec = z.object({
  /** Id of the bot's user. */
  userId: z.string(),
  token: z.string(),
  generation: z.int(),
  /** Public key that the next renewal is signed with. */
  key: z.string(),
  /** Those of before, the last first: whoever signs with one of them holds a copy. */
  before: z.array(z.string()),
  renewed: z.string(),
  remoteAddr: z.string(),
  /** It joined with a secret, which it has no more: it renews by what it was given. */
  renews: z.boolean(),
});
export type InstanceSpec = z.output<typeof spec>;

/** Keys of before that are kept: with certificates of an hour, those of more than a day. */
export const KEYS_MOST = 64;

/** What of a stored instance is the gateway's; null for a row that holds none. */
export function readInstance({ spec: kept }: Pick<Resource, 'spec'>): InstanceSpec | null {
  const read = z.safeParse(spec, kept);
  return read.success ? read.data : null;
}

export const newInstance = (
  id: string,
  bot: string,
  method: string,
  given: InstanceSpec,
  expires: Date,
): NewResource => ({
  kind: 'bot_instance',
  name: id,
  title: bot,
  description: '',
  address: '',
  subtype: method,
  labels: {},
  words: [],
  spec: given,
  expires,
});

/** As lists show it; null for a row that holds none. */
export function shownInstance(row: Resource): BotInstance | null {
  const read = readInstance(row);
  if (!read || !row.expires) return null;
  return {
    id: row.name,
    token: read.token,
    method: row.subtype,
    generation: read.generation,
    joined: row.created.toISOString(),
    renewed: read.renewed,
    expires: row.expires.toISOString(),
    remoteAddr: read.remoteAddr,
  };
}
