// An access list as YAML: who owns it, what it grants, what it asks of its people, and when it is reviewed.
import * as z from 'zod/mini';
import { described, metadata, named, shortText, time, words } from './document-parts.ts';
import { parseDuration } from './duration.ts';
import { name } from './shapes.ts';
import { traitName } from './users.ts';
import { visible, visibleLines } from './visible-text.ts';

/** How often a list is reviewed, and after how many months that is. */
export const reviewFrequencies = { '1 month': 1, '3 months': 3, '6 months': 6, '1 year': 12 } as const;
export type ReviewFrequency = keyof typeof reviewFrequencies;
export const reviewFrequencyNames = Object.keys(reviewFrequencies) as [ReviewFrequency, ...ReviewFrequency[]];
/** Days of the month on which reviews are due. */
export const reviewDays = ['1', '15', 'last'] as const;
export type ReviewDay = (typeof reviewDays)[number];
/** What a list has that does not say otherwise. */
export const REVIEW_FREQUENCY_DEFAULT: ReviewFrequency = '6 months';
export const REVIEW_DAY_DEFAULT: ReviewDay = '1';
export const REVIEW_NOTICE_DEFAULT = '336h';

/** What has a place in a list: a person, or the members of another list. */
export const placeKinds = ['user', 'list'] as const;
export type PlaceKind = (typeof placeKinds)[number];
export const OWNERS_MOST = 100;
/** Members of one list, people and lists alike. */
export const MEMBERS_MOST = 1000;
/** Of the reason of a membership, and of the notes of a review, characters. */
export const NOTES_MOST_CHARACTERS = 1000;
export const GRANTED_MOST = 100;

const roleNames = z
  .array(
    named('role', z.string().check(z.minLength(1, 'not empty'), z.maxLength(255, 'at most 255 characters'), visible)),
  )
  .check(z.maxLength(GRANTED_MOST, `at most ${GRANTED_MOST} roles`));
const traitMap = z
  .record(traitName, words)
  .check(z.refine(map => Object.keys(map).length <= GRANTED_MOST, `at most ${GRANTED_MOST} traits`));
/** Roles and traits: what a list grants, or asks of its people. */
const rolesAndTraits = z.strictObject({ roles: z._default(roleNames, []), traits: z._default(traitMap, {}) });
export type RolesAndTraits = z.output<typeof rolesAndTraits>;
const none = { roles: [], traits: {} };

const owner = z.strictObject({
  name: described('Name of a user, or of an access list.', name),
  description: z.optional(shortText),
  membership_kind: z._default(
    described('`list`: the members of the access list of this name own it.', z.enum(placeKinds)),
    'user',
  ),
});

const member = z.strictObject({
  name: described('Name of a user, or of an access list.', name),
  membership_kind: z._default(
    described('`list`: the members of the access list of this name are members of it.', z.enum(placeKinds)),
    'user',
  ),
  expires: z.optional(described('When the membership ends; else it lasts.', time)),
  reason: z.optional(
    described(
      'Why.',
      z.string().check(z.maxLength(NOTES_MOST_CHARACTERS, `at most ${NOTES_MOST_CHARACTERS} characters`), visibleLines),
    ),
  ),
});
export type DeclaredMember = z.output<typeof member>;

const audit = z.strictObject({
  next_audit_date: z.optional(described('When the next review is due; else it is worked out.', time)),
  recurrence: z._default(
    z.strictObject({
      frequency: z._default(z.enum(reviewFrequencyNames), REVIEW_FREQUENCY_DEFAULT),
      day_of_month: z._default(z.union([z.enum(reviewDays), z.literal(1), z.literal(15)]), REVIEW_DAY_DEFAULT),
    }),
    { frequency: REVIEW_FREQUENCY_DEFAULT, day_of_month: REVIEW_DAY_DEFAULT },
  ),
  notifications: z._default(
    z.strictObject({
      start: z._default(
        described(
          'How long before a review is due its owners are told.',
          z.string().check(z.refine(text => parseDuration(text) !== undefined, 'a duration such as 336h or 14d')),
        ),
        REVIEW_NOTICE_DEFAULT,
      ),
    }),
    { start: REVIEW_NOTICE_DEFAULT },
  ),
});

/** An access list. Without members, those that it has stay as they are: they come and go while it stays. */
export const accessListDocument = z.strictObject({
  kind: z.literal('access_list'),
  version: z.literal('v1'),
  metadata,
  spec: z.strictObject({
    title: described(
      'What people call it.',
      z.string().check(z.minLength(1, 'not empty'), z.maxLength(255, 'at most 255 characters'), visible),
    ),
    description: z.optional(
      described('What it is for.', z.string().check(z.maxLength(4096, 'at most 4096 characters'), visibleLines)),
    ),
    owners: described(
      'Who may add and remove members, and reviews them.',
      z
        .array(owner)
        .check(z.minLength(1, 'at least one owner'), z.maxLength(OWNERS_MOST, `at most ${OWNERS_MOST} owners`)),
    ),
    members: z.optional(
      described(
        'Everybody who is in it: whoever is not named here is taken out. Without this, its members stay as they are.',
        z.array(member).check(z.maxLength(MEMBERS_MOST, `at most ${MEMBERS_MOST} members`)),
      ),
    ),
    audit: z._default(audit, {
      recurrence: { frequency: REVIEW_FREQUENCY_DEFAULT, day_of_month: REVIEW_DAY_DEFAULT },
      notifications: { start: REVIEW_NOTICE_DEFAULT },
    }),
    membership_requires: z._default(
      described('What members must have of their own for the list to give them anything.', rolesAndTraits),
      none,
    ),
    ownership_requires: z._default(
      described('What owners must have of their own to act as owners.', rolesAndTraits),
      none,
    ),
    grants: described('What members get while they are in it.', rolesAndTraits).check(
      z.refine(({ roles, traits }) => roles.length + Object.keys(traits).length > 0, 'at least one role or trait'),
    ),
  }),
});
export type AccessListDocument = z.output<typeof accessListDocument>;
