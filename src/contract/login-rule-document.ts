// The document of a login rule. What stands in its expressions is read by login-rules.ts, whose engines no editor needs.
import * as z from 'zod/mini';
import { described, metadata } from './document-parts.ts';
import { traitName } from './users.ts';

/** Traits of one sign-in. */
export const TRAITS_MOST = 100;
const expression = z.string().check(z.minLength(1, 'not empty'), z.maxLength(4096, 'at most 4096 characters'));

/** The document of a login rule; exactly one of the two forms. What stands in it is read by `readLoginRule`. */
export const loginRuleDocument = z.strictObject({
  kind: z.literal('login_rule'),
  version: z.literal('v1'),
  metadata,
  spec: z
    .strictObject({
      priority: described(
        'Rules are applied from the lowest to the highest; of the same, by name.',
        z.int().check(z.minimum(-1000, 'at least -1000'), z.maximum(1000, 'at most 1000')),
      ),
      traits_map: z.optional(
        described(
          'The traits of the session, each with the expressions whose values it has. What is not named is gone.',
          z
            .record(traitName, z.array(expression).check(z.maxLength(100, 'at most 100 expressions')))
            .check(z.refine(map => Object.keys(map).length <= TRAITS_MOST, `at most ${TRAITS_MOST} traits`)),
        ),
      ),
      traits_expression: z.optional(
        described('In place of traits_map: one expression that stands for all traits of the session.', expression),
      ),
    })
    .check(
      z.refine(({ traits_map: map, traits_expression: all }) => (map === undefined) !== (all === undefined), {
        error: 'either traits_map or traits_expression, not both',
        path: ['traits_map'],
      }),
    ),
});
export type LoginRuleSpec = z.infer<typeof loginRuleDocument>['spec'];
