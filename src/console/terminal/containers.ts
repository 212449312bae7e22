// Ties each tab to its terminal on the page. Terminals live here, not in React: a pane may come and go around them.

import { proxy, ref } from 'valtio/vanilla';
import { subscribeKey } from 'valtio/vanilla/utils';
import type { TerminalAct } from '../../../commands/command.ts';
import { waitingAfter } from '../../client/terminal-frames.ts';
import { readContainerAddress } from '../../contract/container-address.ts';
import { getPromptFile } from '../../contract/prompt-files.ts';
import { variablesOf } from '../../contract/snippet-text.ts';
import type { TerminalParams } from '../../contract/terminal.ts';
import { createApprovals } from './approvals.ts';
import { createBroadcast } from './broadcast.ts';
import { browserPorts } from './browser-ports.ts';
import { type OpenedTerminal, openTerminal } from './open.ts';
import { createPasteGuard } from './paste-guard.ts';
import { createRoundTrips } from './round-trips.ts';
import { connectionOf, RUNNING, type Tab, userOf } from './tab.ts';
import type { Terminals } from './terminals.ts';

/** A snippet whose blanks are asked for. */
interface AskedSnippet {
  readonly name: string;
  readonly text: string;
  readonly settle: (filled: string | null) => void;
}
interface Container {
  /** The element that xterm lives in; it moves with its terminal from pane to page. */
  readonly element: HTMLElement;
  readonly terminal: OpenedTerminal;
}

const paramsOf = (tab: Tab): TerminalParams => ({
  server_id: tab.sid === '' ? tab.serverId : '',
  login: tab.sid === '' ? tab.login : '',
  sid: tab.sid,
  mode: tab.sid === '' ? '' : tab.mode,
  term: { w: tab.cols, h: tab.rows },
});

