// A shell in the person's own terminal: raw while it lasts, and as it was before whatever happens.
import { constants } from 'node:os';
import type { TerminalConnectionPorts } from '../../client/terminal-ports.ts';
import { readEnd, type TerminalParams } from '../../contract/terminal.ts';
import { plainText } from '../output.ts';
import { Refused } from '../verb.ts';
import { createEscape } from './escape.ts';
import { askKeyInBrowser } from './session-key.ts';
import { openShell } from './shell.ts';
import type { TerminalTarget } from './tools.ts';

/** Rows and columns that the gateway takes. */
const CELLS_MOST = 4095;
/** Typing waits while this much of it has not been taken by the network, bytes. */
const UNSENT_MOST_BYTES = 256 * 1024;
const UNSENT_LOOK_MS = 20;
/** Leaves what a program may have left on: the alternate screen, mouse reports, pasting in brackets, a hidden cursor, colours. */
const MODES_OFF =
  '\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[?25h\x1b[0m';
const CLEAR = '\x1bc';

/**
 * Opens what a command asked for at the gateway with this address, and answers the status to exit with. Throws Refused without a terminal, or
 * when it fails.
 */
export async function openTerminal(
  wanted: TerminalTarget,
  ports: TerminalConnectionPorts,
  url: string,
): Promise<number> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY)
    throw new Refused('a shell needs a terminal to be shown in: its input and output may not be a file or a pipe');
  const shell = openShell({ ...targetOf(wanted), term: sizeOf(stdout) }, ports, {
    write: (bytes, shown) => void stdout.write(bytes, shown),
    clear: () => void stdout.write(CLEAR),
    say,
    prove: (challenge, onGone) =>
      askKeyInBrowser(url, challenge, (what, address) => say(`${what}; Ctrl+C leaves`, address), onGone),
  });
  const restore = raw(stdin);
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  const ended = (signal: NodeJS.Signals): void => {
    restore();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, ended);
  process.on('exit', restore);
  const resize = (): void => {
    const { w, h } = sizeOf(stdout);
    shell.resize(w, h);
  };
  stdout.on('resize', resize);
  const withoutEscape = createEscape();
  let waiting: NodeJS.Timeout | undefined;
  const typed = (bytes: Buffer): void => {
    const input = withoutEscape(bytes);
    if (input === null) {
      shell.leave();
      return;
    }
    if (input.length > 0 && !shell.send(input)) stdout.write('\x07');
    if (shell.unsentBytes() <= UNSENT_MOST_BYTES || waiting !== undefined) return;
    // The socket says how much waits, and never when it is gone.
    stdin.pause();
    waiting = setInterval(() => {
      if (shell.unsentBytes() > UNSENT_MOST_BYTES) return;
      clearInterval(waiting);
      waiting = undefined;
      stdin.resume();
    }, UNSENT_LOOK_MS);
  };
  // A terminal that is gone takes this with it; the session stays at the gateway for whoever comes back.
  const gone = (): void => ended('SIGHUP');
  stdin.on('data', typed);
  stdin.once('end', gone);
  stdin.once('error', gone);
  stdin.resume();
  try {
    const end = await shell.end;
    await new Promise<void>(done => stdout.write(end.kind === 'over' ? '' : MODES_OFF, () => done()));
    restore();
    if (end.kind === 'left') {
      process.stderr.write('Left.\n');
      return 0;
    }
    const program = end.kind === 'over' ? readEnd(end.text) : null;
    if (program === null) {
      if (end.kind === 'failed' || wanted.kind === 'open') throw new Refused(plainText(end.text));
      // Whoever only took part has lost nothing when it is over, or when they were shown out by their own Ctrl-C.
      process.stderr.write(`${plainText(end.text)}\n`);
      return 0;
    }
    if (program.signal !== null) process.stderr.write(`${plainText(end.text)}\n`);
    return statusOf(program);
  } finally {
    restore();
    clearInterval(waiting);
    stdin.off('data', typed);
    stdin.off('end', gone);
    stdin.off('error', gone);
    stdin.pause();
    stdout.off('resize', resize);
    for (const signal of signals) process.off(signal, ended);
    process.off('exit', restore);
  }
}

const targetOf = (wanted: TerminalTarget): Omit<TerminalParams, 'term'> =>
  wanted.kind === 'open'
    ? { server_id: wanted.serverId, login: wanted.login, sid: '', mode: '' }
    : { server_id: '', login: '', sid: wanted.sid, mode: wanted.mode };

const cells = (count: number | undefined, otherwise: number): number =>
  Math.min(CELLS_MOST, Math.max(1, count || otherwise));
const sizeOf = ({ columns, rows }: NodeJS.WriteStream): { readonly w: number; readonly h: number } => ({
  w: cells(columns, 80),
  h: cells(rows, 24),
});

/** On a line of its own, whatever the shell was printing: in raw mode a new line does not return by itself. */
function say(text: string, address = ''): void {
  process.stderr.write(`\r\n[postern: ${plainText(text)}]\r\n${address === '' ? '' : `${plainText(address)}\r\n`}`);
}

/** Every key goes to the shell from here on; the answer undoes it, and may be called again. */
function raw(stdin: NodeJS.ReadStream): () => void {
  stdin.setRawMode(true);
  let on = true;
  return () => {
    if (on) stdin.setRawMode(false);
    on = false;
  };
}

/** A shell's own word for an end by a signal is 128 and its number. */
export function statusOf({ code, signal }: { readonly code: number | null; readonly signal: string | null }): number {
  if (signal === null) return Math.min(code ?? 0, 255);
  const name = (signal.startsWith('SIG') ? signal : `SIG${signal}`) as NodeJS.Signals;
  return 128 + (constants.signals[name] ?? 1);
}
