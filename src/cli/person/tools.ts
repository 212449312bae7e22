// The ports of commands on the command line: what they show is kept until it is known how it is to be written.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Tools } from '../../../commands/command.ts';
import { enrollHere } from '../../client/own-device.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import { plainJson, plainText } from '../output.ts';
import { table } from '../table.ts';
import { Refused, UsageError } from '../verb.ts';
import { commandLineKeys } from './own-device.ts';
import type { Session } from './signed.ts';

/** The terminal that a command asked for; it is opened once the command has run. */
export type TerminalTarget =
  | { readonly kind: 'open'; readonly serverId: string; readonly hostname: string; readonly login: string }
  | { readonly kind: 'join'; readonly sid: string; readonly title: string; readonly mode: Mode };

export interface Doing {
  readonly tools: Tools;
  /** Set when the command wants a terminal. */
  wanted(): TerminalTarget | undefined;
  /** Writes what the command answered. */
  finish(): void;
}

export interface DoingPorts {
  readonly session: Session;
  /** Path of the session's file. */
  readonly file: string;
  readonly output: 'json' | 'table';
  /** Answers every confirmation without asking. */
  readonly yes: boolean;
  /** Where a saved file goes; undefined: standard output. */
  readonly to: string | undefined;
  readonly ask: ((question: string) => Promise<boolean>) | null;
  readonly print: (text: string) => void;
}

/** A port that only a page has. */
const onPage = (): never => {
  throw new Refused('this needs the console');
};

export function createDoing(ports: DoingPorts): Doing {
  const said: string[] = [];
  let shown: readonly unknown[] | undefined;
  let wanted: TerminalTarget | undefined;
  let saved = false;
  /** What the calls that change something answered, in order. */
  const replies: unknown[] = [];
  const json = ports.output === 'json';

  /** Says lines, each of which stays one whatever it holds. */
  const say = (...lines: readonly string[]): void => {
    said.push(lines.join('\n'));
    if (!json) ports.print(lines.map(plainText).join('\n'));
  };
  const tools: Tools = {
    go: onPage,
    async call(call, given) {
      const reply = await ports.session.call(call, given);
      if (call.method !== 'GET') replies.push(reply);
      return reply;
    },
    terminal: {
      open: async target => {
        wanted = { kind: 'open', ...target };
        return true;
      },
      join: session => {
        wanted = { kind: 'join', ...session };
      },
      closeCurrent: onPage,
      show: onPage,
      step: onPage,
      arrange: onPage,
      dress: onPage,
      fullScreen: onPage,
      savedTabs: onPage,
      openTabs: onPage,
      togglePane: onPage,
      toggleMaximised: onPage,
      allowClipboard: onPage,
      find: onPage,
      read: onPage,
      act: onPage,
      insert: onPage,
      copy: onPage,
      paste: onPage,
      clear: onPage,
      reconnect: onPage,
      focus: onPage,
      fontSize: onPage,
      transfer: onPage,
      copyLink: onPage,
      control: onPage,
      invite: onPage,
      toggleScreenReader: onPage,
    },
    notify: text => say(text),
    async confirm({ title, text }) {
      if (ports.yes) return true;
      if (ports.ask === null) throw new UsageError(`${title} ${text} There is nobody to ask here: give --yes`);
      return ports.ask(`${plainText(title)}${text.includes('\n') ? '\n' : ' '}${text}`);
    },
    handOver: async ({ title, text, link }) => say(`${title}:`, link, text),
    copyText: onPage,
    link: (path = '/web') => new URL(path, ports.session.url).href,
    openPalette: onPage,
    openHelp: onPage,
    setTheme: onPage,
    signOut: onPage,
    list: { move: onPage, filter: onPage, mark: onPage, menu: onPage, open: onPage },
    switchCluster: onPage,
    switchCategory: onPage,
    ownDevice: {
      enroll: (user, token) => enrollHere(tools.call, commandLineKeys(ports.file, ports.session.url), user, token),
      forget: user => commandLineKeys(ports.file, ports.session.url).forget(user),
    },
    show: (items, columns) => {
      shown = items;
      if (json) return;
      ports.print(
        items.length === 0
          ? 'There are none.'
          : table([columns.map(({ title }) => title), ...items.map(item => columns.map(column => column.of(item)))]),
      );
    },
    async save(call, given) {
      saved = true;
      const { body } = await ports.session.file(call, given);
      await keep(body ?? new Blob([]).stream(), ports.to);
      if (ports.to !== undefined) tools.notify(`Written to ${resolve(ports.to)}`);
    },
  };
  return {
    tools,
    wanted: () => wanted,
    finish() {
      const toOutput = saved && ports.to === undefined;
      if (toOutput || wanted !== undefined) return;
      // A list is one document; what there is to say beside it must not spoil that.
      if (json && shown !== undefined) for (const text of said) process.stderr.write(`${plainText(text)}\n`);
      if (json) ports.print(plainJson(shown ?? { said, results: replies }));
      else if (shown === undefined && said.length === 0) ports.print('Done.');
    },
  };
}

/** Throws Refused when the file exists or cannot be written; half a file does not stay. */
export async function keep(bytes: AsyncIterable<Uint8Array>, to: string | undefined): Promise<void> {
  if (to === undefined) return pipeline(bytes, process.stdout, { end: false });
  let made = false;
  try {
    const file = createWriteStream(to, { flags: 'wx', mode: 0o600 });
    file.once('open', () => {
      made = true;
    });
    await pipeline(bytes, file);
  } catch (error) {
    if (made) await rm(to, { force: true });
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new Refused(`--to: ${to} exists already, and nothing is written over it`);
    throw new Refused(`${to} could not be written: ${error instanceof Error ? error.message : error}`);
  }
}
