// The palette's state: what was typed, the rows for it, and the cursor. Late answers are dropped or added below the cursor.
import { proxy, ref } from 'valtio/vanilla';
import type { Argument, Choice, Command, Given, Thing } from '../../../commands/command.ts';
import { commandById, commands } from '../../../commands/index.ts';
import {
  compareRanked,
  createIndex,
  type Index,
  matchKinds,
  RANKED_MOST,
  type Ranked,
  rank,
} from '../../../commands/rank.ts';
import { readWhole } from '../../../commands/read.ts';
import {
  answered,
  back,
  begin,
  chips,
  choicesOf,
  exactly,
  type Offered,
  offered,
  type Progress,
  question,
  soleChoice,
} from './asking.ts';
import type { Commanding, PaletteRequest } from './commanding.ts';
import { recentCommand } from './recents.ts';
import { type CommandCandidate, choiceRow, commandRow, findable, listOf, type Row, settled, thingRow } from './rows.ts';
import { messageOf } from './run.ts';
import { createSource, kinds, labelled, people, type Source, type ThingCandidate } from './sources.ts';

/** The gateway is asked once typing has paused this long, milliseconds. */
export const PAUSE_MS = 60;
/** Weak matches wait this long for the gateway's answers, milliseconds. */
const PATIENCE_MS = 400;

export interface PaletteState {
  open: boolean;
  typed: string;
  rows: readonly Row[];
  /** Id of the row under the cursor, '' when there is none. */
  cursor: string;
  /** The gateway has been asked and has not answered. */
  busy: boolean;
  /** What went wrong, or that nothing was found; '' otherwise. */
  message: string;
  /** Title of the command that is asking; '' while finding. */
  command: string;
  /** The question on screen; '' while finding. */
  asking: string;
  chips: { readonly name: string; readonly title: string }[];
}

export type PaletteHost = Pick<
  Commanding,
  'facts' | 'tools' | 'runner' | 'recents' | 'keymap' | 'later' | 'closePalette'
>;

const prefixes = { '>': 'commands', '@': 'people', '#': 'labels', '?': 'help' } as const;
type Mode = (typeof prefixes)[keyof typeof prefixes] | 'all';

function modeOf(typed: string): { readonly mode: Mode; readonly text: string } {
  const first = typed.charAt(0);
  return first in prefixes
    ? { mode: prefixes[first as keyof typeof prefixes], text: typed.slice(1).trimStart() }
    : { mode: 'all', text: typed };
}

