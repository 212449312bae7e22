// What the palette knows of the gateway's things: answers by kind and by what was typed, each kept as long as it holds.
import type { Facts, Thing } from '../../../commands/command.ts';
import { type Asks, type Found, findLabelled, findThings } from '../../../commands/found.ts';
import { reaches } from '../../../commands/gates.ts';
import { createIndex, type Index, matchKinds, type Ranked, rank, reordered } from '../../../commands/rank.ts';
import { type SearchedNoun, searchedNouns } from '../../contract/search.ts';
import { nouns } from '../../features/nouns.ts';
import { type Recents, recentThing } from './recents.ts';

/** A thing made ready for ranking. */
interface ThingCandidate {
  readonly title: string;
  readonly words: readonly string[];
  readonly recency?: number;
  readonly thing: Thing;
}

/** Items of one kind asked for by one search, and of what is kept ready before anything is typed. */
const SEARCH_MOST = 50;
const READY_MOST = 500;
/** Answers older than this are asked for again, milliseconds. */
const FRESH_MS = 30_000;
/** Answers remembered per source. */
const ANSWERS_MOST = 60;

/** Answers that differ in nothing but spaces and case are one. */
const keyOf = (typed: string): string => typed.trim().toLowerCase().replace(/\s+/g, ' ');

/** Whether the person could see such things at all. The gateway checks again. */
export function isSought(noun: SearchedNoun, facts: Facts): boolean {
  const { page, lists } = nouns[noun];
  return page === undefined || lists === undefined ? facts.who !== null : reaches(page)(facts);
}

interface Answer {
  index: Index<ThingCandidate>;
  readonly complete: boolean;
}

/** The answers of one kind. */
function createSource(noun: SearchedNoun, recents: Recents) {
  let answers = new Map<string, Answer>();
  /** Too old to find anything by; until the gateway has answered, what was used lately is offered again by them. */
  let old: ReadonlyMap<string, Answer> = new Map();

  const recencyOf = (thing: Thing): number | undefined => recents.recencyOf(recentThing(thing.kind, thing.id));

  function candidate(thing: Thing): ThingCandidate {
    const recency = recencyOf(thing);
    return {
      title: thing.title,
      words: [thing.detail ?? '', ...(thing.labels ?? []).map(({ name, value }) => `${name}: ${value}`)],
      thing,
      ...(recency === undefined ? {} : { recency }),
    };
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
    noun,
    /** `isElsewhere`: they were of another cluster, and good for nothing more. */
    forget(isElsewhere: boolean): void {
      if (isElsewhere) old = new Map();
      else if (answers.size > 0) old = answers;
      answers = new Map();
    },
    /** What was used since counts. */
    reorder(): void {
      for (const answer of [...answers.values(), ...old.values()])
        answer.index = reordered(answer.index, ({ thing }) => recencyOf(thing));
    },
    keep(typed: string, { things, complete }: Found): void {
      if (answers.size >= ANSWERS_MOST) answers.clear();
      answers.set(keyOf(typed), { index: createIndex(things.map(candidate)), complete });
    },
    /** What is known here already, ranked. */
    known(typed: string): Ranked<ThingCandidate>[] {
      const key = keyOf(typed);
      const answer = nearest(key)?.answer ?? (key === '' ? old.get('') : undefined);
      if (answer === undefined) return [];
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
    /** The thing of that id, if it is in any answer. */
    byId(id: string): Thing | undefined {
      for (const { index } of [...answers.values(), ...old.values()]) {
        const found = index.items.find(({ thing }) => thing.id === id);
        if (found !== undefined) return found.thing;
      }
      return undefined;
    },
    /** Whether more fits than is known. */
    isCut: (typed: string): boolean => nearest(keyOf(typed))?.answer.complete === false,
    /** Whether the gateway has to be asked. */
    lacks(typed: string): boolean {
      return nearest(keyOf(typed))?.whole !== true;
    },
  };
}
export type Source = ReturnType<typeof createSource>;

export interface SourcesPorts {
  readonly asks: Asks;
  readonly facts: () => Facts;
  readonly recents: Recents;
  readonly now: () => number;
}

/** Everything that is found by its name, and servers by their labels. */
export function createSources({ asks, facts, recents, now }: SourcesPorts) {
  const servers = createSource('server', recents);
  const all = searchedNouns.map(noun => (noun === 'server' ? servers : createSource(noun, recents)));
  const labels = [createSource('server', recents)];
  let since = 0;
  let cluster = '';

  return {
    all,
    servers,
    people: all.filter(({ noun }) => noun === 'user'),
    labels,
    /** Before an opening: what was used since counts, and what is too old or of another cluster is forgotten. */
    freshen(): void {
      const { clusterId } = facts();
      const holds = cluster === clusterId && now() - since < FRESH_MS;
      for (const source of [...all, ...labels]) {
        if (!holds) source.forget(cluster !== clusterId);
        source.reorder();
      }
      if (holds) return;
      cluster = clusterId;
      since = now();
    },
    /** Asks for servers by their ids: those that were used last need not be among the first of a long list. */
    async askFor(ids: readonly string[]): Promise<void> {
      const asked = cluster;
      for (const id of ids) {
        const found = await findThings(asks, asked, ['server'], id, 1);
        if (asked === cluster) servers.keep(id, found.get('server') ?? { things: [], complete: true });
      }
    },
    /** Asks the gateway once for all that lack an answer, and remembers it. Rejects with ApiError. */
    async ask(lacking: readonly Source[], typed: string): Promise<void> {
      const asked = cluster;
      const most = keyOf(typed) === '' ? READY_MOST : SEARCH_MOST;
      const [first] = lacking;
      if (first !== undefined && labels.includes(first)) {
        const found = await findLabelled(asks, asked, typed, most);
        if (asked === cluster) first.keep(typed, found);
        return;
      }
      const found = await findThings(
        asks,
        asked,
        lacking.map(({ noun }) => noun),
        typed,
        most,
      );
      if (asked !== cluster) return;
      // What the gateway leaves out is not this person's to see: there is nothing of it to ask for again.
      for (const source of lacking) source.keep(typed, found.get(source.noun) ?? { things: [], complete: true });
    },
  };
}
