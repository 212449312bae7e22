// Collects what was written, and where, from flags, environment and file; unknown names are problems, not ignored.
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { nearest } from '../../../contract/nearest.ts';
import { flagOf, type Setting, variableOf } from './setting.ts';
import { type SettingName, settings } from './table.ts';

/** One setting as somebody wrote it. */
export interface Written {
  readonly value: string | number | boolean;
  /** Flag, variable, or file with key, line and column: how a problem names the place. */
  readonly where: string;
}
export type WrittenSettings = ReadonlyMap<SettingName, Written>;
type Problem = (text: string) => void;

const rows = Object.entries(settings) as readonly (readonly [SettingName, Setting])[];
const suggest = (written: string, known: readonly string[]): string => {
  const found = nearest(written, known);
  return found === undefined ? '' : `; did you mean ${found}?`;
};

/** `--flag value` and `--flag=value`; a flag that is true or false may stand alone. */
export function fromFlags(argv: readonly string[], problem: Problem): WrittenSettings {
  const found = new Map<SettingName, Written>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const row = rows.find(([, setting]) => flagOf(setting) === name);
    if (!row) {
      const known = rows.map(([, setting]) => flagOf(setting));
      problem(
        name.startsWith('-')
          ? `${name}: no such setting${suggest(name, known)} (--help lists them)`
          : `"${word}": every setting begins with "--" (--help lists them)`,
      );
      // What follows an unknown flag is most likely its value, and no second problem.
      if (name.startsWith('-') && equals < 0 && argv[index + 1]?.startsWith('-') === false) index++;
      continue;
    }
    const [key, setting] = row;
    if (found.has(key)) problem(`${name}: given twice`);
    let value: string | undefined = equals < 0 ? undefined : word.slice(equals + 1);
    if (value === undefined && setting.argument === undefined)
      value = /^(true|false|yes|no|1|0)$/.test(argv[index + 1] ?? '') ? argv[++index] : 'true';
    else if (value === undefined && argv[index + 1]?.startsWith('--') === false) value = argv[++index];
    if (value === undefined) problem(`${name}: ${setting.argument} expected after it`);
    else found.set(key, { value, where: name });
  }
  return found;
}

/** POSTERN_… variables. POSTERN_DEV_… belongs to the tools of development. An empty variable counts as none. */
export function fromEnvironment(env: Readonly<Record<string, string | undefined>>, problem: Problem): WrittenSettings {
  const found = new Map<SettingName, Written>();
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('POSTERN_') || name.startsWith('POSTERN_DEV_') || value === undefined || value === '')
      continue;
    const row = rows.find(([, setting]) => variableOf(setting) === name);
    if (row) found.set(row[0], { value, where: name });
    else
      problem(
        `${name}: no such setting${suggest(
          name,
          rows.map(([, setting]) => variableOf(setting)),
        )} (--help lists them)`,
      );
  }
  return found;
}

/** A YAML file with the keys of the table as its paths. */
export function fromFile(file: string, content: string, problem: Problem): WrittenSettings {
  const found = new Map<SettingName, Written>();
  const lines = new LineCounter();
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  for (const error of document.errors.slice(0, 5))
    problem(`${file}: not readable as YAML: ${error.message} (${place(error.pos[0])})`);
  if (document.errors.length > 0 || document.contents === null) return found;
  // The file itself is where settings come from, so it cannot name another.
  const known = rows.filter(([key]) => key !== 'config');
  const walk = (node: unknown, path: string): void => {
    if (!isMap(node)) {
      problem(`${file}: ${path || 'the document'}: "key: value" lines expected`);
      return;
    }
    for (const pair of node.items) {
      const offset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? 0;
      const key = `${path}${path && '.'}${isScalar(pair.key) ? String(pair.key.value) : '?'}`;
      const row = known.find(([, setting]) => setting.key === key);
      if (row && isScalar(pair.value)) {
        const { value } = pair.value;
        const where = `${file}: ${key} (${place(offset)})`;
        if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
          found.set(row[0], { value, where });
        else problem(`${where}: a value expected`);
      } else if (row) problem(`${file}: ${key} (${place(offset)}): one value expected`);
      else if (known.some(([, setting]) => setting.key.startsWith(`${key}.`))) walk(pair.value, key);
      else
        problem(
          `${file}: ${key} (${place(offset)}): no such setting${suggest(
            key,
            known.map(([, setting]) => setting.key),
          )}`,
        );
    }
  };
  walk(document.contents, '');
  return found;
}
