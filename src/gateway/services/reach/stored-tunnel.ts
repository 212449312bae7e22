// A machine that may dial in, as the store keeps it: its name is the digest of its key.
import * as z from 'zod/mini';
import type { NewResource, Resource } from '../../store/store.ts';

const spec = z.object({
  /** What it was joined for; whether that is there still, and still its own, the thing itself says. */
  serves: z.array(z.object({ kind: z.enum(['node', 'db', 'app']), name: z.string() })),
  /** Name of the join token. */
  token: z.string(),
  /** Where and when it was last seen: '' before that. */
  gateway: z._default(z.string(), ''),
  gatewayName: z._default(z.string(), ''),
  seenAt: z._default(z.string(), ''),
});
export type TunnelSpec = z.output<typeof spec>;

/** Null for a row that holds none. */
export function readTunnel({ spec: kept }: Pick<Resource, 'spec'>): TunnelSpec | null {
  const read = z.safeParse(spec, kept);
  return read.success ? read.data : null;
}

/** `name`: the tunnel's id; `title`: what the machine calls itself. */
export const newTunnel = (name: string, title: string, given: z.input<typeof spec>): NewResource => ({
  kind: 'tunnel',
  name,
  title,
  description: '',
  address: '',
  subtype: '',
  labels: {},
  words: [],
  spec: given,
  expires: null,
});
