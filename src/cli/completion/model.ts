// What a completion script needs to know of the verbs.
import { auditKeys } from '../../contract/audit-query.ts';
import type { Flag, Usage } from '../verb.ts';

/** What may stand where a value stands: one of some words, a path, an id that a list of ours begins its lines with, or what nobody knows beforehand. */
export type Values =
  /** `isOpen`: more follows in the same word. */
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly isOpen?: true }
  | { readonly kind: 'listed'; readonly command: string }
  | { readonly kind: 'path' | 'free' };

export interface FlagEntry {
  readonly name: string;
  readonly help: string;
  /** Absent: it stands alone. */
  readonly values?: Values;
}

/** A verb; one that is there for people and for the machine is one entry with the flags of both. */
export interface VerbEntry {
  readonly verb: string;
  readonly help: string;
  readonly flags: readonly FlagEntry[];
  /** What its first word may be, and each that follows. */
  readonly values: Values;
}

/** Words that stand for paths where the help shows them. */
const PATHS: ReadonlySet<string> = new Set(['FILE', 'FOLDER']);

/** What the audit log is searched with. */
const QUERY = '[QUERY…]';

/** Words that stand for an id, and the verb that lists those there are. */
const LISTS: Readonly<Record<string, string>> = { LOCK: 'locks list' };
/** Prints the ids, one a line; nothing when nobody can be asked. */
const idsOf = (list: string): string => `postern ${list} 2>/dev/null | grep -oE '^[0-9a-f-]{36}'`;

function valuesOf(word: string): Values {
  if (word === QUERY) return { kind: 'words', words: Object.keys(auditKeys).map(key => `${key}:`), isOpen: true };
  const list = LISTS[word];
  if (list !== undefined) return { kind: 'listed', command: idsOf(list) };
  if (word.includes('|') && word === word.toLowerCase()) return { kind: 'words', words: word.split('|') };
  return { kind: PATHS.has(word.replace(/[[\]…]/g, '')) ? 'path' : 'free' };
}

const flagEntry = ({ name, help, argument }: Flag): FlagEntry => ({
  name,
  help,
  ...(argument !== undefined && { values: valuesOf(argument) }),
});
const HELP: FlagEntry = { name: '--help', help: 'Tells more of it' };

/** In the order of their names. */
export function entriesOf(verbs: readonly Usage[]): readonly VerbEntry[] {
  const byVerb = Map.groupBy(verbs, ({ verb }) => verb);
  return [...byVerb]
    .map(([verb, rows]) => ({
      verb,
      help: rows[0]?.help ?? '',
      flags: [
        ...new Map([...rows.flatMap(row => row.flags).map(flagEntry), HELP].map(flag => [flag.name, flag])).values(),
      ],
      values: valuesOf(rows[0]?.words[0] ?? ''),
    }))
    .toSorted((a, b) => (a.verb < b.verb ? -1 : 1));
}

/** First words of verbs, each with the verbs that begin with it. */
export const byFirstWord = (entries: readonly VerbEntry[]): ReadonlyMap<string, readonly VerbEntry[]> =>
  Map.groupBy(entries, ({ verb }) => verb.split(' ')[0] ?? '');

/** Flags of all verbs that take a value. */
export const takingFlags = (entries: readonly VerbEntry[]): readonly FlagEntry[] => [
  ...new Map(
    entries.flatMap(({ flags }) => flags.filter(flag => flag.values !== undefined)).map(flag => [flag.name, flag]),
  ).values(),
];

/** What a first word is for: its verb's help, or the words that may follow. */
export const helpOfFirst = (entries: readonly VerbEntry[]): string =>
  entries.length === 1 && !entries[0]?.verb.includes(' ')
    ? (entries[0]?.help ?? '')
    : entries.map(({ verb }) => verb.split(' ')[1]).join(', ');
