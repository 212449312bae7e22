// Words to a verb with its arguments, and the settings that say which gateway is meant.
import { nearest } from '../../gateway/services/configuration/nearest.ts';
import { flagOf, type Setting } from '../../gateway/services/configuration/setting.ts';
import { settings } from '../../gateway/services/configuration/table.ts';
import { personRows, personVerbs } from '../person/verbs.ts';
import { type Typed, UsageError, type Verb } from '../verb.ts';
import { verbs } from './verbs.ts';

export interface ReadCommand {
  readonly verb: Verb;
  readonly typed: Typed;
  /** Flags of the gateway's own table, such as --data: the same reader takes them. */
  readonly settings: readonly string[];
}

const settingFlags: ReadonlyMap<string, Setting> = new Map(
  Object.values(settings).map(setting => [flagOf(setting), setting]),
);

/** Settings may stand anywhere; a verb's own flags after it. Throws UsageError. */
export function readCommand(argv: readonly string[]): ReadCommand {
  const plain: string[] = [];
  const own: (readonly [name: string, value: string | undefined])[] = [];
  const forSettings: string[] = [];
  const known = new Map(verbs.flatMap(verb => verb.flags.map(flag => [flag.name, flag] as const)));
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      plain.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const flag = known.get(name);
    const takes = flag ? flag.argument !== undefined : settingFlags.get(name)?.argument !== undefined;
    const next = takes && equals < 0 ? argv[at + 1] : undefined;
    if (takes && equals < 0) at++;
    if (flag) own.push([name, equals >= 0 ? word.slice(equals + 1) : next]);
    else if (settingFlags.has(name)) forSettings.push(word, ...(next === undefined ? [] : [next]));
    else throw new UsageError(`${name}: no such flag${suggestion(name, [...known.keys(), ...settingFlags.keys()])}`);
  }
  const verb = verbs.find(one => one.verb === plain.slice(0, 2).join(' '));
  if (!verb) {
    const said = plain.slice(0, 2).join(' ');
    throw new UsageError(
      said === ''
        ? 'which verb? --help lists them'
        : `"${said}": no such verb${suggestion(
            said,
            verbs.map(one => one.verb),
          )} (--help lists them)`,
    );
  }
  const words = plain.slice(2);
  const least = verb.words.filter(one => !one.startsWith('[')).length;
  const most = verb.words.at(-1)?.endsWith('…') ? Number.POSITIVE_INFINITY : verb.words.length;
  if (words.length < least)
    throw new UsageError(`${verb.verb}: ${verb.words.slice(words.length, least).join(' ')} expected after it`);
  if (words.length > most) throw new UsageError(`${verb.verb}: "${words[most]}" is one word too many`);
  return { verb, typed: typedOf(verb, words, own), settings: forSettings };
}

function typedOf(verb: Verb, words: readonly string[], own: readonly (readonly [string, string | undefined])[]): Typed {
  const values = new Map<string, string[]>();
  for (const [name, value] of own) {
    const flag = verb.flags.find(one => one.name === name);
    if (!flag)
      throw new UsageError(
        `${verb.verb}: it has no ${name}${verb.flags.length > 0 ? `; it has ${verb.flags.map(one => one.name).join(', ')}` : ''}`,
      );
    if (flag.argument !== undefined && (value === undefined || value === ''))
      throw new UsageError(`${name}: ${flag.argument} expected after it`);
    if (flag.argument === undefined && value !== undefined)
      throw new UsageError(`${name}: it stands alone, without "=${value}"`);
    const before = values.get(name) ?? [];
    if (before.length > 0 && !flag.many) throw new UsageError(`${name}: given twice`);
    values.set(name, [...before, value ?? 'true']);
  }
  const missing = verb.flags.find(flag => flag.needed && !values.has(flag.name));
  if (missing) throw new UsageError(`${verb.verb}: ${missing.name} ${missing.argument ?? ''} is needed`);
  return {
    words,
    all: name => values.get(name) ?? [],
    one: name => values.get(name)?.[0],
    has: name => values.has(name),
  };
}

const suggestion = (written: string, candidates: readonly string[]): string => {
  const found = nearest(written, candidates);
  return found === undefined ? '' : `; did you mean ${found}?`;
};

/** The text of `npm run postern -- --help`. */
export function commandHelp(): string {
  const rows = verbs.flatMap(verb => [
    [`  ${[verb.verb, ...verb.words].join(' ')}`, verb.help],
    ...verb.flags.map(flag => [
      `      ${[flag.name, flag.argument ?? ''].join(' ').trimEnd()}`,
      `${flag.help}${flag.needed ? ' (needed)' : ''}`,
    ]),
  ]);
  const people = personRows(personVerbs);
  const width = Math.max(...[...rows, ...people].map(([left = '']) => left.length)) + 2;
  return [
    'Usage: npm run postern -- VERB [words and flags]',
    '',
    'For whoever may sign in, from anywhere, over the web API:',
    '',
    ...people.map(([left = '', right = '']) => `${left.padEnd(width)}${right}`),
    '',
    "For whoever has the gateway's own account on its machine.",
    'Talks to the gateway that runs on the data folder; when none does, it works on the folder itself.',
    '',
    ...rows.map(([left = '', right = '']) => `${left.padEnd(width)}${right}`),
    '',
    'Where the gateway is: --data FOLDER, --config FILE, --store URL, as for "npm start" (npm start -- --help).',
    '',
  ].join('\n');
}