/** The palette of one console. It keeps what the gateway answered from one opening to the next. */
export function createPalette(host: PaletteHost, now: () => number) {
  const state = proxy<PaletteState>({
    open: false,
    typed: '',
    rows: ref([]),
    cursor: '',
    busy: false,
    message: '',
    command: '',
    asking: '',
    chips: [],
  });
  const sourcePorts = {
    asks: { call: ((...given) => host.tools().call(...given)) as ReturnType<PaletteHost['tools']>['call'] },
    facts: host.facts,
    recents: host.recents,
    now,
  };
  const sources = {
    all: kinds.map(kind => createSource(kind, sourcePorts)),
    people: people.map(kind => createSource(kind, sourcePorts)),
    labels: labelled.map(kind => createSource(kind, sourcePorts)),
    commands: [] as Source[],
    help: [] as Source[],
  } satisfies Record<Mode, Source[]>;

  let index: Index<CommandCandidate> = createIndex([]);
  let progress: Progress | null = null;
  let choices: readonly Choice[] = [];
  /** Every question to the gateway belongs to one turn; an answer to an earlier one is dropped. */
  let turn = 0;
  let cancelPause: () => void = () => {};
  /** Enter was pressed with nothing on screen yet: the first row that comes is meant. */
  let enterHeld = false;
  let leave: () => void = () => {};

  const isCurrent = (mine: number): boolean => mine === turn && state.open;

  /** Begins a turn: what was asked before no longer matters. */
  function newTurn(): number {
    cancelPause();
    enterHeld = false;
    state.busy = false;
    state.message = '';
    return ++turn;
  }

  function show(rows: readonly Row[]): void {
    state.rows = ref([...rows]);
    state.cursor = rows[0]?.id ?? '';
  }

  /** Rows that came after something was on screen already. */
  function add(fresh: readonly Row[]): void {
    const rows = settled(state.rows, state.cursor, fresh, RANKED_MOST);
    state.rows = ref(rows);
    if (!rows.some(row => row.id === state.cursor)) state.cursor = rows[0]?.id ?? '';
    if (enterHeld && rows.length > 0) choose();
  }

  // Finding.

  const startCommand = (command: Command, given: Given, ahead: Readonly<Record<string, string>> = {}): void => {
    const begun = begin(command, given, ahead);
    if (question(begun) === undefined) finish(begun);
    else advance(begun);
  };

  function showThing(thing: Thing): void {
    close();
    const list = listOf[thing.kind];
    if (list !== undefined) host.tools().go(list, { clusterId: host.facts().clusterId }, { search: thing.title });
  }

  function rowOfThing(ranked: Ranked<ThingCandidate>, source: Source, ahead: Readonly<Record<string, string>>): Row {
    const { command } = source.kind;
    return thingRow(ranked, {
      command: command === undefined ? undefined : commandById(command),
      start: (row, given) => startCommand(row, given, ahead),
      show: showThing,
    });
  }

  /** What stands before everything else: the command that was typed whole. */
  function wholeRow(
    text: string,
  ): { readonly row: Row; readonly command: Command; readonly ahead: Readonly<Record<string, string>> } | undefined {
    const whole = readWhole(commands, text, host.facts());
    if (whole === null || Object.keys(whole.answers).length === 0) return undefined;
    const { command, answers } = whole;
    const said = Object.values(answers)
      .filter(text => text !== '')
      .join(', ');
    const refused = command.blocked?.(host.facts());
    const row: Row = {
      id: `whole ${command.id}`,
      icon: command.group,
      title: said === '' ? command.title : `${command.title.replace(/…$/, '')}: ${said}`,
      ranges: [],
      enter: whole.missing.length > 0 ? 'Next' : 'Run',
      choose: () => startCommand(command, {}, answers),
      ...(refused === undefined ? {} : { refused, detail: refused }),
    };
    return { row, command, ahead: answers };
  }

  /**
   * Everything that is known for what was typed, best first. `strong`: only what the typed words begin, so that a weak match does
   * not take the first row from what the gateway is about to answer.
   */
  function found(strong = false): Row[] {
    const { mode, text } = modeOf(state.typed);
    const whole = mode === 'all' || mode === 'commands' ? wholeRow(text) : undefined;
    const asked = sourcesOf(mode);
    const { needle, ahead } = wanted(text, whole);
    const things = asked
      .filter(source => whole === undefined || source.kind.command === whole.command.id)
      .flatMap(source => source.known(needle).map(ranked => ({ ranked, row: rowOfThing(ranked, source, ahead) })));
    const verbs =
      whole !== undefined || mode === 'people' || mode === 'labels'
        ? []
        : rank(index, text).map(ranked => ({
            ranked,
            row: commandRow(ranked, host.keymap.keysOf(ranked.item.command.id), startCommand),
          }));
    const helped = mode === 'help' ? verbs.filter(({ row }) => row.keys !== undefined) : verbs;
    const shown = [...helped, ...things].filter(({ ranked }) => {
      if (strong && ranked.kind > matchKinds.wordStart) return false;
      // Before anything is typed, of all things only those used lately are worth a row.
      return (
        mode !== 'all' ||
        whole !== undefined ||
        needle.trim() !== '' ||
        !('thing' in ranked.item) ||
        ranked.item.recency !== undefined
      );
    });
    const rows = shown.sort((a, b) => compareRanked(a.ranked, b.ranked)).map(({ row }) => row);
    return [...(whole === undefined ? [] : [whole.row]), ...rows].slice(0, RANKED_MOST);
  }

  const sourcesOf = (mode: Mode): readonly Source[] => sources[mode].filter(source => source.kind.when(host.facts()));

  /** In `ssh root@db` the servers are searched for `db`, and `root` is kept for the question that follows. */
  function wanted(
    text: string,
    whole: ReturnType<typeof wholeRow>,
  ): { readonly needle: string; readonly ahead: Readonly<Record<string, string>> } {
    const first = whole?.command.args?.find(arg => arg.takes !== undefined);
    const typed = first && whole?.ahead[first.name];
    if (whole === undefined || first === undefined || typed === undefined) return { needle: text, ahead: {} };
    const { [first.name]: _searched, ...ahead } = whole.ahead;
    return { needle: typed, ahead };
  }

  function find(): void {
    const mine = newTurn();
    const { mode, text } = modeOf(state.typed);
    const { needle } = wanted(text, mode === 'all' ? wholeRow(text) : undefined);
    const lacking =
      needle.trim() === '' && mode === 'all' ? [] : sourcesOf(mode).filter(source => source.lacks(needle));
    show(found(lacking.length > 0));
    if (lacking.length === 0) {
      nothing();
      return;
    }
    state.busy = true;
    cancelPause = host.later(() => {
      // A slow gateway does not keep anyone from a command whose name they do not quite remember.
      cancelPause = host.later(() => add(found()), PATIENCE_MS);
      let left = lacking.length;
      for (const source of lacking) {
        source
          .ask(needle)
          .catch((error: unknown) => {
            if (isCurrent(mine)) state.message = messageOf(error);
          })
          .finally(() => {
            if (!isCurrent(mine)) return;
            left--;
            add(found(left > 0));
            if (left > 0) return;
            state.busy = false;
            cancelPause();
            nothing();
          });
      }
    }, PAUSE_MS);
  }

  /** Says that nothing was found, once that is certain. */
  function nothing(): void {
    if (state.rows.length === 0 && !state.busy && state.message === '')
      state.message = state.typed.trim() === '' ? 'Type to search' : `Nothing matches "${state.typed.trim()}"`;
  }

  // Asking.

  function advance(next: Progress): void {
    progress = next;
    const arg = question(next);
    if (arg === undefined) {
      finish(next);
      return;
    }
    state.command = next.command.title;
    state.asking = arg.title;
    state.chips = chips(next);
    state.typed = next.ahead[arg.name] ?? '';
    choices = [];
    const mine = newTurn();
    show(askRows(next, arg));
    askGateway(mine, next, arg, true);
  }

  /** Asks for choices; `first`: a question just came up, so an answer typed ahead or a sole choice may settle it. */
  function askGateway(mine: number, current: Progress, arg: Argument, first: boolean): void {
    state.busy = true;
    const { typed } = state;
    choicesOf(arg, typed, current, host.facts(), host.tools()).then(
      answer => {
        if (!isCurrent(mine)) return;
        choices = answer;
        const settledBy = !first
          ? undefined
          : current.ahead[arg.name] === undefined
            ? soleChoice(arg, answer)
            : exactly(arg, typed, answer);
        if (settledBy !== undefined) {
          advance(answered(current, arg.name, settledBy));
          return;
        }
        state.busy = false;
        if (first) show(askRows(current, arg));
        else add(askRows(current, arg));
        if (enterHeld && state.rows.length > 0) choose();
        if (state.rows.length === 0)
          state.message = typed === '' ? 'There is nothing to choose from' : `Nothing matches "${typed}"`;
      },
      (error: unknown) => {
        if (!isCurrent(mine)) return;
        state.busy = false;
        state.message = messageOf(error);
        add([
          {
            id: 'again',
            icon: 'again',
            title: 'Try again',
            ranges: [],
            enter: 'Try again',
            choose: () => advance(current),
          },
        ]);
      },
    );
  }

  function askRows(current: Progress, arg: Argument): Row[] {
    const { typed } = state;
    const take = (choice: Choice | null): void => advance(answered(current, arg.name, choice));
    const rows = offered(current, arg, typed, choices, host.recents).map(({ choice, ranges }: Offered) =>
      choiceRow(choice, ranges, take),
    );
    const text = typed.trim();
    if (text === '') {
      const skip: Row = {
        id: 'skip',
        icon: 'choice',
        title: 'Leave empty',
        ranges: [],
        enter: 'Continue',
        choose: () => take(null),
      };
      return arg.optional === true ? [skip, ...rows] : rows;
    }
    if (arg.free === undefined || rows.some(row => row.title === text)) return rows;
    const wrong = arg.free(text);
    const free: Row = {
      id: 'free',
      icon: 'free',
      title: text,
      ranges: [],
      enter: 'Use this',
      choose: () => take({ value: text, title: text }),
      ...(wrong === undefined ? { detail: 'as typed' } : { refused: wrong, detail: wrong }),
    };
    // What was offered and begins like this comes first: Enter then takes it, as completion does.
    return rows.length > 0 ? [...rows, free] : [free];
  }

  function finish({ command, given }: Progress): void {
    close();
    void host.runner.execute(command, given);
  }

  // What a person does.

  function type(typed: string): void {
    if (typed === state.typed) return;
    state.typed = typed;
    const arg = progress && question(progress);
    if (progress === null || !arg) {
      find();
      return;
    }
    const current = progress;
    const mine = newTurn();
    show(askRows(current, arg));
    state.busy = true;
    cancelPause = host.later(() => askGateway(mine, current, arg, false), PAUSE_MS);
  }

  const under = (): Row | undefined => state.rows.find(row => row.id === state.cursor);

  function choose(second = false): void {
    const row = under();
    if (row === undefined) {
      enterHeld = state.busy;
      return;
    }
    enterHeld = false;
    if (row.refused !== undefined) host.tools().notify(row.refused);
    else if (second) row.second?.choose();
    else row.choose();
  }

  /** Takes the last answer back; without one, goes back to finding. False when there is nothing to take back. */
  function takeBack(): boolean {
    if (progress === null) return false;
    const before = back(progress);
    if (before === null) startFinding('');
    else advance(before);
    return true;
  }

  function startFinding(typed: string): void {
    progress = null;
    state.command = '';
    state.asking = '';
    state.chips = [];
    state.typed = typed;
    const facts = host.facts();
    index = createIndex(findable(commands, facts, command => host.recents.recencyOf(recentCommand(command.id))));
    find();
  }

  function open(request: PaletteRequest): void {
    state.open = true;
    for (const source of [...sources.all, ...sources.people, ...sources.labels]) source.freshen();
    if (request.command === null) startFinding(request.typed);
    else startCommand(request.command, request.given);
    warm();
  }

  /** Forgets what was asked of the gateway, as when the dialog is gone. */
  function drop(): void {
    newTurn();
    state.open = false;
  }

  /** Closes and gives the focus back. */
  function close(): void {
    if (!state.open) return;
    drop();
    leave();
    host.closePalette();
  }

  /** Fetches what is most likely to be looked for, so that the first letters find it at once. */
  function warm(): void {
    const [servers] = sources.all;
    if (servers === undefined || !servers.kind.when(host.facts())) return;
    servers.freshen();
    if (!servers.lacks('')) return;
    servers.ask('').then(
      () => {
        if (state.open && progress === null) add(found());
      },
      // Nobody has asked for anything yet; a search that fails says so itself.
      () => {},
    );
  }

  return {
    state,
    open,
    close,
    drop,
    type,
    choose,
    takeBack,
    warm,
    /** Completes what was typed with the title under the cursor. */
    complete(): void {
      const row = under();
      if (row !== undefined) type(row.title);
    },
    moveTo(id: string): void {
      if (state.rows.some(row => row.id === id)) state.cursor = id;
    },
    /** What closing does on screen before a command runs, such as giving the focus back. */
    onLeave(action: () => void): void {
      leave = action;
    },
  };
}
export type Palette = ReturnType<typeof createPalette>;
