// What the palette finds for what was typed: commands known here, things known from the gateway, and a command typed whole.
import type { Argument, Command, Given, Thing } from '../../../commands/command.ts';
import { begun, begunLogin, written } from '../../../commands/complete.ts';
import { commandById, commands } from '../../../commands/index.ts';
import {
  type Candidate,
  compareRanked,
  createIndex,
  type Index,
  matchKinds,
  RANKED_MOST,
  type Ranked,
  rank,
} from '../../../commands/rank.ts';
import { readWhole, type WholeCommand } from '../../../commands/read.ts';
import { nounOf } from '../../features/nouns.ts';
import type { Commanding } from './commanding.ts';
import { recentCommand } from './recents.ts';
import { type CommandCandidate, commandRow, findable, type Row, thingRow, wholeRow } from './rows.ts';
import { createSources, isSought, type Source } from './sources.ts';

/** Letters that are enough to mean the first word of a phrase. */
const PHRASE_LEAST = 2;
const prefixes = { '>': 'commands', '@': 'people', '#': 'labels', '?': 'help' } as const;
type Mode = (typeof prefixes)[keyof typeof prefixes] | 'all';

/** What was typed, understood: where to look, and for which words. */
export interface Search {
  readonly mode: Mode;
  /** Without its prefix. */
  readonly text: string;
  /** The command that was typed whole, if one was. */
  readonly whole: WholeCommand | null;
  /** What things are searched for: in `ssh root@db` only `db`. */
  readonly needle: string;
  /** Answers typed beside it: in `ssh root@db` the login. */
  readonly ahead: Readonly<Record<string, string>>;
}

export interface FindingPorts extends Pick<Commanding, 'facts' | 'tools' | 'recents' | 'keymap'> {
  readonly now: () => number;
  readonly start: (command: Command, given: Given, ahead?: Readonly<Record<string, string>>) => void;
  readonly show: (thing: Thing) => void;
}

/** The question of a command that things answer. */
const lookedFor = ({ command }: WholeCommand): Argument | undefined =>
  command.args?.find(arg => arg.takes !== undefined);

