// Access lists: people are given roles and traits by being in a list, whose owners review it again and again.
import * as z from 'zod/mini';
import {
  MEMBERS_MOST,
  NOTES_MOST_CHARACTERS,
  placeKinds,
  reviewDays,
  reviewFrequencyNames,
} from './access-list-documents.ts';
import { call } from './call.ts';
import { content, resourceItem } from './roles.ts';
import { clusterParams, name, ok, safeName, time } from './shapes.ts';
import { visibleLines } from './visible-text.ts';

/** Lists in lists. */
export const NESTED_MOST = 10;

const note = z
  .string()
  .check(z.maxLength(NOTES_MOST_CHARACTERS, `at most ${NOTES_MOST_CHARACTERS} characters`), visibleLines);
const kind = z.enum(placeKinds);
const rolesAndTraits = z.object({ roles: z.array(z.string()), traits: z.record(z.string(), z.array(z.string())) });

const accessListOwner = z.object({
  /** Of a list: its name. */
  name: z.string(),
  /** What people call it. */
  title: z.string(),
  kind,
  description: z.string(),
  /** Why it counts for nothing now; empty: it counts. */
  ineligible: z.string(),
});
export type AccessListOwner = z.infer<typeof accessListOwner>;
const accessListMember = z.object({
  name: z.string(),
  title: z.string(),
  kind,
  joined: time,
  /** Empty: it lasts. */
  expires: z.string(),
  reason: z.string(),
  addedBy: z.string(),
  ineligible: z.string(),
});
export type AccessListMember = z.infer<typeof accessListMember>;

export const accessList = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  grants: rolesAndTraits,
  owners: z.array(accessListOwner),
  /** People and lists that are members of it directly. Null for whoever may not see them. */
  memberCount: z.nullable(z.number()),
  /** When it is to be reviewed next. */
  nextReview: time,
  /** The owners are told that it is to be reviewed. */
  isDue: z.boolean(),
  isOverdue: z.boolean(),
  /** Whether whoever asks is a member, directly or through a list. */
  isMember: z.boolean(),
  /** Why a membership of whoever asks gives nothing; empty: it does, or there is none. */
  ineligible: z.string(),
  isOwner: z.boolean(),
  /** Whoever asks may add and remove members and review it. */
  mayManage: z.boolean(),
  /** Whoever asks may change the list itself. */
  mayEdit: z.boolean(),
  mayDelete: z.boolean(),
});
export type AccessList = z.infer<typeof accessList>;

const accessListReview = z.object({
  id: z.string(),
  reviewer: z.string(),
  time,
  notes: z.string(),
  /** Who was taken out, by name. */
  removed: z.array(z.string()),
  kept: z.number(),
});
/** One list with its people; those that see it as members only see neither members nor history. */
const wholeAccessList = z.extend(accessList, {
  members: z.array(accessListMember),
  membershipRequires: rolesAndTraits,
  ownershipRequires: rolesAndTraits,
  frequency: z.enum(reviewFrequencyNames),
  dayOfMonth: z.enum(reviewDays),
  /** How long before a review is due owners are told, such as `336h`. */
  notice: z.string(),
  /** The newest first. */
  reviews: z.array(accessListReview),
});
export type WholeAccessList = z.infer<typeof wholeAccessList>;

const listParams = z.extend(clusterParams, { name });
const memberParams = z.extend(listParams, { memberKind: kind, member: name });
/** Until when, and why. */
const terms = z.object({
  /** Empty: it lasts. */
  expires: z._default(
    z.union([
      z.literal(''),
      z.iso.datetime({ offset: true, error: 'a time such as 2030-01-31T08:00:00Z, or nothing' }),
    ]),
    '',
  ),
  reason: z._default(note, ''),
});

export const listAccessLists = call('GET', 'sites/:clusterId/accesslists', {
  summary: 'The access lists that one is in or owns; all of them for whoever may list access lists.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({ items: z.array(accessList) }),
});
export const getAccessList = call('GET', 'sites/:clusterId/accesslists/:name', {
  summary: 'One access list: its owners, and for owners its members, requirements and reviews.',
  access: 'signedIn',
  params: listParams,
  reply: wholeAccessList,
});
export const getAccessListYaml = call('GET', 'sites/:clusterId/accesslists/:name/yaml', {
  summary: 'One access list as YAML, without its members.',
  access: { resource: 'access_list', verb: 'read' },
  params: listParams,
  reply: resourceItem,
});
export const createAccessList = call('POST', 'sites/:clusterId/accesslists', {
  summary: 'Create an access list from YAML.',
  access: { resource: 'access_list', verb: 'create' },
  params: clusterParams,
  body: content,
  reply: resourceItem,
});
export const updateAccessList = call('PUT', 'sites/:clusterId/accesslists/:name', {
  summary: 'Change an access list; renaming is refused. What it no longer grants ends at once.',
  access: { resource: 'access_list', verb: 'update' },
  params: z.extend(clusterParams, { name: safeName }),
  body: content,
  reply: resourceItem,
});
export const deleteAccessList = call('DELETE', 'sites/:clusterId/accesslists/:name', {
  summary: 'Delete an access list: what it granted ends at once.',
  access: { resource: 'access_list', verb: 'delete' },
  params: listParams,
  reply: ok,
});
export const addAccessListMember = call('POST', 'sites/:clusterId/accesslists/:name/members', {
  summary: 'Take a person, or the members of another list, into an access list. For its owners.',
  access: 'signedIn',
  params: listParams,
  body: z.extend(terms, { kind: z._default(kind, 'user'), name }),
  reply: accessListMember,
});
export const updateAccessListMember = call('PUT', 'sites/:clusterId/accesslists/:name/members/:memberKind/:member', {
  summary: 'Change until when a membership lasts, and why. For owners of the list.',
  access: 'signedIn',
  params: memberParams,
  body: terms,
  reply: accessListMember,
});
export const removeAccessListMember = call('DELETE', 'sites/:clusterId/accesslists/:name/members/:memberKind/:member', {
  summary: 'Take a member out: what the list granted ends at once. For owners of the list.',
  access: 'signedIn',
  params: memberParams,
  reply: ok,
});
export const reviewAccessList = call('POST', 'sites/:clusterId/accesslists/:name/reviews', {
  summary: 'Review an access list: whoever is named is taken out, all others stay, and the next review is set.',
  access: 'signedIn',
  params: listParams,
  body: z.object({
    notes: z._default(note, ''),
    remove: z._default(
      z.array(z.object({ kind, name })).check(z.maxLength(MEMBERS_MOST, `at most ${MEMBERS_MOST} members`)),
      [],
    ),
  }),
  reply: wholeAccessList,
});
