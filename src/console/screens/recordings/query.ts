// The recordings' filter line: `text:"rm -rf" user:alice host:db-3 kind:ssh is:cut words`. What was printed is searched by the gateway.

import { lineValue, readLine } from '../../../contract/query-line.ts';
import { wordsFilter } from '../../../contract/words.ts';
import type { Suggestion } from '../query-completion.ts';
import type { Recording } from './recording.ts';

const recordingKeys = {
  text: {
    what: 'a text that was printed, in quotes where it has blanks',
    about: 'recordings in which this was printed',
  },
  user: { what: 'a user name', about: 'sessions that this user took part in' },
  host: { what: 'the name of a server, or its beginning', about: 'sessions on this server' },
  kind: { what: 'ssh, k8s, db, app or desktop', about: 'sessions of this kind' },
  is: { what: 'cut or playable', about: 'cut: the gateway stopped during the session; playable: it can be played' },
} as const;

const kinds: readonly string[] = ['ssh', 'k8s', 'db', 'app', 'desktop'];
const states: Readonly<Record<string, (row: Recording) => boolean>> = {
  cut: ({ event }) => (event as { recording_cut?: unknown }).recording_cut === true,
  playable: ({ refused }) => refused === undefined,
};

export interface RecordingsQuery {
  /** A text to look for in what was printed; '' = none. */
  readonly text: string;
  /** Whether a row is what the rest of the line asks for; `words`: what it can be found by. */
  fits(row: Recording, words: string): boolean;
}

/** Reads the line; a sentence that says what is wrong when something in it cannot be. */
export function readRecordingsQuery(line: string): RecordingsQuery | string {
  const read = readLine(line, recordingKeys);
  if (typeof read === 'string') return read;
  const given: Partial<Record<keyof typeof recordingKeys, string>> = {};
  for (const { key, value } of read.parts) {
    if (given[key] !== undefined) return `One each: ${key}: stands here twice`;
    given[key] = value;
  }
  const { text = '', user, host, kind, is } = given;
  if (kind !== undefined && !kinds.includes(kind)) return `kind: is one of ${kinds.join(', ')}`;
  if (is !== undefined && !Object.hasOwn(states, is)) return `is: is one of ${Object.keys(states).join(', ')}`;
  if (text !== '' && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 2)
    return 'text: must hold at least 2 letters or digits';
  const holds = wordsFilter(read.words.join(' '));
  return {
    text,
    fits: (row, words) =>
      holds(words) &&
      (user === undefined || row.users.split(', ').includes(user)) &&
      (host === undefined || row.hostname.startsWith(host)) &&
      (kind === undefined || row.type === kind) &&
      (is === undefined || states[is]?.(row) === true),
  };
}

/** Suggestions shown at once. */
const SUGGESTIONS_MOST = 12;

/** What may come next at the caret: a key, or what can follow one, of the rows that are there. */
export function recordingSuggestions(text: string, caret: number, rows: readonly Recording[]): readonly Suggestion[] {
  const [, typed = ''] = /(?:^|\s)([^\s"]*)$/.exec(text.slice(0, caret)) ?? [];
  const [, key, begun = ''] = /^([a-z]+):(.*)$/.exec(typed) ?? [];
  const values: Readonly<Record<string, readonly string[]>> = {
    kind: kinds,
    is: Object.keys(states),
    user: [...new Set(rows.flatMap(row => row.users.split(', ')))].filter(name => name !== '').sort(),
    host: [...new Set(rows.map(row => row.hostname))].sort(),
  };
  const offers =
    key === undefined
      ? Object.entries(recordingKeys).map(([name, { about }]) => ({ title: `${name}:`, detail: about, after: '' }))
      : (values[key] ?? []).map(title => ({ title, detail: '', after: ' ' }));
  const word = key === undefined ? typed : begun;
  return offers
    .filter(({ title }) => title.startsWith(word) && title !== word)
    .slice(0, SUGGESTIONS_MOST)
    .map(({ title, detail, after }) => ({
      title,
      detail,
      text: `${lineValue(title)}${after}`,
      start: caret - word.length,
    }));
}
