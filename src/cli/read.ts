// Words to a verb with its arguments: the one grammar of the command line.
import { nearest } from '../contract/nearest.ts';
import { type Flag, type Typed, type Usage, UsageError } from './verb.ts';

/** Flags that name a gateway by its folder: whoever gives one speaks as the gateway's own account. */
export const LOCAL_FLAGS: readonly Flag[] = [
  { name: '--local', help: 'As the gateway’s own account on its machine, also when you are signed in' },
  { name: '--data', argument: 'FOLDER', help: 'Which gateway of this machine: its data folder, as for "npm start"' },
  { name: '--config', argument: 'FILE', help: 'Or its settings, as one YAML file' },
  { name: '--store', argument: 'URL', help: 'Its store, when that is not in the data folder' },
  { name: '--recordings', argument: 'FOLDER', help: 'Its recordings, when they are not in the data folder' },
  { name: '--public-url', argument: 'URL', help: 'What links begin with that are made while it does not run' },
  { name: '--cluster-name', argument: 'NAME', help: 'Name of the cluster, when the folder is new' },
];
/** Where the session of a person is kept. */
export const SESSION_FLAG: Flag = {
  name: '--session-file',
  argument: 'FILE',
  help: 'Where the session is kept; otherwise ~/.config/postern/session.json',
};

/** A leaf cluster, in place of the one that the gateway is of. */
export const CLUSTER_FLAG: Flag = { name: '--cluster', argument: 'NAME', help: 'A leaf cluster that it is in' };

/** What was typed, before it is known whether it fits. */
export interface Line<Row extends Usage> {
  /** Rows of the verb that was typed: one, or one for people and one for the machine; none when no verb was typed. */
  readonly rows: readonly Row[];
  readonly words: readonly string[];
  readonly flags: ReadonlyMap<string, readonly string[]>;
}

const HELP: readonly Flag[] = [
  { name: '--help', help: '' },
  { name: '--version', help: '' },
];

/** Splits a line by the flags of all verbs, which may stand anywhere; after `--` all words are plain. Throws UsageError. */
export function readLine<Row extends Usage>(argv: readonly string[], verbs: readonly Row[]): Line<Row> {
  const plain: string[] = [];
  const flags = new Map<string, string[]>();
  const known = new Map([...HELP, ...verbs.flatMap(verb => verb.flags)].map(flag => [flag.name, flag] as const));
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      plain.push(...argv.slice(at + 1));
      break;
    }
    const short = word === '-h' ? '--help' : /^-[a-z]$/.test(word) && known.has(word) ? word : null;
    const found = short !== null ? ['', short] : /^(--[A-Za-z][A-Za-z-]*)(?:=([\s\S]*))?$/.exec(word);
    if (found === null) {
      if (/^-[A-Za-z]/.test(word)) throw new UsageError(`${word}: no such flag; after -- a word may begin with a dash`);
      plain.push(word);
      continue;
    }
    const [, name = '', value] = found;
    const flag = known.get(name);
    if (flag === undefined) throw new UsageError(`${name}: no such flag${suggestion(name, [...known.keys()])}`);
    if (flag.argument === undefined && value !== undefined)
      throw new UsageError(`${name}: it stands alone, without "=${value}"`);
    const given = flag.argument === undefined ? 'true' : (value ?? argv[++at]);
    if (given === undefined || given === '') throw new UsageError(`${name}: ${flag.argument} expected after it`);
    flags.set(name, [...(flags.get(name) ?? []), given]);
  }
  for (const count of [2, 1]) {
    const rows = verbs.filter(one => one.verb === plain.slice(0, count).join(' '));
    if (rows.length > 0) return { rows, words: plain.slice(count), flags };
  }
  if (plain.length === 0) return { rows: [], words: [], flags };
  throw new UsageError(noSuchVerb(plain, verbs));
}

function noSuchVerb([first = '', second]: readonly string[], verbs: readonly Usage[]): string {
  const ofNoun = [...new Set(verbs.map(({ verb }) => verb).filter(verb => verb.startsWith(`${first} `)))];
  const said = second === undefined ? first : `${first} ${second}`;
  if (ofNoun.length > 0 && second === undefined) return `"${said}" and then? There is ${ofNoun.join(', ')}`;
  const candidates = ofNoun.length > 0 ? ofNoun : verbs.map(({ verb }) => verb);
  return `"${said}": no such verb${suggestion(said, candidates)} (--help lists them)`;
}

/**
 * Of a verb that is there for people and for the machine, the one that is meant: the machine's when a flag says so, and when nobody is
 * signed in. There must be a row.
 */
export function chosen<Row extends Usage>({ rows, flags }: Line<Row>, signedIn: () => boolean): Row {
  const here = LOCAL_FLAGS.some(({ name }) => flags.has(name)) || !(flags.has(SESSION_FLAG.name) || signedIn());
  const row = rows.find(({ local }) => (local === true) === here) ?? rows[0];
  if (row === undefined) throw new UsageError('which verb? --help lists them');
  return row;
}

/** Holds what was typed against its row. Throws UsageError. */
export function typedOf({ verb, words: wanted, flags: own, asks }: Usage, line: Line<Usage>): Typed {
  const { words, flags } = line;
  for (const [name, values] of flags) {
    const flag = own.find(one => one.name === name);
    if (flag === undefined)
      throw new UsageError(
        `${verb}: it has no ${name}${own.length > 0 ? `; it has ${own.map(one => one.name).join(', ')}` : ''}`,
      );
    if (values.length > 1 && !flag.many) throw new UsageError(`${name}: given twice`);
  }
  const least = asks ? 0 : wanted.filter(word => !word.startsWith('[')).length;
  const most = wanted.some(word => word.includes('…')) ? Number.POSITIVE_INFINITY : wanted.length;
  if (words.length < least)
    throw new UsageError(`${verb}: ${wanted.slice(words.length, least).join(' ')} expected after it`);
  if (words.length > most) throw new UsageError(`${verb}: "${words[most]}" is one word too many`);
  const missing = own.find(flag => flag.needed && !flags.has(flag.name));
  if (missing) throw new UsageError(`${verb}: ${missing.name} ${missing.argument ?? ''} is needed`);
  return {
    words,
    all: name => flags.get(name) ?? [],
    one: name => flags.get(name)?.[0],
    has: name => flags.has(name),
  };
}

const suggestion = (written: string, candidates: readonly string[]): string => {
  const found = nearest(written, candidates);
  return found === undefined ? '' : `; did you mean ${found}?`;
};
