// What the palette finds for what was typed: commands known here, things known from the gateway, and a command typed whole.
import { choiceOf, textChoice } from '../../../commands/answer.ts';
import type { Argument, Command, Given, Thing } from '../../../commands/command.ts';
import { begun, completed, written } from '../../../commands/complete.ts';
import { closedTo } from '../../../commands/gates.ts';
import { commandById, commands, registry } from '../../../commands/index.ts';
import { primaryOf } from '../../../commands/of-thing.ts';
import { compareRanked, createIndex, type Index, matchKinds, RANKED_MOST, rank } from '../../../commands/rank.ts';
import { commandNamed, readWhole, usageOf, type WholeCommand } from '../../../commands/read.ts';
import { whyNot, whyRefused } from '../../../commands/why.ts';
import type { Commanding } from './commanding.ts';
import type { Manual, ManualPlace } from './manual.ts';
import { recentAnswer, recentCommand, recentThing } from './recents.ts';
import {
  againRow,
  arranged,
  type CommandCandidate,
  commandRow,
  ENDING_GROUP,
  findable,
  grouped,
  type RankedRow,
  type Row,
  thingRow,
  wholeRow,
} from './rows.ts';
import { createSources, isSought, type Source } from './sources.ts';

/** Letters that are enough to mean the first word of a phrase. */
const PHRASE_LEAST = 2;
/** The parts of the manual, loaded when somebody first looks for help. */
const loadManual = () => import('./manual.ts');

const prefixes = { '>': 'commands', '@': 'people', '#': 'labels', '?': 'help' } as const;
type Mode = (typeof prefixes)[keyof typeof prefixes] | 'all';

/** Shells that are offered to be opened again, and how their logins are remembered. */
const AGAIN_MOST = 5;
const SHELL_LOGIN = recentAnswer('shell.open', 'login', [], '');

/** A line as it is being typed: the command's name, its arguments, and the place of the one that is being typed. */
export interface Typing {
  readonly name: string;
  readonly args: readonly string[];
  readonly now: number;
}

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

export interface FinderPorts extends Pick<Commanding, 'facts' | 'tools' | 'recents' | 'keymap'> {
  readonly now: () => number;
  readonly start: (command: Command, given: Given, ahead?: Readonly<Record<string, string>>) => void;
  readonly show: (thing: Thing) => void;
  readonly read: (place: ManualPlace) => void;
}

/** The question of a command that things answer. */
const lookedFor = ({ command }: WholeCommand): Argument | undefined =>
  command.args?.find(arg => arg.takes !== undefined);

