// A database's prompt as a session's shell: reads statements, runs them one by one, and shows what the database answers.
import { Failure } from '../../../../../contract/failure.ts';
import type { PromptRequest } from '../../../../ports/databases.ts';
import type { Shell, ShellExit, Size } from '../../../../ports/shell.ts';
import { answerLines } from './answer-lines.ts';
import { runBackslash } from './backslash.ts';
import { shown } from './cells.ts';
import { type Answer, type PromptConnection, type PromptEngine, StatementError } from './engine.ts';
import { createRowFile, ExportError, type ExportFormat, exportLines } from './export.ts';
import { createKeys, type Key } from './keys.ts';
import { createLine } from './line.ts';
import { createLineView } from './line-view.ts';
import { createPager } from './pager.ts';
import { firstSettings } from './settings.ts';
import { isBlank, statementEnd } from './statement-end.ts';

/** Keys that wait while a statement runs; those behind them are dropped with a bell. */
const WAITING_MOST_KEYS = 4096;
/** Where a line is typed, a paste comes as one; and the marks by which prompts and their output are found again (OSC 133). */
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';
/** Of an answer that is kept for an export, characters. */
const KEPT_MOST_CHARACTERS = 1024 * 1024;
const isKept = ({ rows }: Answer): boolean => {
  let characters = 0;
  for (const row of rows) for (const value of row) characters += value?.length ?? 0;
  return characters <= KEPT_MOST_CHARACTERS;
};
const mark = (what: string): string => `\x1b]133;${what}\x07`;

