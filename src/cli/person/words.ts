// Words and flags of a person's verb, read before it is known which command is meant.
import { UsageError } from '../verb.ts';

export interface Words {
  readonly plain: readonly string[];
  /** Values by flag name without its dashes. */
  readonly flags: ReadonlyMap<string, string>;
  has(flag: string): boolean;
}

/**
 * `standing` flags stand alone; every other takes the next word or what follows "=". After `--` all words are plain, and so is one
 * that is no flag by its looks, such as `-` or `-1`. Throws UsageError.
 */
export function readWords(argv: readonly string[], standing: ReadonlySet<string>): Words {
  const plain: string[] = [];
  const flags = new Map<string, string>();
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      plain.push(...argv.slice(at + 1));
      break;
    }
    const found = word === '-h' ? ['', 'help'] : /^--([A-Za-z][A-Za-z-]*)(?:=([\s\S]*))?$/.exec(word);
    if (found === null) {
      if (/^-[A-Za-z]/.test(word)) throw new UsageError(`${word}: no such flag; after -- a word may begin with a dash`);
      plain.push(word);
      continue;
    }
    const name = found[1] ?? '';
    const stands = standing.has(name);
    if (stands && found[2] !== undefined) throw new UsageError(`--${name}: it stands alone, without "=${found[2]}"`);
    if (flags.has(name)) throw new UsageError(`--${name}: given twice`);
    const value = stands ? 'true' : (found[2] ?? argv[++at]);
    if (value === undefined) throw new UsageError(`--${name}: a value is expected after it`);
    flags.set(name, value);
  }
  return { plain, flags, has: flag => flags.has(flag) };
}
