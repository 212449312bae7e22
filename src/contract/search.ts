// One question over everything a person can reach, for the palette and for whatever else looks things up by name.
import * as z from 'zod/mini';
import { auditEvent } from './audit.ts';
import { call } from './call.ts';
import { cluster } from './clusters.ts';
import { listedSession } from './live-sessions.ts';
import { node } from './nodes.ts';
import { application, database, desktop, kube } from './resources.ts';
import { resourceItem } from './roles.ts';
import { clusterParams, countUpTo } from './shapes.ts';
import { user } from './users.ts';

/** What was found of one kind, as its own list shows it. `complete`: nothing else matches, so a narrower search need not be asked. */
const hits = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item), complete: z.boolean() });

const reply = {
  server: hits(node),
  session: hits(listedSession),
  /** Ended sessions of the last thirty days, newest first. */
  recording: hits(auditEvent),
  application: hits(application),
  database: hits(database),
  desktop: hits(desktop),
  kubernetes: hits(kube),
  user: hits(user),
  /** Without its YAML. */
  role: hits(z.omit(resourceItem, { content: true })),
  cluster: hits(cluster),
} as const;

/** What is searched, best known first. */
export const searchedNouns = Object.keys(reply) as readonly SearchedNoun[];
export type SearchedNoun = keyof typeof reply;
export const isSearched = (noun: string): noun is SearchedNoun => Object.hasOwn(reply, noun);

/** Characters of one search, and items of one kind that it answers at most. */
export const SEARCH_MOST_CHARACTERS = 512;
export const SEARCH_MOST_ITEMS = 500;
const ITEMS_DEFAULT = 20;

/** `server,user` as kinds to look for. */
const nouns = z.pipe(
  z.string().check(
    z.maxLength(255),
    z.refine(text => text.split(',').every(isSearched), `some of ${searchedNouns.join(',')}`),
  ),
  z.transform((text: string) => [...new Set(text.split(','))] as SearchedNoun[]),
);

export const search = call('GET', 'sites/:clusterId/search', {
  summary:
    'Everything this person may list that holds all words of a search, by kind. A kind that none of their roles lets them list is left out.',
  access: 'signedIn',
  params: clusterParams,
  query: z.object({
    /** Words that must all be found in an item; absent: the first items of each kind. */
    search: z.optional(z.string().check(z.maxLength(SEARCH_MOST_CHARACTERS))),
    /** Kinds to look for, separated by commas; absent: all. */
    nouns: z.optional(nouns),
    /** Items of each kind. */
    limit: z._default(countUpTo(SEARCH_MOST_ITEMS), ITEMS_DEFAULT),
  }),
  reply: z.partial(z.object(reply)),
});
