// The last warnings and errors of the log, for whoever helps: kept in memory, gone with the gateway.
import type { SupportBundle } from '../../../contract/support.ts';

const LINES_MOST = 200;
/** Longer texts are cut here, characters. */
const TEXT_MOST = 2000;
/** Warnings and above; each line of the log begins with its level. */
const GRAVE = /^\{"level":[456]0,/;
const levels: Readonly<Record<number, string>> = { 40: 'warn', 50: 'error', 60: 'fatal' };

/** What the log writes to. */
interface Destination {
  write(line: string): void;
}
export interface RecentLog extends Destination {
  /** The newest last. */
  lines(): SupportBundle['log'];
}

/** Passes every line on, and keeps the grave ones. */
export function keepRecent(to: Destination): RecentLog {
  const kept: string[] = [];
  return {
    write(line) {
      to.write(line);
      if (!GRAVE.test(line)) return;
      kept.push(line);
      if (kept.length > LINES_MOST) kept.shift();
    },
    lines: () => kept.map(shown),
  };
}

interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg?: unknown;
  readonly reqId?: unknown;
  readonly err?: { readonly message?: unknown; readonly stack?: unknown };
}
/** By what is known to be harmless: a field that somebody adds to a line one day stays at home. */
function shown(line: string): SupportBundle['log'][number] {
  const { level, time, msg, reqId, err } = JSON.parse(line) as Line;
  const error = err?.stack ?? err?.message;
  return {
    time: new Date(time).toISOString(),
    level: levels[level] ?? String(level),
    message: cut(msg),
    ...(error !== undefined && { error: cut(error) }),
    ...(reqId !== undefined && { request: cut(reqId) }),
  };
}
const cut = (text: unknown): string => {
  const whole = typeof text === 'string' ? text : '';
  return whole.length > TEXT_MOST ? `${whole.slice(0, TEXT_MOST)}…` : whole;
};
