// What a person sets at the prompt for as long as the session goes on.
import { parseDuration } from '../../../../../contract/duration.ts';

export interface PromptSettings {
  /** Rows of an answer that are read and shown. */
  rows: number;
  /** The longest that a statement may take, ms; 0: as long as the database lets it. */
  timeoutMs: number;
  expanded: 'on' | 'off' | 'auto';
  timing: boolean;
  pager: boolean;
}
/** Rows of one answer, at most: what is more is for an export. */
const ROWS_MOST = 10_000;
const TIMEOUT_MOST_MS = 24 * 3_600_000;

export const firstSettings = (): PromptSettings => ({
  rows: 1000,
  timeoutMs: 60_000,
  expanded: 'auto',
  timing: true,
  pager: true,
});

const duration = (ms: number): string => (ms === 0 ? 'off' : ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);
const isOn = (value: string): boolean => value === 'on';

/** Each setting: what it is, what it holds, and how a text changes it; a sentence says what it may be instead. */
const table: Readonly<
  Record<
    string,
    {
      readonly does: string;
      of(settings: PromptSettings): string;
      set(settings: PromptSettings, value: string): string | null;
    }
  >
> = {
  rows: {
    does: 'rows of an answer that are shown',
    of: ({ rows }) => String(rows),
    set(settings, value) {
      const rows = Number(value);
      if (!/^\d+$/.test(value) || rows < 1 || rows > ROWS_MOST) return `rows: a number from 1 to ${ROWS_MOST}`;
      settings.rows = rows;
      return null;
    },
  },
  timeout: {
    does: 'the longest that a statement may take, or off',
    of: ({ timeoutMs }) => duration(timeoutMs),
    set(settings, value) {
      const ms = value === 'off' || value === '0' ? 0 : parseDuration(value);
      if (ms === undefined || ms > TIMEOUT_MOST_MS) return 'timeout: a time such as 30s or 5m, at most 24h, or off';
      settings.timeoutMs = ms;
      return null;
    },
  },
  expanded: {
    does: 'a line for each value: on, off, or auto where columns are wider than the screen',
    of: ({ expanded }) => expanded,
    set(settings, value) {
      if (value !== 'on' && value !== 'off' && value !== 'auto') return 'expanded: on, off or auto';
      settings.expanded = value;
      return null;
    },
  },
  timing: {
    does: 'how long each statement took',
    of: ({ timing }) => (timing ? 'on' : 'off'),
    set(settings, value) {
      if (value !== 'on' && value !== 'off') return 'timing: on or off';
      settings.timing = isOn(value);
      return null;
    },
  },
  pager: {
    does: 'a page at a time where there is more than the screen holds',
    of: ({ pager }) => (pager ? 'on' : 'off'),
    set(settings, value) {
      if (value !== 'on' && value !== 'off') return 'pager: on or off';
      settings.pager = isOn(value);
      return null;
    },
  },
};

/** All settings, one a line. */
export const settingLines = (settings: PromptSettings): readonly string[] =>
  Object.entries(table).map(([name, { does, of }]) => `${name.padEnd(10)}${of(settings).padEnd(8)}${does}`);

/** Changes one and answers the line that says so; a sentence when it cannot be. */
export function changeSetting(settings: PromptSettings, name: string, value: string): string {
  const row = table[name];
  if (!row) return `There is no setting ${name}: ${Object.keys(table).join(', ')}`;
  return (value === '' ? null : row.set(settings, value.toLowerCase())) ?? `${name} is ${row.of(settings)}.`;
}
