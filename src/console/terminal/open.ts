// A terminal on the page: xterm joined to a terminal connection, with keys, clipboard, search and size as terminal people expect them.
import { ClipboardAddon, type ClipboardSelectionType } from '@xterm/addon-clipboard';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { openTerminalConnection, type TerminalConnection } from '../../client/terminal-connection.ts';
import type { TerminalConnectionEvents, TerminalConnectionPorts } from '../../client/terminal-ports.ts';
import type { TerminalParams } from '../../contract/terminal.ts';
import { bufferText } from './buffer-text.ts';
import { keepComposedText } from './composed-text.ts';
import { createDisposables, type Disposable, listen } from './disposables.ts';
import { createFlowControl } from './flow-control.ts';
import { clipboardKey, isMac, softKeyText, withModifiers } from './keys.ts';
import type { FindOptions, SoftKey } from './ports.ts';
import { createPromptActs, drawPromptMark } from './prompt-acts.ts';
import { createPromptMarks } from './prompt-marks.ts';
import { openScreen } from './screen.ts';
import { chosenTheme, findColours } from './theme.ts';

/** Size changes are told to the shell this long after the last one. */
const RESIZE_MS = 200;
/** Most that a program may put into the clipboard with OSC 52, characters: the limit other terminals have. */
const CLIPBOARD_CHARACTERS = 1024 * 1024;

/** What the terminal tells its tab. */
interface TerminalEvents
  extends Required<Pick<TerminalConnectionEvents, 'state' | 'session' | 'presence' | 'file' | 'handed' | 'latency'>> {
  bell(): void;
  /** A program wrote this into the clipboard; whether it gets there is not decided here. */
  copied(text: string): void;
  selection(has: boolean): void;
  sized(cols: number, rows: number): void;
  link(address: string | null): void;
  /** Matches of the search: which one of how many; -1 when there is none. */
  found(index: number, count: number): void;
  /** Enter was pressed though nothing is connected: the person wants to begin anew. */
  again(): void;
  /** The terminal has the focus; answers what was typed while it was on its way. */
  focused(): string;
  /** Something was typed by somebody who only watches. */
  watched(input: string | Uint8Array): void;
  /** Ctrl and Alt of the phone's row, as they are held now. */
  modifiers(modifiers: { readonly ctrl: boolean; readonly alt: boolean }): void;
}

export interface TerminalOptions {
  readonly params: TerminalParams;
  readonly connection: TerminalConnectionPorts;
  readonly on: TerminalEvents;
  readonly keymap: { claims(event: KeyboardEvent): boolean };
  /** A paste: asks what must be asked, and puts it where it goes (`insert`). */
  readonly paste: (text: string) => Promise<void>;
  /** Something was typed here: not what was pasted. */
  readonly typed: (input: string) => void;
  readonly copyText: (text: string) => Promise<void>;
  readonly notify: (text: string) => void;
  readonly prove: NonNullable<TerminalConnectionEvents['prove']>;
  readonly scrollback: number;
  readonly fontSize: number;
  readonly screenReaderMode: boolean;
  /** Watches only: nothing is typed, and the size is the session's. */
  readonly watching: boolean;
}

export interface OpenedTerminal extends Disposable {
  /** Frees the screen and lets the socket go; the session waits for whoever takes it up. */
  detach(): void;
  focus(): void;
  copy(): void;
  /** What is selected; '' = nothing. */
  selected(): string;
  paste(): void;
  clear(): void;
  /** Tries to connect at once, or begins a new session below the old one's scrollback. */
  reconnect(params: TerminalParams): void;
  /** Types raw input, as if a key had sent it. */
  send(input: string): void;
  /** Puts text in as a paste, bracketed where the program here asks for it. */
  insert(text: string): void;
  readonly promptActs: ReturnType<typeof createPromptActs>;
  control: TerminalConnection['control'];
  requestFile: TerminalConnection['requestFile'];
  decideFile: TerminalConnection['decideFile'];
  type(key: SoftKey): void;
  find(text: string, options: FindOptions): void;
  endFind(): void;
  text(): string;
  setFont(size: number): void;
  setShown(shown: boolean): void;
  setScreenReader(on: boolean): void;
}

