// Where the palette finds things: one source per kind, each asking the gateway, remembering answers, dropping none that still holds.

import type { Facts, Thing } from '../../../commands/command.ts';
import {
  type Asks,
  type Found,
  findApplications,
  findClusters,
  findDatabases,
  findDesktops,
  findKubes,
  findLabelled,
  findRecordings,
  findRoles,
  findServers,
  findSessions,
  findUsers,
} from '../../../commands/find.ts';
import { reaches } from '../../../commands/gates.ts';
import { createIndex, type Index, matchKinds, type Ranked, rank, reordered } from '../../../commands/rank.ts';
import { type Recents, recentThing } from './recents.ts';

/** A thing made ready for ranking. */
export interface ThingCandidate {
  readonly title: string;
  readonly words: readonly string[];
  readonly recency?: number;
  readonly thing: Thing;
}

/** A kind of thing, and what Enter and Mod+Enter do with one. */
export interface Kind {
  readonly id: string;
  readonly when: (facts: Facts) => boolean;
  readonly find: (asks: Asks, facts: Facts, typed: string, most: number) => Promise<Found>;
  /** Command that Enter runs with the thing. */
  readonly command?: string;
}

/** Things the whole palette looks for, by kind. */
export const kinds: readonly Kind[] = [
  {
    id: 'server',
    when: reaches('nodes'),
    find: (asks, facts, typed, most) => findServers(asks, facts.clusterId, typed, most),
    command: 'shell.open',
  },
  {
    id: 'session',
    when: facts => facts.who !== null,
    find: (asks, facts, typed, most) => findSessions(asks, facts.clusterId, typed, most),
    command: 'session.join',
  },
  {
    id: 'recording',
    when: reaches('recordings'),
    find: (asks, facts, typed, most) => findRecordings(asks, facts.clusterId, typed, most),
    command: 'recording.play',
  },
  {
    id: 'application',
    when: reaches('apps'),
    find: (asks, facts, typed, most) => findApplications(asks, facts.clusterId, typed, most),
  },
  {
    id: 'database',
    when: reaches('databases'),
    find: (asks, facts, typed, most) => findDatabases(asks, facts.clusterId, typed, most),
  },
  {
    id: 'desktop',
    when: reaches('desktops'),
    find: (asks, facts, typed, most) => findDesktops(asks, facts.clusterId, typed, most),
  },
  {
    id: 'kubernetes',
    when: reaches('kubes'),
    find: (asks, facts, typed, most) => findKubes(asks, facts.clusterId, typed, most),
  },
  { id: 'user', when: reaches('users'), find: (asks, _facts, typed, most) => findUsers(asks, typed, most) },
  { id: 'role', when: reaches('roles'), find: (asks, _facts, typed, most) => findRoles(asks, typed, most) },
  {
    id: 'cluster',
    when: reaches('clusters'),
    find: (asks, facts, typed, most) => findClusters(asks, facts.config.proxyCluster, typed, most),
    command: 'cluster.switch',
  },
];
/** Behind the prefix `@`. */
export const people: readonly Kind[] = kinds.filter(kind => kind.id === 'user');
/** Behind the prefix `#`. */
export const labelled: readonly Kind[] = [
  {
    id: 'label',
    when: reaches('nodes'),
    find: (asks, facts, typed, most) => findLabelled(asks, facts.clusterId, typed, most),
    command: 'shell.open',
  },
];

/** Rows asked of the gateway for one search, and for what is kept ready before anything is typed. */
const SEARCH_MOST = 50;
const READY_MOST = 500;
/** Answers older than this are asked for again, milliseconds. */
const FRESH_MS = 30_000;
/** Answers remembered per source. */
const ANSWERS_MOST = 60;

interface Answer {
  index: Index<ThingCandidate>;
  readonly complete: boolean;
}

export interface SourcePorts {
  readonly asks: Asks;
  readonly facts: () => Facts;
  readonly recents: Recents;
  readonly now: () => number;
}

/** One kind of thing with the answers it was given so far. */
export function createSource(kind: Kind, ports: SourcePorts) {
  let answers = new Map<string, Answer>();
  let since = 0;
  let cluster = '';

  const keyOf = (typed: string): string => typed.trim().toLowerCase().replace(/\s+/g, ' ');

  const recencyOf = (thing: Thing): number | undefined => ports.recents.recencyOf(recentThing(thing.kind, thing.id));

  function candidate(thing: Thing): ThingCandidate {
    const recency = recencyOf(thing);
    return {
      title: thing.title,
      words: thing.detail === undefined ? [] : [thing.detail],
      thing,
      ...(recency === undefined ? {} : { recency }),
    };
  }

  /** Before an opening: what was used since counts, and what is too old or of another cluster is forgotten. */
  function freshen(): void {
    const { clusterId } = ports.facts();
    if (cluster === clusterId && ports.now() - since < FRESH_MS) {
      for (const answer of answers.values()) answer.index = reordered(answer.index, ({ thing }) => recencyOf(thing));
      return;
    }
    answers = new Map();
    since = ports.now();
    cluster = clusterId;
  }

  /** The answer to the longest beginning of what was typed, and whether it can hold everything that matches. */
  function nearest(typed: string): { readonly answer: Answer; readonly whole: boolean } | undefined {
    for (let length = typed.length; length >= 0; length--) {
      const answer = answers.get(typed.slice(0, length).trimEnd());
      if (answer !== undefined) return { answer, whole: answer.complete || length === typed.length };
    }
    return undefined;
  }

  return {
    kind,
    freshen,
    /** What is known here already, ranked. */
    known(typed: string): Ranked<ThingCandidate>[] {
      const key = keyOf(typed);
      const found = nearest(key);
      if (found === undefined) return [];
      const { answer } = found;
      const ranked = rank(answer.index, key);
      if (answers.get(key) !== answer || key === '') return ranked;
      // The gateway also matches what is not shown here, such as a server's id: its answer counts as it is.
      const seen = new Set(ranked.map(({ item }) => item));
      const others = answer.index.items.filter(item => !seen.has(item));
      return [
        ...ranked,
        ...others.map((item): Ranked<ThingCandidate> => ({ item, kind: matchKinds.words, begins: false, ranges: [] })),
      ];
    },
    /** Whether the gateway has to be asked. */
    lacks(typed: string): boolean {
      return nearest(keyOf(typed))?.whole !== true;
    },
    /** Asks the gateway and remembers the answer. Throws ApiError. */
    async ask(typed: string): Promise<void> {
      const key = keyOf(typed);
      const asked = cluster;
      const { things, complete } = await kind.find(
        ports.asks,
        ports.facts(),
        typed.trim(),
        key === '' ? READY_MOST : SEARCH_MOST,
      );
      if (asked !== cluster) return;
      if (answers.size >= ANSWERS_MOST) answers.clear();
      answers.set(key, { index: createIndex(things.map(candidate)), complete });
    },
  };
}
export type Source = ReturnType<typeof createSource>;
