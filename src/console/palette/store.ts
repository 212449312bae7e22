// The palette's state: what was typed, the rows for it, and the cursor. Late answers are dropped or added below the cursor.
import { proxy } from 'valtio/vanilla';
import { soleChoice } from '../../../commands/answer.ts';
import type { Argument, Choice, Command, Given, Thing, Tools } from '../../../commands/command.ts';
import { completed } from '../../../commands/complete.ts';
import { RANKED_MOST } from '../../../commands/rank.ts';
import { namesIn } from '../../../commands/users.ts';
import { nouns } from '../../features/nouns.ts';
import type { Commanding, PaletteRequest } from './commanding.ts';
import { createCursor, emptyState } from './cursor.ts';
import { createFinder, type Search } from './finder.ts';
import type { ManualPlace } from './manual.ts';
import { type Picked, pickedChips, pickRows, toggled } from './picking.ts';
import { answered, back, begin, chips, choicesOf, exactly, offered, type Progress, question } from './progress.ts';
import { answerRows, type Row } from './rows.ts';
import { messageOf, withSelection } from './run.ts';

/** The gateway is asked once typing has paused this long, milliseconds. */
const PAUSE_MS = 60;
/** Weak matches wait this long for the gateway's answers, milliseconds. */
const PATIENCE_MS = 400;

export type PaletteHost = Pick<
  Commanding,
  'facts' | 'tools' | 'runner' | 'recents' | 'keymap' | 'later' | 'closePalette' | 'holdKeys'
>;

/** The same tools, which call `first` before any of them but a call is used: whatever else they do is seen. */
const showingAfter = (tools: Tools, first: () => void): Tools =>
  new Proxy(tools, {
    get(target, name) {
      if (name !== 'call') first();
      return Reflect.get(target, name);
    },
  });

const nothingFor = (arg: Argument): string => `There is no ${arg.title.toLowerCase()} to choose from`;

