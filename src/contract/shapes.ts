// Small shapes that many calls share.
import * as z from 'zod/mini';
import { visible } from './visible-text.ts';

/** Answer of a call that has nothing to say. */
export const ok = z.object({ message: z.string() });
export const OK = { message: 'ok' };

/** Name of a label. Not `__proto__`, which no record of labels could hold. */
export const labelName = z
  .string()
  .check(z.regex(/^(?!__proto__$)[a-zA-Z/.0-9_*-]{1,255}$/, 'a label name of 1 to 255 letters, digits and / . _ * -'));
/** Whether a label can have this name. */
export const isLabelName = (text: string): boolean => z.safeParse(labelName, text).success;
/** Value of a label. */
export const labelValue = z.string().check(z.maxLength(1024, 'at most 1024 characters'), visible);
/** Labels that one thing has, at most. */
export const LABELS_MOST = 64;
/** Labels that are given to something. */
export const givenLabels = z
  .array(z.object({ name: labelName, value: labelValue }))
  .check(z.maxLength(LABELS_MOST, `at most ${LABELS_MOST} labels`));
const label = z.object({ name: z.string(), value: z.string() });
export type Label = z.infer<typeof label>;
export const labels = z.array(label);

/** RFC 3339, UTC. */
export const time = z.string();

/** Ids and names that appear in paths: never empty, never huge, no control characters. */
export const name = z
  .string()
  .check(z.minLength(1), z.maxLength(255), z.regex(/^[^\p{Cc}/]+$/u, 'no control characters or slashes'));

/** Names that stand in URLs and in file names of exports. */
export const safeName = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._@~+-]{0,254}$/,
      'a name that is safe in URLs: 1 to 255 letters, digits and . _ @ ~ + -',
    ),
  );

/** What whoever waits for an answer from elsewhere proves that it is theirs by: 32 random bytes, hex. */
export const verifier = z.string().check(z.regex(/^[0-9a-f]{64}$/, '64 hex digits'));

/** Path parameters. `-current-` stands for the gateway's own cluster. */
export const clusterParams = z.object({ clusterId: name });

/** A whole number from 1; whoever asks for more than `most` gets `most`: the answer says where it goes on. */
export const countUpTo = (most: number) =>
  z.pipe(
    z.coerce.number().check(z.int(), z.minimum(1)),
    z.transform((count: number) => Math.min(count, most)),
  );

/** Query of every paged resource list. */
export const listQuery = z.object({
  limit: z.optional(countUpTo(5000)),
  startKey: z.optional(z.string().check(z.maxLength(2048))),
  /** Ours: rows passed over, after `startKey` where there is one, so that a list can be scrolled to any place. */
  offset: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000_000))),
  query: z.optional(z.string().check(z.maxLength(4096))),
  search: z.optional(z.string().check(z.maxLength(1024))),
  sort: z.optional(z.string().check(z.maxLength(64))),
  searchAsRoles: z.optional(z.string().check(z.maxLength(8))),
});
export type ListQuery = z.infer<typeof listQuery>;

/** Answer of every paged list. `startKey` is "" at the end; `totalCount` is 0 when it was not computed. */
export const page = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ items: z.array(item), startKey: z.string(), totalCount: z.number() });
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly startKey: string;
  readonly totalCount: number;
}
