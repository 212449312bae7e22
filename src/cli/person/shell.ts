// A terminal connection as a command line shows it: what becomes of it is said in words, and it has one end.
import type { ConnectionState } from '../../client/reconnection.ts';
import { openTerminalConnection } from '../../client/terminal-connection.ts';
import type { TerminalConnectionPorts } from '../../client/terminal-ports.ts';
import { SEEN_EVERY_BYTES, type TerminalParams } from '../../contract/terminal.ts';

/** No gateway keeps a session that nobody attends for longer than a person waits, ms. */
const OUTAGE_MOST_MS = 15 * 60_000;
/** Ctrl+C. */
const INTERRUPT = 3;

export interface ShellScreen {
  /** Writes output in order; `shown` is to be called once it has been written. */
  write(bytes: Uint8Array, shown: () => void): void;
  /** What follows repeats the session from an earlier point. */
  clear(): void;
  /** Tells the person something that is not the shell's output. */
  say(text: string): void;
  /** Answers the question for a hardware key, JSON for JSON. Rejects with a sentence. */
  prove(challenge: string, onGone: (run: () => void) => void): Promise<string>;
}

/** How a session ended for this side. `over`: in good order, with what there is to say about it. */
interface ShellEnd {
  readonly kind: 'over' | 'left' | 'failed';
  readonly text: string;
}

export interface Shell {
  /** False: there is no connection and no more room. */
  send(input: Uint8Array): boolean;
  /** Bytes typed and not yet taken by the network. */
  unsentBytes(): number;
  resize(cols: number, rows: number): void;
  /** Leaves the session for good: it ends when nobody else is in it. */
  leave(): void;
  /** Never throws. */
  readonly end: Promise<ShellEnd>;
}

/** Opens a new session, or the one that `params.sid` names. */
export function openShell(params: TerminalParams, ports: TerminalConnectionPorts, screen: ShellScreen): Shell {
  let kind: ConnectionState['kind'] = 'connecting';
  let began = false;
  /** How far into the session's output this side is, bytes: received, shown, and told to the gateway. */
  let received = 0;
  let shown = 0;
  let told = 0;
  const { promise: end, resolve: finish } = Promise.withResolvers<ShellEnd>();
  const connection = openTerminalConnection({
    params,
    ports,
    giveUpAfterMs: OUTAGE_MOST_MS,
    on: {
      state(state) {
        const before = kind;
        kind = state.kind;
        if (state.kind === 'ended') finish({ kind: 'over', text: state.text });
        else if (state.kind === 'refused') finish({ kind: 'failed', text: state.text });
        else if (state.kind === 'reconnecting' && before !== 'reconnecting')
          screen.say(`${state.text}; trying again. Enter ~ . leaves.`);
        else if (state.kind === 'connected' && before === 'reconnecting') screen.say('connected again');
      },
      session() {
        began = true;
      },
      reset(offset) {
        received = shown = told = offset;
        // Whoever joins has seen nothing yet that could be seen twice.
        if (began) screen.clear();
      },
      output(bytes, reached) {
        received = reached;
        screen.write(bytes, () => {
          shown = Math.max(shown, reached);
          if (shown - told < SEEN_EVERY_BYTES && shown !== received) return;
          told = shown;
          connection.seen(shown);
        });
      },
      prove: screen.prove,
      // Before the session began, or when it is lost, the same words come as its end.
      notice: text => {
        if (kind === 'connected') screen.say(text);
      },
    },
  });
  function leave(): void {
    connection.dispose();
    finish({ kind: 'left', text: '' });
  }
  return {
    end,
    send(input) {
      // There is no program yet that an interrupt could be for.
      if (began || !input.includes(INTERRUPT)) return connection.send(input);
      leave();
      return true;
    },
    unsentBytes: connection.unsentBytes,
    resize: connection.resize,
    leave,
  };
}