/** The finding half of one palette. It keeps what the gateway answered from one opening to the next. */
export function createFinding(ports: FindingPorts) {
  const { facts, recents, now } = ports;
  const call = ((...given) => ports.tools().call(...given)) as ReturnType<FindingPorts['tools']>['call'];
  const known = createSources({ asks: { call }, facts, recents, now });
  const sources: Readonly<Record<Mode, readonly Source[]>> = { ...known, commands: [], help: [] };
  let index: Index<CommandCandidate> = createIndex([]);

  /** Sources that matter for a search, as far as the person reaches what is in them. */
  function asked({ mode, whole }: Search): readonly Source[] {
    return sources[mode].filter(
      ({ noun }) => isSought(noun, facts()) && (whole === null || noun === lookedFor(whole)?.takes),
    );
  }

  /** What Enter does with such a thing, unless the person may not: then it is shown where it is listed. */
  function primaryOf({ noun }: Source): Command | undefined {
    const { primary } = nounOf(noun);
    const command = primary === undefined ? undefined : commandById(primary);
    const isOpen = (command?.when?.(facts()) ?? true) && command?.blocked?.(facts()) === undefined;
    return isOpen ? command : undefined;
  }

  function verbs({ mode, text, whole }: Search): { readonly ranked: Ranked<Candidate>; readonly row: Row }[] {
    if (whole !== null || mode === 'people' || mode === 'labels') return [];
    // Before anything is typed the commands come as their table has them, which begins with what is wanted most.
    const ranked =
      text.trim() === ''
        ? index.items.map(item => ({ item, kind: matchKinds.exact, begins: false, ranges: [] }))
        : rank(index, text);
    const rows = ranked.map(one => ({
      ranked: one,
      row: commandRow(one, ports.keymap.keysOf(one.item.command.id), ports.start),
    }));
    return mode === 'help' ? rows.filter(({ row }) => row.keys !== undefined) : rows;
  }

  function things(search: Search): { readonly ranked: Ranked<Candidate>; readonly row: Row }[] {
    const { mode, whole, needle, ahead } = search;
    const all = asked(search).flatMap(source => {
      const actions = {
        command: whole?.command ?? primaryOf(source),
        start: (verb: Command, given: Given) => ports.start(verb, given, ahead),
        show: ports.show,
      };
      return source.known(needle).map(ranked => ({ ranked, row: thingRow(ranked, actions) }));
    });
    // Before anything is typed, of all things only those used lately are worth a row.
    return mode === 'all' && whole === null && needle.trim() === ''
      ? all.filter(({ ranked }) => ranked.item.recency !== undefined)
      : all;
  }

  return {
    /** Makes ready for an opening: what is too old is forgotten, what was used since counts. */
    prepare(): void {
      known.freshen();
      index = createIndex(findable(commands, facts(), command => recents.recencyOf(recentCommand(command.id))));
    },

    search(typed: string): Search {
      const first = typed.charAt(0);
      const mode = first in prefixes ? prefixes[first as keyof typeof prefixes] : 'all';
      const text = mode === 'all' ? typed : typed.slice(1).trimStart();
      const read = mode === 'all' || mode === 'commands' ? readWhole(commands, text, facts()) : null;
      const whole = read === null || Object.keys(read.answers).length === 0 ? null : read;
      const looked = whole === null ? undefined : lookedFor(whole)?.name;
      const needle = looked === undefined ? undefined : whole?.answers[looked];
      if (whole === null || looked === undefined || needle === undefined)
        return { mode, text, whole, needle: text, ahead: {} };
      const { [looked]: _searched, ...ahead } = whole.answers;
      return { mode, text, whole, needle, ahead };
    },

    /**
     * Everything that is known, best first. `strong`: only what the typed words begin, so that a weak match does not take the
     * first row from what the gateway is about to answer.
     */
    rows(search: Search, strong: boolean): Row[] {
      const isEmpty = search.needle.trim() === '';
      const found = [...verbs(search), ...things(search)].filter(
        ({ ranked }) => !strong || ranked.kind <= matchKinds.wordStart,
      );
      const last = Number.POSITIVE_INFINITY;
      const sorted = isEmpty
        ? found.sort(
            (a, b) =>
              Number(a.ranked.item.last ?? false) - Number(b.ranked.item.last ?? false) ||
              (a.ranked.item.recency ?? last) - (b.ranked.item.recency ?? last) ||
              0,
          )
        : found.sort((a, b) => compareRanked(a.ranked, b.ranked));
      const whole = search.whole === null ? [] : [wholeRow(search.whole, facts(), ports.start)];
      return [...whole, ...sorted.map(({ row }) => row)].slice(0, RANKED_MOST);
    },

    /** What Tab makes of the line: its next word, as the row under the cursor or the first one that fits has it. */
    complete(typed: string, search: Search, rows: readonly Row[], under: Row | undefined): string | undefined {
      const { whole, needle, mode, text } = search;
      const prefix = mode === 'all' ? '' : typed.slice(0, 1);
      if (whole === null) {
        // A first word may also stand in titles: it is a command's when a space follows, or when it begins a phrase such as `ssh`.
        const isSpoken = under === undefined || /\s/.test(text.trim());
        const spoken = isSpoken ? commands : commands.filter(({ phrase }) => phrase?.example.startsWith(text.trim()));
        const first = isSpoken || text.trim().length >= PHRASE_LEAST ? begun(spoken, text, facts()) : undefined;
        // What is typed may begin a command or stand inside a title: the title is what is on screen.
        const line = first ?? (under?.completes === true ? under.title : undefined);
        return line === undefined ? undefined : prefix + line;
      }
      const looked = lookedFor(whole);
      if (looked === undefined) return undefined;
      const fits = (row: Row): boolean =>
        row.thing?.title.toLowerCase().startsWith(needle.trim().toLowerCase()) === true;
      const thing = under?.thing ?? rows.find(fits)?.thing;
      if (thing !== undefined)
        return prefix + written(whole.command, { ...whole.answers, [looked.name]: thing.title }, text);
      const logins = sources.all.flatMap(source => source.known('').flatMap(({ item }) => item.thing.logins ?? []));
      const login = whole.answers.login === undefined ? begunLogin(needle, logins) : undefined;
      return login === undefined ? undefined : prefix + written(whole.command, { login }, text);
    },

    /** Sources whose gateway has to be asked. Nothing is asked for before anything is typed. */
    lacking(search: Search): readonly Source[] {
      if (search.mode === 'all' && search.whole === null && search.needle.trim() === '') return [];
      return asked(search).filter(source => source.lacks(search.needle));
    },

    /** Asks the gateway for what sources lack, all in one. Rejects with ApiError. */
    ask: (search: Search, lacking: readonly Source[]): Promise<void> => known.ask(lacking, search.needle),

    /** Fetches what is most likely to be looked for, so that the first letters find it at once. False when there is nothing to fetch. */
    async warm(): Promise<boolean> {
      const servers = sources.all.filter(({ noun }) => noun === 'server' && isSought(noun, facts()));
      known.freshen();
      const lacking = servers.filter(source => source.lacks(''));
      if (lacking.length === 0) return false;
      await known.ask(lacking, '');
      return true;
    },
  };
}
