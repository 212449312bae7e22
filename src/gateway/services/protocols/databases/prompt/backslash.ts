// Commands that begin with a backslash: those of the prompt itself, and those that the database answers.
import { shown } from './cells.ts';
import type { PromptConnection, PromptEngine } from './engine.ts';
import type { ExportFormat } from './export.ts';
import type { Screen } from './line-view.ts';
import { changeSetting, type PromptSettings, settingLines } from './settings.ts';

/** What commands of the prompt may do. */
export interface PromptTools {
  readonly engine: PromptEngine;
  readonly settings: PromptSettings;
  readonly connection: PromptConnection;
  readonly size: Screen;
  readonly about: { readonly name: string; readonly dbUser: string; readonly dbName: string };
  say(text: string): void;
  /** A page at a time where that is needed. */
  page(lines: readonly string[]): Promise<void>;
  /** Runs one statement and shows its answer. False: it was refused. */
  execute(text: string, title?: string): Promise<boolean>;
  /** Hands rows to the browser as a file: those of a statement, or, without one, those that were shown last. */
  exportAs(format: ExportFormat, statement: string): Promise<void>;
  goTo(dbName: string): Promise<void>;
}

interface Backslash {
  readonly argument: string;
  readonly does: string;
  run(argument: string, tools: PromptTools): Promise<void> | void;
}
const flips = (name: 'expanded' | 'timing', does: string, other: (tools: PromptTools) => string): Backslash => ({
  argument: name === 'timing' ? '[on|off]' : '[on|off|auto]',
  does,
  run: (argument, tools) => tools.say(changeSetting(tools.settings, name, argument || other(tools))),
});

const exports = (format: ExportFormat): Backslash => ({
  argument: '[STATEMENT]',
  does: `all rows of a statement as a ${format.toUpperCase()} file, or those shown last`,
  run: (argument, tools) => tools.exportAs(format, argument),
});

const own: Readonly<Record<string, Backslash>> = {
  '?': { argument: '', does: 'this list', run: (_argument, tools) => tools.page(helpLines(tools)) },
  q: { argument: '', does: 'leave (Ctrl-D)', run: () => undefined },
  x: flips('expanded', 'a line for each value', ({ settings }) => (settings.expanded === 'on' ? 'off' : 'on')),
  timing: flips('timing', 'how long each statement took', ({ settings }) => (settings.timing ? 'off' : 'on')),
  set: {
    argument: '[NAME VALUE]',
    does: 'settings: rows, timeout, expanded, timing, pager',
    async run(argument, tools) {
      const [name = '', value = ''] = argument.split(/[\s=]+/, 2);
      if (name === '') return tools.page(settingLines(tools.settings));
      const before = tools.settings.timeoutMs;
      const said = changeSetting(tools.settings, name, value);
      if (tools.settings.timeoutMs !== before) await tools.connection.limitTime(tools.settings.timeoutMs);
      tools.say(said);
    },
  },
  csv: exports('csv'),
  json: exports('json'),
  conninfo: {
    argument: '',
    does: 'what this prompt is connected to',
    run: (_argument, { about, connection, say }) =>
      say(`${connection.about}: database "${shown(about.dbName)}" of ${about.name} as user "${shown(about.dbUser)}".`),
  },
};
const goTo: Backslash = {
  argument: 'DATABASE',
  does: 'go to another database of this server',
  async run(argument, tools) {
    if (argument === '') return tools.say(`You are in database "${shown(tools.about.dbName)}".`);
    await tools.goTo(argument);
    tools.say(`You are in database "${shown(argument)}" now, as user "${shown(tools.about.dbUser)}".`);
  },
};

const helpLines = ({ engine }: PromptTools): readonly string[] => {
  const row = (name: string, argument: string, does: string): string =>
    `  ${`\\${name} ${argument}`.padEnd(24)}${does}`;
  return [
    ...Object.entries({ ...own, ...(engine.hasDatabases && { c: goTo }) }).map(([name, { argument, does }]) =>
      row(name, argument, does),
    ),
    ...engine.lists.map(({ name, argument, does }) => row(name, argument, does)),
    '',
    engine.syntax.isLine
      ? '  Enter runs a line. Ctrl-C stops a command that waits.'
      : '  Enter runs what ends with ; — else it begins another line. Ctrl-C stops a statement in the database.',
    '  Up, Down: earlier statements. Ctrl-R: look for one. In a long answer: space, b, /, n, q.',
  ];
};

/** `text` begins with a backslash. What is refused is said; only a lost connection is thrown. */
export async function runBackslash(text: string, tools: PromptTools): Promise<void> {
  const [, name = '', rest = ''] = /^\\(\?|[A-Za-z]*)\+?\s*(.*?)\s*;?\s*$/s.exec(text) ?? [];
  const argument = rest.replace(/^"(.*)"$/s, '$1');
  const list = tools.engine.lists.find(one => one.name === name);
  const command = name === 'c' && tools.engine.hasDatabases ? goTo : own[name];
  try {
    if (command) return await command.run(argument, tools);
    if (!list) return tools.say(`There is no command \\${shown(name)}: \\? lists them.`);
    for (const { title, text: statement } of list.statements(argument))
      if (!(await tools.execute(statement, title))) return;
  } catch (error) {
    if (command !== goTo && command !== own.set) throw error;
    tools.say(shown(error instanceof Error ? error.message : String(error)));
  }
}
