// What a person chose for themselves, kept at the gateway (specification, sections 3 and 4).
import * as z from 'zod/mini';
import { call } from './call.ts';
import { ok } from './shapes.ts';

export const THEMES = { light: 1, dark: 2 } as const;

const shortText = z.string().check(z.maxLength(255));
export const preferences = z.object({
  theme: z._default(z.union([z.literal(1), z.literal(2)]), 1),
  assist: z._default(
    z.object({
      preferredLogins: z._default(z.array(shortText).check(z.maxLength(100)), []),
      viewMode: z._default(z.number().check(z.int(), z.minimum(1), z.maximum(4)), 1),
    }),
    { preferredLogins: [], viewMode: 1 },
  ),
  onboard: z._default(
    z.object({
      preferredResources: z._default(
        z.array(z.number().check(z.int(), z.minimum(0), z.maximum(5))).check(z.maxLength(6)),
        [],
      ),
      marketingParams: z._default(
        z.object({
          campaign: z._default(shortText, ''),
          source: z._default(shortText, ''),
          medium: z._default(shortText, ''),
          intent: z._default(shortText, ''),
        }),
        { campaign: '', source: '', medium: '', intent: '' },
      ),
      /** Ours: what the person answered to the questionnaire; absent until then. */
      survey: z.optional(
        z.object({ companyName: shortText, employeeCount: shortText, team: shortText, jobTitle: shortText }),
      ),
    }),
    { preferredResources: [], marketingParams: { campaign: '', source: '', medium: '', intent: '' } },
  ),
  /** Ours: rebound keys (command id -> chord, '' = none), pinned and recent things, saved views, table choices. */
  console: z._default(
    z.object({
      keys: z._default(z.record(shortText, shortText), {}),
      pinned: z._default(z.array(shortText).check(z.maxLength(500)), []),
      recent: z._default(z.array(shortText).check(z.maxLength(100)), []),
      columns: z._default(z.record(shortText, z.array(shortText)), {}),
      views: z._default(
        z.record(
          shortText,
          z.array(z.object({ title: shortText, search: z.string().check(z.maxLength(4096)) })).check(z.maxLength(50)),
        ),
        {},
      ),
      dense: z._default(z.boolean(), true),
      /** Beside the list of recordings: the last screen of the one under the cursor. */
      lastScreen: z._default(z.boolean(), false),
      /** Rows on a page of a list; 0: go on while scrolling. */
      pageRows: z._default(z.union([z.literal(0), z.literal(15), z.literal(50), z.literal(100)]), 0),
    }),
    { keys: {}, pinned: [], recent: [], columns: {}, views: {}, dense: true, lastScreen: false, pageRows: 0 },
  ),
});
export type Preferences = z.infer<typeof preferences>;

export const getPreferences = call('GET', 'user/preferences', {
  summary: "One's own preferences.",
  access: 'signedIn',
  reply: preferences,
});
export const putPreferences = call('PUT', 'user/preferences', {
  summary: "Keep one's own preferences.",
  access: 'signedIn',
  body: preferences,
  reply: ok,
  bodyLimitBytes: 262_144,
});