/** What is told of a connection while it lasts. */
export interface PromptEvents {
  onNotice(text: string): void;
  onEnd(why: string): void;
}
export interface PromptShellParts {
  readonly engine: PromptEngine;
  /** The database server's name, as people call it. */
  readonly name: string;
  readonly dbUser: string;
  readonly dbName: string;
  readonly size: Size;
  /** Connects to one database of the server. Throws with a sentence. */
  connect(dbName: string, timeoutMs: number, events: PromptEvents): Promise<PromptConnection>;
  /** What this person typed here before, the oldest first, and its keeping. */
  readonly hand: PromptRequest['hand'];
  readonly history: { load(): Promise<readonly string[]>; add(statement: string): Promise<void> };
}
export function openPromptShell(parts: PromptShellParts): Shell {
  const { engine, name, dbUser } = parts;
  const settings = firstSettings();
  const readKeys = createKeys();
  let size = parts.size;
  let dbName = parts.dbName;
  let connection: PromptConnection | null = null;
  let history: string[] = [];
  /** Who gets the next key; null: it waits. */
  let reader: ((key: Key) => void) | null = null;
  let redraw = (): void => undefined;
  const waiting: Key[] = [];
  let lost: ((error: Error) => void) | null = null;
  /** The answer that was shown last; null where it was too large to be kept. */
  let last: Answer | null = null;
  /** Breaks off the export that is under way. */
  let stopExport = (): void => undefined;

  let output: (bytes: Uint8Array, from: 'stdout') => void = () => undefined;
  let exited: (exit: ShellExit) => void = () => undefined;
  let gone = (): void => undefined;
  let exit: ShellExit | null = null;
  let paused = false;
  const held: Uint8Array[] = [];

  function print(text: string): void {
    if (exit || text === '') return;
    const bytes = Buffer.from(text);
    if (paused) held.push(bytes);
    else output(bytes, 'stdout');
  }
  const say = (text: string): void => print(`${text.replaceAll('\n', '\r\n')}\r\n`);
  /** Who waits until what is printed is taken again. */
  let resumed = (): void => undefined;
  const unpaused = (): Promise<void> =>
    paused && !exit
      ? new Promise(done => {
          resumed = done;
        })
      : Promise.resolve();
  function finish(how: ShellExit): void {
    if (exit) return;
    for (const bytes of held.splice(0)) output(bytes, 'stdout');
    exit = how;
    reader = null;
    connection?.close();
    resumed();
    gone();
    exited(how);
  }

  function take(next: (key: Key) => void): void {
    reader = next;
    while (reader === next) {
      const key = waiting.shift();
      if (!key) return;
      next(key);
    }
  }
  function pressed(key: Key): void {
    if (reader) reader(key);
    else if (key.kind === 'key' && key.name === 'ctrl+c') {
      waiting.length = 0;
      stopExport();
      connection?.cancel();
    } else if (waiting.length < WAITING_MOST_KEYS) waiting.push(key);
    else print('\x07');
  }
  const isWhole = (text: string): boolean => {
    if (/^\s*\\/.test(text) || isBlank(text, engine.syntax)) return true;
    let at = 0;
    for (let end = 0; end >= 0 && at < text.length; ) {
      end = statementEnd(text, at, engine.syntax);
      if (end >= 0) at = end;
    }
    return isBlank(text.slice(at), engine.syntax);
  };

  /** Null: the person leaves. */
  function readLine(): Promise<string | null> {
    let line = createLine(history, isWhole);
    let view = createLineView();
    const prompt = `${dbName || name}${connection?.mark ?? ''} `;
    const further = `${dbName || name}${(connection?.mark ?? '').replace('=', '-')} `;
    const draw = (): void => {
      const isSearching = line.search !== null;
      const before = isSearching ? `(search "${shown(line.search ?? '')}") ` : prompt;
      print(view.draw({ prompt: before, further, text: line.text, at: line.at }, size));
    };
    print(PASTE_ON + mark('A'));
    draw();
    print(mark('B'));
    redraw = draw;
    return new Promise(done => {
      const end = (text: string | null): void => {
        reader = null;
        redraw = () => undefined;
        print(view.leave() + PASTE_OFF);
        done(text);
      };
      take(key => {
        switch (line.press(key)) {
          case 'submit':
            return end(line.text);
          case 'leave':
            return end(null);
          case 'interrupt':
            print(`^C${view.leave()}`);
            line = createLine(history, isWhole);
            break;
          case 'clearScreen':
            print('\x1b[H\x1b[2J');
            view = createLineView();
            break;
          case 'bell':
            print('\x07');
        }
        draw();
      });
    });
  }
  function page(lines: readonly string[]): Promise<void> {
    const isLong = lines.length >= size.rows;
    if (!settings.pager || !isLong) {
      print(lines.map(line => `${line}\r\n`).join(''));
      return Promise.resolve();
    }
    const pager = createPager(lines);
    print(pager.draw(size));
    redraw = () => print(pager.draw(size));
    return new Promise(done =>
      take(key => {
        if (pager.press(key)) return print(pager.draw(size));
        reader = null;
        redraw = () => undefined;
        print(pager.leave());
        done();
      }),
    );
  }

  async function execute(text: string, title?: string): Promise<boolean> {
    if (!connection) return false;
    const began = performance.now();
    try {
      const following = connection.follow?.(text, settings.rows, async line => {
        say(shown(line));
        await unpaused();
      });
      if (following) {
        say('Listening until Ctrl-C.');
        say(await orLost(following));
        return true;
      }
      const answer = await orLost(connection.run(text, settings.rows));
      const lines = answerLines(answer, settings, size);
      if (answer.columns.length > 0) last = isKept(answer) ? answer : null;
      await page(title === undefined ? lines : [title, ...lines]);
      if (settings.timing) say(`Time: ${(performance.now() - began).toFixed(1)} ms`);
      return true;
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      say(error.lines.map(shown).join('\n'));
      return false;
    }
  }
  /** What is refused is said; only a lost connection is thrown. */
  async function exportAs(format: ExportFormat, statement: string): Promise<void> {
    const now = connection;
    if (!now) return;
    if (statement === '' && last === null)
      return say(`There is no answer at hand: \\${format} STATEMENT exports that of a statement.`);
    const began = performance.now();
    const stop = new AbortController();
    const filename = `${name}-${new Date().toISOString().replace(/\..*/, '').replaceAll(/[T:]/g, '-')}.${format}`;
    const file = createRowFile(format, type => parts.hand({ name: filename, type }, stop.signal));
    stopExport = () => stop.abort();
    try {
      if (statement === '' && last) await file.take(last.columns, last.rows);
      const tag = statement === '' ? '' : await orLost(now.export(statement, file.take));
      const written = await file.end();
      say(exportLines(filename, written, { tag, isPart: statement === '' && last?.hasMore === true }).join('\n'));
      if (settings.timing) say(`Time: ${(performance.now() - began).toFixed(1)} ms`);
    } catch (error) {
      file.breakOff();
      if (error instanceof StatementError) say(error.lines.map(shown).join('\n'));
      else if (error instanceof ExportError || error instanceof Failure) say(`${error.message}.`);
      else throw error;
    } finally {
      stopExport = () => undefined;
    }
  }
  /** Rejects when the connection ends first. */
  const orLost = <Result>(work: Promise<Result>): Promise<Result> =>
    Promise.race([
      work,
      new Promise<never>((_done, fail) => {
        lost = fail;
      }),
    ]).finally(() => {
      lost = null;
    });

  async function connect(to: string): Promise<PromptConnection> {
    let own: PromptConnection | null = null;
    const opened = await parts.connect(to, settings.timeoutMs, {
      onNotice: text => say(shown(text)),
      onEnd(why) {
        if (own === null || own !== connection || exit) return;
        const error = new Error(why || 'the database has ended it');
        if (lost) lost(error);
        else leave(error);
      },
    });
    own = opened;
    return opened;
  }
  async function goTo(to: string): Promise<void> {
    const before = connection;
    const next = await connect(to);
    connection = next;
    dbName = to;
    before?.close();
  }
  /** One text may hold several statements; the first that is refused is the last that is run. */
  async function perform(text: string): Promise<void> {
    if (/^\s*\\/.test(text)) {
      const now = connection;
      if (now)
        await runBackslash(text.trim(), {
          engine,
          settings,
          connection: now,
          size,
          about: { name, dbUser, dbName },
          say,
          page,
          execute,
          exportAs,
          goTo,
        });
      return;
    }
    for (let at = 0; at < text.length; ) {
      const end = statementEnd(text, at, engine.syntax);
      const statement = text.slice(at, end < 0 ? text.length : end);
      at = end < 0 ? text.length : end;
      if (isBlank(statement.replace(/;$/, ''), engine.syntax)) continue;
      if (!(await execute(statement.trim()))) return;
    }
  }
  function leave(error: Error): void {
    finish({ code: null, signal: null, error: error.message });
  }
  async function main(): Promise<void> {
    history = [...(await parts.history.load())];
    connection = await orClosed(connect(dbName));
    const { rows } = settings;
    say(
      `${connection.about}, ${name} as ${shown(dbUser)}. At most ${rows} rows (\\set rows) and ${settings.timeoutMs / 1000} s a statement (\\set timeout). \\? lists the commands, \\q leaves.`,
    );
    for (;;) {
      const text = await readLine();
      if (text === null || /^\s*(\\q|quit|exit)\s*;?\s*$/i.test(text))
        return finish({ code: 0, signal: null, error: null });
      if (isBlank(text, engine.syntax)) continue;
      print(mark('C'));
      if (history.at(-1) !== text.trim()) history.push(text.trim());
      const notKept = parts.history.add(text.trim()).then(
        () => '',
        () => 'The gateway could not keep this statement in your history.',
      );
      await perform(text);
      const problem = await notKept;
      if (problem !== '') say(problem);
      print(mark('D'));
    }
  }
  /** What comes about after the person has gone is closed. */
  const orClosed = async (opening: Promise<PromptConnection>): Promise<PromptConnection> => {
    const opened = await opening;
    if (exit) opened.close();
    return opened;
  };
  void main().catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof StatementError || connection === null)
      finish({ code: null, signal: null, error: `${name}: ${why}`, unopened: true });
    else leave(error instanceof Error ? error : new Error(why));
  });
  return {
    write(bytes) {
      if (exit) return;
      for (const key of readKeys(bytes)) pressed(key);
    },
    resize(to) {
      size = to;
      if (!exit) redraw();
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      for (const bytes of held.splice(0)) output(bytes, 'stdout');
      resumed();
    },
    onOutput(listener) {
      output = listener;
    },
    onExit(listener) {
      exited = listener;
      if (exit) queueMicrotask(() => exit && listener(exit));
    },
    onGone(listener) {
      gone = listener;
      if (exit) listener();
    },
    // The prompt runs in the gateway.
    roundTrip: async () => 0,
    close: () => finish({ code: null, signal: 'SIGHUP', error: null }),
  };
}
