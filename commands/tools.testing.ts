// Facts and tools for tests of commands: the tools write down what was asked of them, and calls are answered by the test.
import type { Call } from '../src/contract/call.ts';
import { deployment, everyRight, person } from '../src/features/person.testing.ts';
import type { Facts, Tools } from './command.ts';

/** Facts of a person who may do everything, on the servers page; `more` changes some. */
export function factsWith(more: Partial<Facts> = {}): Facts {
  return {
    who: person(everyRight),
    config: deployment(),
    clusterId: 'main',
    feature: 'nodes',
    focus: 'page',
    terminal: null,
    company: null,
    terminalCount: 0,
    terminalTabs: [],
    liveTerminals: 0,
    paneOpen: false,
    selection: [],
    theme: 'light',
    surface: 'console',
    ...more,
  };
}

/** What a call was made with. */
export interface Made {
  readonly call: Call;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
}

export interface Recorder {
  readonly tools: Tools;
  /** One line per thing done, such as `notify db-3 has been added`. */
  readonly done: string[];
  readonly made: Made[];
}

/** Tools that write down what they are asked. `reply` answers calls; `sure` answers confirmations; `connects`: shells do. */
export function recorder(reply: (made: Made) => unknown = () => undefined, sure = true, connects = true): Recorder {
  const done: string[] = [];
  const made: Made[] = [];
  const say =
    (what: string) =>
    (...given: readonly unknown[]): void => {
      done.push(
        [what, ...given.map(part => (typeof part === 'object' ? JSON.stringify(part) : String(part)))].join(' '),
      );
    };
  const tools: Tools = {
    go: say('go'),
    call: (async (call: Call, given: object = {}) => {
      const asked = { call, ...given };
      made.push(asked);
      return reply(asked);
    }) as Tools['call'],
    terminal: {
      open: async target => {
        say('open')(target);
        return connects;
      },
      join: say('join'),
      closeCurrent: say('close'),
      show: say('show'),
      step: say('step'),
      arrange: say('arrange'),
      dress: say('dress'),
      fullScreen: say('fullScreen'),
      savedTabs: () => [],
      openTabs: say('openTabs'),
      togglePane: say('toggle'),
      toggleMaximised: say('maximise'),
      allowClipboard: say('clipboard'),
      find: say('find'),
      read: say('read'),
      act: say('act'),
      insert: say('insert'),
      copy: say('copy'),
      paste: say('paste'),
      clear: say('clear'),
      reconnect: say('reconnect'),
      focus: say('focus'),
      transfer: say('transfer'),
      copyLink: say('copyLink'),
      control: say('control'),
      invite: say('invite'),
      toggleScreenReader: say('screenReader'),
      fontSize: say('font'),
    },
    notify: say('notify'),
    confirm: async question => {
      say('confirm')(question.title, question.text);
      return sure;
    },
    handOver: async ({ title, text, link }) => say('handOver')(title, text, link),
    copyText: async text => say('copyText')(text),
    link: path => `https://main${path ?? '/here'}`,
    openPalette: say('palette'),
    openHelp: say('help'),
    setTheme: say('theme'),
    signOut: say('signOut'),
    player: say('player'),
    setQuery: say('query'),
    list: { move: say('move'), filter: say('filter'), mark: say('mark'), menu: say('menu'), open: say('openRow') },
    deleteView: say('deleteView'),
    switchCluster: say('cluster'),
    switchCategory: say('category'),
  };
  return { tools, done, made };
}
