// What documents of resources share: their metadata, short texts, lists of words.
import * as z from 'zod/mini';
import { LABELS_MOST, labelName, labelValue, safeName } from './shapes.ts';
import { visible, visibleLines } from './visible-text.ts';

/** With the sentence that an editor shows beside its key. */
export const described = <Schema extends z.ZodMiniType>(text: string, schema: Schema): Schema =>
  schema.check(z.describe(text)) as Schema;
/** A text that names one of these: an editor offers those that there are. */
export const named = <Schema extends z.ZodMiniType>(names: 'role' | 'label', schema: Schema): Schema =>
  schema.check(z.meta({ names })) as Schema;

const description = z.string().check(z.maxLength(4096, 'at most 4096 characters'), visibleLines);
export const shortText = z.string().check(z.maxLength(255, 'at most 255 characters'), visible);
export const words = z
  .array(z.string().check(z.minLength(1, 'not empty'), z.maxLength(255, 'at most 255 characters'), visible))
  .check(z.maxLength(1000, 'at most 1000 items'));
const labels = z
  .record(labelName, labelValue)
  .check(z.refine(map => Object.keys(map).length <= LABELS_MOST, `at most ${LABELS_MOST} labels`));
/** RFC 3339. YAML hands over times as text. */
export const time = z.iso.datetime({ offset: true, error: 'a time such as 2030-01-31T08:00:00Z' });
export const metadataOf = <Name extends z.ZodMiniType<string>>(name: Name) =>
  z.strictObject({
    name: described('What it is called. It stays what it was made with.', name),
    namespace: z.optional(z.literal('default')),
    description: z.optional(described('What it is for, in words.', description)),
    labels: z.optional(described('Names with values that it can be found by.', labels)),
    expires: z.optional(described('When it goes by itself.', time)),
  });
export const metadata = metadataOf(safeName);