/** The palette of one console. It keeps what the gateway answered from one opening to the next. */
export function createPalette(host: PaletteHost, now: () => number) {
  const state = proxy(emptyState());
  const { show, add: addRows, under, move, moveTo } = createCursor(state);
  const finder = createFinder({ ...host, now, start: startCommand, show: showThing, read: readManual });
  let progress: Progress | null = null;
  let choices: readonly Choice[] = [];
  /** What is picked of a question for several names; null for every other. */
  let picked: Picked | null = null;
  /** Every question to the gateway belongs to one turn; an answer to an earlier one is dropped. */
  let turn = 0;
  let cancelPause: () => void = () => {};
  /** Enter was pressed with nothing on screen yet: the first row that comes is meant, and the keys behind it wait for what that opens. */
  let enterHeld: (() => void) | null = null;
  /** A question that was answered ahead is being settled: keys wait for what comes of it. */
  let settling: (() => void) | null = null;
  /** The line that the command on its way was typed as; '' when it was chosen. */
  let line = '';
  /** The turn in which a typed line runs; -1 before there is one. */
  let running = -1;
  let leave: () => void = () => {};

  const isCurrent = (mine: number): boolean => mine === turn && state.open;

  /** Begins a turn: what was asked before no longer matters. */
  function newTurn(): number {
    cancelPause();
    dropEnter();
    state.busy = false;
    state.message = '';
    return ++turn;
  }

  /** Rows that came after something was on screen already. */
  function add(fresh: readonly Row[]): void {
    addRows(fresh);
    releaseEnter();
  }

  /** Does what an Enter was meant for that came before there was anything to choose. */
  function releaseEnter(): void {
    if (enterHeld === null || under() === undefined) return;
    const release = enterHeld;
    enterHeld = null;
    choose();
    release();
  }

  /** There is nothing that Enter could take: the keys behind it go on. */
  function dropEnter(): void {
    enterHeld?.();
    enterHeld = null;
  }

  function settled(): void {
    settling?.();
    settling = null;
  }

  // Finding.

  function startCommand(command: Command, given: Given, ahead: Readonly<Record<string, string>> = {}): void {
    line = Object.keys(ahead).length === 0 ? '' : state.typed;
    const begun = begin(command, withSelection(command, given, host.facts(), ahead), ahead);
    if (question(begun) === undefined) finish(begun);
    else advance(begun);
  }

  function showThing(thing: Thing): void {
    close();
    const list = nouns[thing.kind].page;
    if (list !== undefined) host.tools().go(list, { clusterId: host.facts().clusterId }, { search: thing.title });
  }

  function readManual({ chapter, section }: ManualPlace): void {
    close();
    host.tools().go('manual', { chapter }, { section });
  }

  function found(search: Search, strong: boolean): readonly Row[] {
    const { rows, hasMore } = finder.rows(search, strong);
    state.hasMore = hasMore;
    return rows;
  }

  function find(): void {
    const mine = newTurn();
    const search = finder.search(state.typed);
    const lacking = finder.lacking(search);
    state.usage = finder.usage(search);
    show(found(search, lacking.length > 0));
    /** Shows what a question to the gateway, or a file, brings. */
    const bring = (coming: Promise<unknown>): void => {
      coming
        .catch((error: unknown) => {
          if (isCurrent(mine)) state.message = messageOf(error);
        })
        .finally(() => {
          if (!isCurrent(mine)) return;
          state.busy = false;
          cancelPause();
          add(found(search, false));
          nothing();
        });
    };
    const opening = finder.opening(search);
    if (opening !== undefined) {
      state.busy = true;
      // What is used again and again comes first: until it is here nothing is under the cursor, and Enter waits.
      if (finder.isBeginningDue(search)) state.cursor = '';
      bring(opening);
    } else if (lacking.length === 0) nothing();
    else
      afterPause(
        () => bring(finder.ask(search, lacking)),
        () => add(found(search, false)),
      );
  }

  /** Asks once typing has paused. A slow gateway keeps nobody from a command whose name they do not quite remember: `weak` shows those. */
  function afterPause(ask: () => void, weak: () => void): void {
    state.busy = true;
    cancelPause = host.later(() => {
      cancelPause = host.later(weak, PATIENCE_MS);
      ask();
    }, PAUSE_MS);
  }

  /** Says that nothing was found, once that is certain. */
  function nothing(): void {
    if (state.rows.length === 0 && !state.busy) dropEnter();
    if (state.rows.length === 0 && !state.busy && state.message === '')
      state.message = state.typed.trim() === '' ? 'Type to search' : `Nothing matches "${state.typed.trim()}"`;
  }

  // Asking.

  /** Asks the next question, or runs the command. `taken`: the text of an answer that was taken back, to be mended. */
  function advance(next: Progress, taken?: string): void {
    progress = next;
    const arg = question(next);
    if (arg === undefined) {
      finish(next);
      return;
    }
    state.usage = null;
    state.command = next.command.title;
    state.manual = next.command.manual ?? null;
    state.prompt = arg.title;
    state.chips = chips(next);
    state.typed = taken ?? next.ahead[arg.name] ?? '';
    choices = [];
    picked = null;
    if (arg.held !== undefined) {
      askHeld(next, arg, arg.held);
      return;
    }
    const mine = newTurn();
    show(askRows(next, arg));
    askGateway(mine, next, arg, taken === undefined ? 'settle' : 'show');
  }

  /** Asks what is held now, then what to add and to take away; a typed answer is shown as that change before Enter takes it. */
  function askHeld(next: Progress, arg: Argument, held: NonNullable<Argument['held']>): void {
    const mine = newTurn();
    show([]);
    state.typed = '';
    state.busy = true;
    settling ??= host.holdKeys(close);
    held(next.given, host.tools()).then(
      names => {
        if (!isCurrent(mine)) return;
        const wanted = next.ahead[arg.name];
        pick(next, arg, { held: names, now: wanted === undefined ? names : namesIn(wanted) });
      },
      (error: unknown) => {
        if (isCurrent(mine)) failedQuestion(next, error);
      },
    );
  }

  function pick(current: Progress, arg: Argument, next: Picked): void {
    picked = next;
    state.typed = '';
    state.chips = [...chips(current), ...pickedChips(next)];
    const mine = newTurn();
    show(askRows(current, arg));
    askGateway(mine, current, arg, 'show');
  }

  /** Says why a question cannot be answered, and offers to ask again. */
  function failedQuestion(current: Progress, error: unknown, rows: readonly Row[] = []): void {
    state.busy = false;
    dropEnter();
    settled();
    state.message = messageOf(error);
    cancelPause();
    const again = { id: 'again', icon: 'again', title: 'Try again', ranges: [], enter: 'Try again' } as const;
    add([...rows, { ...again, choose: () => advance(current) }]);
  }

  /**
   * Asks for choices. `settle`: the question just came up, so an answer typed ahead or a sole choice settles it; `show`: it just
   * came up again; `add`: more was typed, and what is on screen stays.
   */
  function askGateway(mine: number, current: Progress, arg: Argument, how: 'settle' | 'show' | 'add'): void {
    state.busy = true;
    const { typed } = state;
    if (how === 'settle' && (current.ahead[arg.name] !== undefined || arg.sole === true))
      settling ??= host.holdKeys(close);
    choicesOf(arg, typed, current, host.facts(), host.tools()).then(
      answer => {
        if (!isCurrent(mine)) return;
        cancelPause();
        choices = answer;
        const settledBy =
          how !== 'settle'
            ? undefined
            : current.ahead[arg.name] === undefined
              ? soleChoice(arg, answer)
              : exactly(arg, typed, answer);
        if (settledBy !== undefined) {
          advance(answered(current, arg.name, settledBy));
          return;
        }
        state.busy = false;
        if (how !== 'add') show(askRows(current, arg));
        else add(askRows(current, arg));
        releaseEnter();
        settled();
        if (state.rows.length === 0) dropEnter();
        if (state.rows.length === 0)
          state.message =
            typed !== ''
              ? `Nothing matches "${typed}"`
              : arg.pasted
                ? 'Paste it'
                : arg.free
                  ? 'Type it, then press Enter'
                  : nothingFor(arg);
      },
      (error: unknown) => {
        if (isCurrent(mine)) failedQuestion(current, error, askRows(current, arg));
      },
    );
  }

  /** Rows for what was typed. `strong`: as when finding, only what it begins, while the gateway is about to answer. */
  function askRows(current: Progress, arg: Argument, strong = false): Row[] {
    const { typed } = state;
    const take = (choice: Choice | null): void => advance(answered(current, arg.name, choice));
    state.hasMore = typed.trim() !== '' && choices.length >= RANKED_MOST;
    const found = offered(current, arg, typed, choices, host.recents).filter(({ isWeak }) => !strong || !isWeak);
    const now = picked;
    if (now !== null)
      return pickRows(arg, now, typed, found, strong, { take, toggle: name => pick(current, arg, toggled(now, name)) });
    return answerRows(arg, typed, found, take, finder.explainer);
  }

  function finish({ command, given }: Progress): void {
    const typed = line;
    line = '';
    if (typed !== '') {
      runLine(command, given, typed);
      return;
    }
    const release = settling;
    settling = null;
    close();
    void host.runner.execute(command, given);
    release?.();
  }

  /** Runs what was typed whole. Until it shows something or is done the palette stays, so that a failure finds its line still there. */
  function runLine(command: Command, given: Given, typed: string): void {
    const release = settling ?? host.holdKeys(close);
    settling = null;
    const mine = newTurn();
    running = mine;
    state.busy = true;
    const leaves = (): void => {
      if (isCurrent(mine)) close();
      release();
    };
    void host.runner
      .execute(command, given, {
        tools: tools => showingAfter(tools, leaves),
        failed(why) {
          if (!isCurrent(mine)) return host.tools(command).notify(why);
          startSearch(typed);
          state.message = why;
        },
      })
      .finally(() => {
        if (isCurrent(mine)) close();
        release();
      });
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
    // Choices that do not hang on what is typed are narrowed and not asked for again, once they are here.
    if (arg.once === true && state.busy) return;
    const mine = newTurn();
    show(askRows(current, arg, arg.once !== true));
    if (arg.once === true) {
      nothing();
      return;
    }
    afterPause(
      () => askGateway(mine, current, arg, 'add'),
      () => add(askRows(current, arg)),
    );
  }

  /** Takes what is pasted, where that answers the question as it is. False where it is to be typed like anything. */
  function paste(text: string): boolean {
    const arg = progress && question(progress);
    if (progress === null || !arg?.pasted || !text.trim().includes('\n')) return false;
    const wrong = arg.free?.(text);
    if (wrong === undefined) advance(answered(progress, arg.name, { value: text, title: arg.pasted(text) }));
    else state.message = wrong;
    return true;
  }

  function choose(second = false): void {
    if (running === turn) return;
    const row = under();
    if (row === undefined) {
      if (state.busy) enterHeld ??= host.holdKeys(close);
      return;
    }
    dropEnter();
    if (row.refused !== undefined) (row.why ?? (() => host.tools().notify(row.refused ?? '')))();
    else if (second) row.second?.choose();
    else row.choose();
  }

  /** Takes the last answer back; without one, goes back to finding. False when there is nothing to take back. */
  function takeBack(): boolean {
    if (progress === null) return false;
    const before = back(progress);
    if (before === null) startSearch('');
    else advance(before.progress, before.text);
    return true;
  }

  function startSearch(typed: string): void {
    progress = null;
    state.command = '';
    state.manual = null;
    state.prompt = '';
    state.chips = [];
    state.typed = typed;
    find();
  }

  function open(request: PaletteRequest): void {
    state.open = true;
    finder.prepare();
    if (request.command === null) startSearch(request.typed);
    else startCommand(request.command, request.given);
    warm();
  }

  /** Forgets what was asked of the gateway, as when the dialog is gone. */
  function drop(): void {
    newTurn();
    settled();
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
    finder.warm().then(
      hasMore => {
        if (hasMore && state.open && progress === null) add(found(finder.search(state.typed), state.busy));
      },
      // Nobody has asked for anything yet: the search that follows asks again and says what is wrong.
      () => {},
    );
  }

  /** Completes what was typed, as far as all that fits agrees. */
  function complete(): void {
    const { typed } = state;
    if (progress !== null) {
      const line = completed(
        typed,
        state.rows.flatMap(row => (row.completes === true ? [row.title] : [])),
      );
      if (line !== undefined) type(line);
      return;
    }
    finder.complete(typed, finder.search(typed), state.rows).then(
      line => {
        // More was typed meanwhile: that is what counts.
        if (line !== undefined && state.typed === typed && state.open && progress === null) type(line);
      },
      (error: unknown) => {
        if (state.typed === typed) state.message = messageOf(error);
      },
    );
  }

  return {
    state,
    open,
    close,
    drop,
    type,
    paste,
    choose,
    takeBack,
    warm,
    complete,
    move,
    moveTo,
    /** What closing does on screen before a command runs, such as giving the focus back. */
    onLeave(action: () => void): void {
      leave = action;
    },
  };
}
export type Palette = ReturnType<typeof createPalette>;