/** The finder of one palette. It keeps what the gateway answered from one opening to the next. */
export function createFinder(ports: FinderPorts) {
  const { facts, recents, now } = ports;
  const call = ((...given) => ports.tools().call(...given)) as ReturnType<FinderPorts['tools']>['call'];
  const known = createSources({ asks: { call }, facts, recents, now });
  const { servers } = known;
  const sources: Readonly<Record<Mode, readonly Source[]>> = { ...known, commands: [], help: [] };
  let index: Index<CommandCandidate> = createIndex([]);
  let manual: Manual | undefined;

  /** Sources that matter for a search, as far as the person reaches what is in them. */
  function asked({ mode, whole }: Search): readonly Source[] {
    return sources[mode].filter(
      ({ noun }) => isSought(noun, facts()) && (whole === null || noun === lookedFor(whole)?.takes),
    );
  }

  /** A row that is refused for want of a rule explains itself. */
  function explained(row: Row): Row {
    const command = commandById('rights.why');
    const given = row.refused === undefined ? undefined : whyRefused(row.refused, facts());
    return command && given ? { ...row, why: () => ports.start(command, given) } : row;
  }

  function verbs({ mode, text, whole }: Search): RankedRow[] {
    if (whole !== null || mode === 'people' || mode === 'labels') return [];
    // Before anything is typed the commands come as their table has them, which begins with what is wanted most.
    const ranked =
      text.trim() === ''
        ? index.items.map(item => ({ item, kind: matchKinds.exact, begins: false, ranges: [] }))
        : rank(index, text);
    const rows = ranked.map(one => ({
      ranked: one,
      row: explained(commandRow(one, ports.keymap.keysOf(one.item.command.id), ports.start)),
    }));
    return mode === 'help' ? rows.filter(({ row }) => row.keys !== undefined) : rows;
  }

  /** Asks why a thing cannot be opened; undefined where it can, or nothing more is known. */
  function explainer(thing: Thing): (() => void) | undefined {
    const command = commandById('rights.why');
    const given = closedTo(thing) === undefined ? undefined : whyNot(thing, facts());
    return command && given && (() => ports.start(command, given));
  }

  function things(search: Search): RankedRow[] {
    const { mode, whole, needle, ahead } = search;
    const now = facts();
    const start = (verb: Command, given: Given): void => ports.start(verb, given, ahead);
    const all = asked(search).flatMap(source =>
      source.known(needle).map(ranked => {
        // What this person may do nothing with is shown where it is listed.
        const command = whole?.command ?? primaryOf(ranked.item.thing, now, registry);
        return {
          ranked,
          row: thingRow(ranked, { command, start, show: ports.show, why: explainer(ranked.item.thing) }),
        };
      }),
    );
    // Before anything is typed, of all things only those used lately are worth a row.
    return mode === 'all' && whole === null && needle.trim() === ''
      ? all.filter(({ ranked }) => ranked.item.recency !== undefined)
      : all;
  }

  const lastShells = (): readonly { readonly serverId: string; readonly login: string }[] =>
    recents
      .last(SHELL_LOGIN)
      .slice(0, AGAIN_MOST)
      .map(key => key.slice(SHELL_LOGIN.length))
      .map(rest => ({ serverId: rest.slice(0, rest.indexOf(' ')), login: rest.slice(rest.indexOf(' ') + 1) }));

  /** Shells that were opened last, to be opened again. */
  function recent({ mode, needle }: Search): readonly Row[] {
    const shell = commandById('shell.open');
    if (mode !== 'all' || needle.trim() !== '' || shell === undefined || shell.blocked?.(facts()) !== undefined)
      return [];
    return lastShells().flatMap(({ serverId, login }) => {
      const thing = servers.byId(serverId);
      if (thing === undefined) return [];
      return [againRow(thing, login, () => ports.start(shell, { server: choiceOf(thing), login: textChoice(login) }))];
    });
  }

  /** Whether what the empty palette begins with is still to come: the server used last, or which one that was. */
  function isBeginningDue({ mode, needle }: Search): boolean {
    if (mode !== 'all' || needle.trim() !== '' || !isSought('server', facts())) return false;
    if (recents.arrival() !== undefined) return true;
    const kind = recentThing('server', '');
    const last = lastShells()[0]?.serverId ?? recents.last(kind)[0]?.slice(kind.length);
    return last !== undefined && servers.byId(last) === undefined && servers.lacks(last);
  }

  /** Fetches what is most likely to be looked for. False when there is nothing to fetch. */
  async function fetchLikely(): Promise<boolean> {
    const arrival = recents.arrival();
    if (arrival !== undefined) await arrival;
    known.freshen();
    if (!isSought('server', facts())) return false;
    const isLacking = servers.lacks('');
    if (isLacking) await known.ask([servers], '');
    const ids = new Set(lastShells().map(({ serverId }) => serverId));
    const missing = [...ids].filter(id => servers.byId(id) === undefined && servers.lacks(id));
    await known.askFor(missing);
    if (arrival !== undefined) prepare();
    return isLacking || missing.length > 0 || arrival !== undefined;
  }
  /** The fetch on its way, and its cluster. */
  let fetching: { readonly clusterId: string; readonly done: Promise<boolean> } | null = null;

  /** As `fetchLikely`, once for all who ask while it is on its way. Rejects with ApiError. */
  function warm(): Promise<boolean> {
    const { clusterId } = facts();
    if (fetching?.clusterId === clusterId) return fetching.done;
    const done = fetchLikely().finally(() => {
      if (fetching?.done === done) fetching = null;
    });
    fetching = { clusterId, done };
    return done;
  }

  /** Makes ready for an opening: what is too old is forgotten, what was used since counts. */
  function prepare(): void {
    known.freshen();
    index = createIndex(findable(commands, facts(), command => recents.recencyOf(recentCommand(command.id))));
  }

  /** A line that names no command yet: the command's name, or a title on screen. */
  function completedName(text: string, rows: readonly Row[]): string | undefined {
    // A first word may also stand in titles: it is a command's when a space follows, or when it begins a phrase such as `ssh`.
    const isSpoken = rows.length === 0 || /\s/.test(text.trim());
    const spoken = isSpoken ? commands : commands.filter(({ phrase }) => phrase?.example.startsWith(text.trim()));
    const name = isSpoken || text.trim().length >= PHRASE_LEAST ? begun(spoken, text, facts()) : undefined;
    const [only, another] = rows;
    if (name === undefined && another === undefined && only?.completes === true) return only.title;
    return (
      name ??
      completed(
        text,
        rows.flatMap(({ completes, title }) => (completes ? [title] : [])),
      )
    );
  }

  /** Whether a command that is there is titled just so: then that is meant, and not a line of another. */
  const isTitle = (text: string): boolean => {
    const typed = text.trim().toLowerCase();
    return commands.some(row => row.title.replace(/…$/, '').toLowerCase() === typed && (row.when?.(facts()) ?? true));
  };

  /** The last answer of a line, as far as all that fits agrees. */
  async function completedAnswer(
    { command, answers }: WholeCommand,
    { text }: Search,
    rows: readonly Row[],
  ): Promise<string | undefined> {
    const name = usageOf(command)?.args.findLast(arg => answers[arg.name] !== undefined)?.name;
    const arg = command.args?.find(arg => arg.name === name);
    if (name === undefined || arg === undefined) return undefined;
    const begins = answers[name] ?? '';
    const write = (answer: string): string => written(command, { ...answers, [name]: answer }, text);
    if (arg.takes !== undefined) {
      const titles = rows.flatMap(({ thing }) => thing?.title ?? []);
      const title = completed(begins, titles);
      if (title !== undefined) return write(title);
      // In `ssh ro` no server may begin so, but a login.
      if (command.phrase === undefined || answers.login !== undefined || begins === '') return undefined;
      if (titles.some(title => title.toLowerCase().startsWith(begins.toLowerCase()))) return undefined;
      const logins = servers.known('').flatMap(({ item }) => item.thing.logins ?? []);
      const login = completed(begins, logins);
      return login === undefined
        ? undefined
        : logins.includes(login)
          ? written(command, { login }, text)
          : write(login);
    }
    const before = Object.fromEntries(
      (command.args ?? []).flatMap(({ name: other, takes }) => {
        const said = answers[other];
        if (other === name || said === undefined) return [];
        const found = sources.all
          .find(({ noun }) => noun === takes)
          ?.known(said)
          .find(({ item }) => item.title === said);
        return [[other, found === undefined ? textChoice(said) : choiceOf(found.item.thing)]];
      }),
    );
    const choices = await arg.choices(begins, before, facts(), { call });
    const title = completed(
      begins,
      choices.flatMap(choice => (choice.refused === undefined ? [choice.title] : [])),
    );
    return title === undefined ? undefined : write(title);
  }

  return {
    prepare,
    warm,
    isBeginningDue,

    search(typed: string): Search {
      const first = typed.charAt(0);
      const mode = first in prefixes ? prefixes[first as keyof typeof prefixes] : 'all';
      const text = mode === 'all' ? typed : typed.slice(1).trimStart();
      const read = mode === 'all' || mode === 'commands' ? readWhole(commands, text, facts()) : null;
      const whole = read === null || Object.keys(read.answers).length === 0 || isTitle(text) ? null : read;
      const looked = whole === null ? undefined : lookedFor(whole)?.name;
      const needle = looked === undefined ? undefined : whole?.answers[looked];
      if (whole === null || looked === undefined || needle === undefined)
        return { mode, text, whole, needle: text, ahead: {} };
      const { [looked]: _searched, ...ahead } = whole.answers;
      return { mode, text, whole, needle, ahead };
    },

    /**
     * Everything that is known, best first and in groups, and whether there is more than fits. `strong`: only what the typed words begin, and of
     * what ends or deletes only titles that they begin, so that neither takes the first row from what the gateway is about to answer.
     */
    rows(search: Search, strong: boolean): { readonly rows: Row[]; readonly hasMore: boolean } {
      const isEmpty = search.needle.trim() === '';
      const found = [...verbs(search), ...things(search)].filter(
        ({ ranked, row }) =>
          !strong || (ranked.kind <= matchKinds.wordStart && (ranked.begins || row.group !== ENDING_GROUP)),
      );
      const last = Number.POSITIVE_INFINITY;
      const sorted = isEmpty
        ? found.sort(
            (a, b) =>
              Number(a.ranked.item.last === 'refused') - Number(b.ranked.item.last === 'refused') ||
              Number(b.row.thing !== undefined) - Number(a.row.thing !== undefined) ||
              (a.ranked.item.recency ?? last) - (b.ranked.item.recency ?? last) ||
              0,
          )
        : found.sort((a, b) => compareRanked(a.ranked, b.ranked));
      const first = search.whole === null ? recent(search) : [explained(wholeRow(search.whole, facts(), ports.start))];
      const pages = search.mode === 'help' ? (manual?.rows(search.text, ports.read) ?? []) : [];
      const most = RANKED_MOST - first.length;
      const ranked = isEmpty ? grouped(sorted.slice(0, most).map(({ row }) => row)) : arranged(sorted.slice(0, most));
      const rows = [...first, ...ranked, ...pages];
      return {
        rows: rows.slice(0, RANKED_MOST),
        hasMore: !isEmpty && (rows.length >= RANKED_MOST || asked(search).some(source => source.isCut(search.needle))),
      };
    },

    /** How the command that is being typed takes its answers, and which of them is being typed; null while none is. */
    explainer,

    usage({ mode, text, whole }: Search): Typing | null {
      if (mode !== 'all' && mode !== 'commands') return null;
      const command =
        whole?.command ?? (text.trim().length < PHRASE_LEAST ? undefined : commandNamed(commands, text, facts()));
      const usage = command === undefined ? null : usageOf(command);
      if (usage === null) return null;
      const typed = usage.args.findLastIndex(({ name }) => whole?.answers[name] !== undefined);
      const isOver =
        /\s$/.test(text) && (whole?.missing.length ?? 0) > 0 && whole?.command.phrase?.read(text) === undefined;
      return {
        name: usage.name,
        args: usage.args.map(({ text }) => text),
        now: Math.max(0, isOver ? typed + 1 : typed),
      };
    },

    /** What Tab makes of the line: its next word, as far as all that fits agrees. Rejects with ApiError. */
    async complete(typed: string, search: Search, rows: readonly Row[]): Promise<string | undefined> {
      const { whole, mode, text } = search;
      const prefix = mode === 'all' ? '' : typed.slice(0, 1);
      const line = whole === null ? completedName(text, rows) : await completedAnswer(whole, search, rows);
      return line === undefined ? undefined : prefix + line;
    },

    /** Settles when the manual, or what the empty palette begins with, is there; undefined when it is, or is not looked for. Rejects when it cannot be had. */
    opening(search: Search): Promise<unknown> | undefined {
      if (isBeginningDue(search)) return warm();
      if (search.mode !== 'help' || manual !== undefined) return undefined;
      return loadManual()
        .then(({ openManual }) => openManual())
        .then(opened => {
          manual = opened;
        });
    },

    /** Sources whose gateway has to be asked. Nothing is asked for before anything is typed. */
    lacking(search: Search): readonly Source[] {
      if (search.mode === 'all' && search.whole === null && search.needle.trim() === '') return [];
      return asked(search).filter(source => source.lacks(search.needle));
    },

    /** Asks the gateway for what sources lack, all in one. Rejects with ApiError. */
    ask: (search: Search, lacking: readonly Source[]): Promise<void> => known.ask(lacking, search.needle),
  };
}