/** Opens terminals as their tabs are first shown and keeps them until the tab is gone. */
function createContainers(terminals: Terminals) {
  const { state, ports } = terminals;
  const guard = createPasteGuard(terminals);
  const containers = new Map<string, Container>();
  const find = (key: string): Tab | undefined => state.tabs.find(tab => tab.key === key);
  const broadcast = createBroadcast(terminals, (key, input) => containers.get(key)?.terminal.send(input));
  /** Whether the terminals of a broadcast are being chosen, and the snippet whose blanks are being filled. */
  const asking = proxy<{ isChoosing: boolean; snippet: AskedSnippet | null }>({ isChoosing: false, snippet: null });
  function fill(name: string, text: string): Promise<string | null> {
    if (variablesOf(text).length === 0) return Promise.resolve(text);
    asking.snippet?.settle(null);
    return new Promise(resolve => {
      asking.snippet = ref({
        name,
        text,
        settle(given: string | null) {
          asking.snippet = null;
          resolve(given);
        },
      });
    });
  }

  function openContainer(tab: Tab, parent: HTMLElement): Container {
    const { key } = tab;
    const element = parent.ownerDocument.createElement('div');
    // Marks of prompts stand in the margin, which what overflows is cut behind.
    element.style.cssText =
      'box-sizing:content-box;width:100%;height:100%;margin-left:-8px;padding-left:8px;overflow:hidden';
    parent.append(element);
    /** Changes the tab, unless it has been closed meanwhile. */
    const change = (set: (tab: Tab) => void): void => {
      const now = find(key);
      if (now) set(now);
    };
    const set = (values: Partial<Tab>): void => change(now => Object.assign(now, values));
    const inFront = (): boolean => state.current === key;
    const trips = createRoundTrips();
    let fresh = tab.sid === '';
    const terminal = openTerminal(element, {
      params: paramsOf(tab),
      connection: browserPorts(tab.clusterId, ports.token),
      keymap: ports.keymap,
      async paste(text) {
        const agreed = await guard.ask(text, broadcast.targets(key));
        // Who was there when it was asked, and is still: nobody else was named.
        if (agreed !== null)
          for (const target of broadcast.targets(key)) containers.get(target.key)?.terminal.insert(agreed);
      },
      typed: input => broadcast.typed(key, input),
      copyText: ports.copyText,
      notify: ports.notify,
      prove: (challenge, onGone) =>
        ports.prove(find(key)?.title ?? '', challenge, onGone, find(key)?.status === 'connected'),
      scrollback: ports.config().ui.scrollbackLines,
      fontSize: state.fontSize,
      screenReaderMode: state.screenReader,
      watching: tab.mode !== 'peer',
      on: {
        state(connection) {
          // Whoever asks who gets the next key sees it here (palette/listen.ts).
          if (connection.kind === 'refused') element.dataset.hears = 'nothing';
          else delete element.dataset.hears;
          if (connection.kind === 'ended') return queueMicrotask(() => terminals.ended(key, connection.text));
          set(connectionOf(connection));
        },
        session({ session, recording, party, sessionState = RUNNING }) {
          change(now => {
            now.sid = session.id;
            now.serverId = session.server_id || now.serverId;
            now.login = session.login || now.login;
            const place = readContainerAddress(session.server_id);
            if (place?.container) now.title = `${place.container}@${place.pod}`;
            else if (session.login && session.server_hostname)
              now.title = `${session.login}@${session.server_hostname}`;
            now.recording = recording ?? null;
            now.parties = session.parties;
            now.sessionState = sessionState;
            now.files = [];
            now.moderated = session.moderated;
            now.production = session.production;
            now.party = party;
            now.isOwner =
              session.owner !== '' && session.parties.find(({ id }) => id === party)?.user === session.owner;
            if (now.since === 0 || fresh) now.since = Date.now();
            fresh = false;
            terminals.attached(now.sid);
            if (state.full && inFront()) ports.navigate?.({ clusterId: now.clusterId, sid: now.sid });
          });
        },
        presence: ({ parties, sessionState = RUNNING }) => set({ parties, sessionState }),
        copied: text => terminals.programCopied(key, text),
        file(told) {
          const now = find(key);
          set({ files: waitingAfter(now?.files ?? [], told) });
          if (now) approvals.hear(told, userOf(now));
        },
        handed({ id, filename }) {
          const { sid = '', clusterId = '' } = find(key) ?? {};
          ports
            .save(getPromptFile, { params: { clusterId, sid, id } }, filename)
            .catch((error: unknown) => ports.notify(error instanceof Error ? error.message : 'The file did not come'));
        },
        watched(input) {
          if (input === 't' && find(key)?.mode === 'moderator') ports.runCommand('session.endThis');
        },
        latency(latency) {
          trips.add(latency);
          set({ latency });
        },
        bell: () => set({ bells: (find(key)?.bells ?? 0) + 1 }),
        selection: hasSelection => set({ hasSelection }),
        sized: (cols, rows) => set({ cols, rows }),
        found(index, count) {
          if (inFront()) state.found = { index, count };
        },
        link(address) {
          if (inFront()) state.link = address;
        },
        modifiers(modifiers) {
          state.modifiers = modifiers;
        },
        focused: () => terminals.takeTypeahead(key),
        again: () => reconnect(),
      },
    });
    const approvals = createApprovals({
      ask: transfer => terminal.requestFile(transfer),
      takeBack: id => terminal.decideFile(id, false),
    });
    function reconnect(): void {
      change(now => {
        // A session that is over cannot be joined again: the same login on the same server is what was meant.
        if (now.status === 'refused' && now.serverId !== '' && now.login !== '') {
          now.sid = '';
          fresh = true;
        }
        terminal.reconnect(paramsOf(now));
        if (inFront()) terminal.focus(); // the button that was pressed goes away, and the keys must not go with it
      });
    }
    const acts: Readonly<Record<TerminalAct, () => void>> = {
      askPaste: () => change(guard.forget),
      ...terminal.promptActs,
      roundTrips: () => ports.notify(trips.text() || 'The gateway has told no round trip yet'),
      broadcast() {
        if (state.broadcast.length > 0) broadcast.stop();
        else asking.isChoosing = true;
      },
    };
    terminals.register(key, {
      act: what => acts[what](),
      async insert({ name, text, enters, asIs }) {
        if (find(key)?.mode !== 'peer') return ports.notify('You watch this session: nothing can be typed into it');
        const given = asIs ? text : await fill(name, text);
        // Enter behind it is what runs it, so that is asked for as well.
        const agreed = given === null ? null : await guard.ask(enters ? `${given}\n` : given, broadcast.targets(key));
        for (const target of agreed === null ? [] : broadcast.targets(key)) {
          const to = containers.get(target.key)?.terminal;
          to?.insert(enters ? (agreed ?? '').replace(/\n$/, '') : (agreed ?? ''));
          if (enters) to?.send('\r');
        }
        terminal.focus();
      },
      focus: terminal.focus,
      copy: terminal.copy,
      selected: terminal.selected,
      paste: terminal.paste,
      clear: terminal.clear,
      reconnect,
      control: terminal.control,
      async approval(transfer, signal) {
        const { moderated = false, sid = '' } = find(key) ?? {};
        if (!moderated) return {};
        return { moderatedSessionId: sid, fileTransferRequestId: await approvals.ask(transfer, signal) };
      },
      decideFile: terminal.decideFile,
      type: terminal.type,
      find: terminal.find,
      endFind: terminal.endFind,
      text: terminal.text,
      detach() {
        terminal.detach();
        gone();
      },
      dispose() {
        terminal.dispose();
        gone();
      },
    });
    function gone(): void {
      containers.delete(key);
      approvals.lost();
      element.remove();
    }
    const container: Container = { element, terminal };
    containers.set(key, container);
    return container;
  }

  subscribeKey(state, 'fontSize', size => {
    for (const { terminal } of containers.values()) terminal.setFont(size);
  });
  subscribeKey(state, 'screenReader', on => {
    for (const { terminal } of containers.values()) terminal.setScreenReader(on);
  });

  return {
    guard,
    broadcast,
    asking,
    /** Puts a tab's terminal into an element, opening it the first time; answers how to take it out again (it lives on). */
    mount(key: string, parent: HTMLElement): () => void {
      const tab = find(key);
      if (!tab) return () => {};
      const container = containers.get(key) ?? openContainer(tab, parent);
      if (container.element.parentElement !== parent) parent.append(container.element);
      return () => container.element.remove();
    },
    /** Tells a terminal whether it can be seen. */
    setShown(key: string, shown: boolean): void {
      containers.get(key)?.terminal.setShown(shown);
    },
  };
}
export type Containers = ReturnType<typeof createContainers>;

const byTerminals = new WeakMap<Terminals, Containers>();
/** The containers of the page's terminals: made once, however often the pane is drawn anew. */
export function containersOf(terminals: Terminals): Containers {
  const known = byTerminals.get(terminals) ?? createContainers(terminals);
  byTerminals.set(terminals, known);
  return known;
}