const encoder = new TextEncoder();
/** Control characters in a sentence from the gateway must not move the cursor. */
const plain = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ');

/** Opens a terminal in an element and connects it. */
export function openTerminal(into: HTMLElement, options: TerminalOptions): OpenedTerminal {
  const disposables = createDisposables();
  const page = into.ownerDocument;
  const mac = isMac(navigator.platform);
  const { on } = options;
  const screen = disposables.add(
    openScreen(into, {
      scrollback: options.scrollback,
      fontSize: options.fontSize,
      cols: options.params.term.w,
      rows: options.params.term.h,
      screenReaderMode: options.screenReaderMode,
      onMeasured: () => fitNow(),
      onLink: on.link,
    }),
  );
  const { xterm } = screen;
  const fit = new FitAddon();
  const search = new SearchAddon({ highlightLimit: 1000 });
  xterm.loadAddon(fit);
  xterm.loadAddon(search);
  // Output may write to the clipboard, never read it: a read would hand a password to any host.
  xterm.loadAddon(
    new ClipboardAddon(undefined, {
      readText: () => '',
      writeText: (_where: ClipboardSelectionType, text: string) => {
        if (text === '') return;
        if (text.length > CLIPBOARD_CHARACTERS)
          return options.notify('A program tried to copy more than 1 MB; nothing was copied');
        on.copied(text);
      },
    }),
  );
  xterm.parser.registerOscHandler(52, sequence => sequence.endsWith(';?'));

  const marks = disposables.add(createPromptMarks(xterm, drawPromptMark));

  let connection: TerminalConnection;
  const flow = createFlowControl({
    write: (bytes, done) => xterm.write(bytes, done),
    seen: offset => connection.seen(offset),
    hidden: () => page.visibilityState === 'hidden',
    resync: () => connection.resync(),
  });
  const connectionEvents: TerminalConnectionEvents = {
    state(state) {
      if (state.kind === 'refused') printNotice(state.text);
      on.state(state);
    },
    session(seen) {
      const size = seen.session.terminal_params;
      if (options.watching && size) xterm.resize(size.w, size.h);
      on.session(seen);
    },
    reset(offset) {
      flow.restart(offset);
      marks.clear();
      xterm.write('\x18\x1bc'); // in order with what is still to be parsed, which reset() is not
    },
    output: flow.push,
    resized: (cols, rows) => xterm.resize(cols, rows),
    presence: on.presence,
    file: on.file,
    handed: on.handed,
    latency: on.latency,
    notice: text => printNotice(text),
    prove: options.prove,
  };
  let lastNotice = '';
  /** A sentence of ours in the terminal, red, on a line of its own; the same one is not said twice. */
  function printNotice(text: string): void {
    if (text === lastNotice || text === '') return;
    lastNotice = text;
    xterm.write(`\r\n\x1b[0;31m${plain(text)}\x1b[0m\r\n`);
  }
  const begin = (params: TerminalParams): TerminalConnection => {
    lastNotice = '';
    flow.restart(0);
    return openTerminalConnection({ params, ports: options.connection, on: connectionEvents });
  };

  // Size: ours while we type; the session's own when we watch, or when another participant chose one.
  let sizeTimer: ReturnType<typeof setTimeout> | undefined;
  let room = '';
  function fitNow(): void {
    if (options.watching) return;
    const size = fit.proposeDimensions();
    if (!size || !Number.isFinite(size.cols) || !Number.isFinite(size.rows) || into.clientHeight === 0) return;
    const cols = Math.min(size.cols, 4095);
    const rows = Math.min(size.rows, 4095);
    if (cols !== xterm.cols || rows !== xterm.rows) xterm.resize(cols, rows);
    connection?.resize(cols, rows);
    on.sized(cols, rows);
  }
  const resized = new ResizeObserver(() => {
    const now = `${into.clientWidth}x${into.clientHeight}`;
    if (now === room || into.clientHeight === 0) return;
    room = now;
    clearTimeout(sizeTimer);
    sizeTimer = setTimeout(fitNow, RESIZE_MS);
  });
  resized.observe(into);
  disposables.defer(() => {
    resized.disconnect();
    clearTimeout(sizeTimer);
  });

  // Input.
  let modifiers = { ctrl: false, alt: false };
  function setModifiers(next: { ctrl: boolean; alt: boolean }): void {
    modifiers = next;
    on.modifiers(next);
  }
  function send(input: string | Uint8Array): void {
    // Ctrl-C leaves; what else a key does for somebody who watches is their tab's to say.
    if (options.watching && input !== '\x03') {
      on.watched(input);
      return;
    }
    let typed = input;
    if (typeof typed === 'string' && (modifiers.ctrl || modifiers.alt)) {
      typed = withModifiers(typed, modifiers);
      setModifiers({ ctrl: false, alt: false });
    }
    if (connection.state.kind === 'refused') {
      if (typed === '\r') on.again();
      return;
    }
    if (typed === '\r') marks.entered();
    if (!connection.send(typeof typed === 'string' ? encoder.encode(typed) : typed))
      options.notify('Not connected, and no more typing can be queued');
  }
  let isInserting = false;
  disposables.add(
    xterm.onData(input => {
      if (input === '') return;
      send(input);
      if (!isInserting) options.typed(input);
    }),
  );
  const field = xterm.textarea;
  if (field) {
    disposables.add(
      listen(field, 'focus', () => {
        const typed = on.focused();
        if (typed !== '') send(typed);
      }),
    );
    disposables.add(keepComposedText({ field, around: into, type: text => xterm.input(text) }));
  }
  disposables.add(xterm.onBinary(text => send(Uint8Array.from(text, character => character.charCodeAt(0)))));
  disposables.add(xterm.onBell(on.bell));
  disposables.add(xterm.onSelectionChange(() => on.selection(xterm.hasSelection())));
  disposables.add(search.onDidChangeResults(({ resultIndex, resultCount }) => on.found(resultIndex, resultCount)));

  /** Gives the terminal the keys. A dialog that is just closing holds them back, and then hands them to nobody: so it asks again. */
  function focus(tries = 5): void {
    xterm.focus();
    if (page.activeElement !== xterm.textarea && tries > 0 && into.clientHeight > 0)
      requestAnimationFrame(() => focus(tries - 1));
  }

  // Clipboard.
  function copy(): void {
    const text = xterm.getSelection();
    if (text === '') return;
    void options.copyText(text).then(
      () => xterm.clearSelection(),
      () => options.notify('The browser refused to copy'),
    );
  }
  async function pasteText(text: string): Promise<void> {
    if (options.watching) return options.notify('You watch this session: nothing can be typed into it');
    await options.paste(text);
    requestAnimationFrame(() => focus());
  }
  function paste(): void {
    navigator.clipboard
      .readText()
      .then(pasteText, () =>
        options.notify('The browser did not give its clipboard; Shift+Insert pastes without asking it'),
      );
  }
  // The browser pastes by key, by its menu and by the middle button; text that is dropped is pasted too. Files are the pane's.
  const takeText = (event: Event, from: DataTransfer | null): void => {
    event.preventDefault();
    event.stopPropagation();
    void pasteText(from?.getData('text/plain') ?? '');
  };
  const dropText = (event: DragEvent): void => {
    if (event.dataTransfer?.files.length === 0) takeText(event, event.dataTransfer);
  };
  disposables.add(listen(into, 'paste', event => takeText(event, event.clipboardData), { capture: true }));
  disposables.add(listen(into, 'drop', dropText, { capture: true }));
  disposables.add(
    listen(into, 'dragover', event => {
      if (event.dataTransfer?.types.includes('text/plain')) event.preventDefault();
    }),
  );

  // The clipboard's keys are heard before anyone else's: a paste key must reach the browser, whose own paste needs no permission,
  // and a copy key must not, since it would open the inspector.
  const handleKey = (event: KeyboardEvent): void => {
    if (event.isComposing || !(event.target instanceof Node) || !into.contains(event.target)) return;
    const clipboard = clipboardKey(event, xterm.hasSelection(), mac);
    if (!clipboard) return;
    event.stopPropagation();
    if (clipboard === 'paste') return;
    event.preventDefault();
    copy();
  };
  const view = page.defaultView;
  view?.addEventListener('keydown', handleKey, { capture: true });
  disposables.defer(() => view?.removeEventListener('keydown', handleKey, { capture: true }));

  // Then the console's few, and all others go to the shell.
  let claimed = false;
  xterm.attachCustomKeyEventHandler(event => {
    if (event.isComposing || event.keyCode === 229) return true; // an input method owns the key
    if (event.type === 'keydown') claimed = options.keymap.claims(event);
    return event.type === 'keyup' || !claimed;
  });

  const awake = (): void => {
    if (page.visibilityState === 'visible') flow.wake();
  };
  page.addEventListener('visibilitychange', awake);
  disposables.defer(() => page.removeEventListener('visibilitychange', awake));

  const first = fit.proposeDimensions();
  if (
    !options.watching &&
    first &&
    into.clientHeight > 0 &&
    Number.isFinite(first.cols) &&
    Number.isFinite(first.rows)
  ) {
    xterm.resize(Math.min(first.cols, 4095), Math.min(first.rows, 4095));
    on.sized(xterm.cols, xterm.rows);
  }
  connection = begin({ ...options.params, term: { w: xterm.cols, h: xterm.rows } });
  disposables.defer(() => connection.dispose());

  return {
    focus() {
      focus();
      // Whoever closes in this turn (a dialog, the palette) gives the focus away after us.
      requestAnimationFrame(() => focus(0));
    },
    copy,
    selected: () => xterm.getSelection(),
    paste,
    clear: () => xterm.clear(),
    reconnect(params) {
      if (connection.state.kind !== 'refused') return connection.retryNow();
      connection.dispose();
      marks.clear();
      // What the last program left switched on must not colour the new session; its screen goes into the scrollback.
      xterm.write(
        `\x18\x1b[?1049l\x1b[!p\x1b[?1000;1002;1003;1006;2004l\x1b[${xterm.rows};1H${'\r\n'.repeat(xterm.rows)}\x1b[H`,
      );
      connection = begin({ ...params, term: { w: xterm.cols, h: xterm.rows } });
    },
    send,
    insert(text) {
      isInserting = true;
      xterm.paste(text);
      isInserting = false;
    },
    promptActs: createPromptActs({ xterm, marks, copyText: options.copyText, notify: options.notify }),
    control: asked => connection.control(asked),
    requestFile: transfer => connection.requestFile(transfer),
    decideFile: (id, approved) => connection.decideFile(id, approved),
    type(key) {
      if (key === 'ctrl' || key === 'alt') setModifiers({ ...modifiers, [key]: !modifiers[key] });
      else send(softKeyText(key, xterm.modes.applicationCursorKeysMode));
      focus();
    },
    find(text, { back, caseSensitive, regex, typing }) {
      if (text === '') return search.clearDecorations();
      const colours = findColours[chosenTheme(page).ground];
      const how = { caseSensitive, regex, incremental: typing && !back, decorations: colours };
      if (back) search.findPrevious(text, how);
      else search.findNext(text, how);
    },
    endFind: () => search.clearDecorations(),
    text: () => bufferText(xterm.buffer.active),
    setFont(size) {
      xterm.options.fontSize = size;
      fitNow();
    },
    setShown(shown) {
      screen.setShown(shown);
      if (shown) fitNow();
    },
    setScreenReader(onOff) {
      xterm.options.screenReaderMode = onOff;
    },
    detach() {
      connection.detach();
      disposables.dispose();
    },
    dispose: disposables.dispose,
  };
}
