// Reads YAML files into resource documents, and says of everything wrong in them where it stands: all problems at once.
import { type Document, isMap, LineCounter, parseAllDocuments } from 'yaml';
import * as z from 'zod/v4/core';
import { dotted, explainIssues, shown } from '../../../contract/explain.ts';
import type { ResourceFile } from '../../../contract/resource-documents.ts';
import { documentErrors, documentValue, offsetOf, PARSING } from '../../../contract/yaml-offset.ts';
import { type AnyKind, type Kinds, kindNames } from './kinds.ts';

/** A document that its kind's schema accepts. */
export interface ReadDocument {
  readonly kind: AnyKind;
  readonly name: string;
  /** Held against the schema of `kind`. */
  readonly value: unknown;
  /** The YAML it came from, without its neighbours. */
  readonly source: string;
  /** The place of a part of it, `file:line:column`. */
  readonly place: (path: readonly PropertyKey[]) => string;
}

interface ReadFiles {
  readonly documents: readonly ReadDocument[];
  /** `file:line:column: what was given: what is allowed`. */
  readonly problems: readonly string[];
}

/** Bounds: far beyond what people write, far below what hurts. */
const FILE_MOST_CHARACTERS = 4 * 1024 * 1024;
const DOCUMENTS_MOST = 10_000;

/** Never throws for what is in the files. The same resource twice is a problem too. */
export function readDocuments(files: readonly ResourceFile[], kinds: Kinds): ReadFiles {
  const problems: string[] = [];
  const documents: ReadDocument[] = [];
  const seen = new Map<string, string>();
  for (const file of files) {
    for (const document of readFile(file, kinds, problem => void problems.push(problem))) {
      const id = `${document.kind.kind}/${document.name}`;
      const place = document.place(['metadata', 'name']);
      const before = seen.get(id);
      if (before !== undefined) problems.push(`${place}: ${id}: given twice; the first is at ${before}`);
      seen.set(id, before ?? place);
      documents.push(document);
    }
  }
  if (documents.length > DOCUMENTS_MOST)
    problems.push(`${documents.length} documents: at most ${DOCUMENTS_MOST} at once`);
  return { documents, problems };
}

function* readFile(
  { name: file, content }: ResourceFile,
  kinds: Kinds,
  problem: (text: string) => void,
): Generator<ReadDocument> {
  if (content.length > FILE_MOST_CHARACTERS)
    return problem(`${file}:1:1: longer than ${FILE_MOST_CHARACTERS} characters`);
  const lines = new LineCounter();
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  let parsed: readonly Document.Parsed[];
  try {
    const all = parseAllDocuments(content, { ...PARSING, lineCounter: lines });
    parsed = 'empty' in all ? [] : all;
  } catch (error) {
    // Nested beyond what the stack holds.
    return problem(`${file}:1:1: not readable as YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  for (const [index, document] of parsed.entries()) {
    const errors = documentErrors(document);
    for (const error of errors) problem(`${placeOf(error.pos[0])}: not readable as YAML: ${error.message}`);
    if (errors.length > 0 || document.contents === null) continue;
    const [start, end] = [index === 0 ? 0 : document.range[0], document.range[1]];
    const source = `${content
      .slice(start, end)
      .replace(/^---[ \t]*\r?\n/, '')
      .trimEnd()}\n`;
    const place = (path: readonly PropertyKey[]) => placeOf(offsetOf(document.contents, path, false));
    let value: unknown;
    try {
      value = documentValue(document);
    } catch (error) {
      problem(`${place([])}: not readable as YAML: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    // An empty document between two dashes says nothing.
    if (value === null) continue;
    const read = readOne(value, isMap(document.contents), kinds);
    if ('problems' in read) {
      const offset = ({ path, key }: Problem) => offsetOf(document.contents, path, key);
      // As they stand in the file: whoever mends them goes through it from its top.
      for (const found of read.problems.toSorted((one, other) => offset(one) - offset(other)))
        problem(`${placeOf(offset(found))}: ${found.text}`);
    } else yield { ...read, source, place };
  }
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly key: boolean;
  readonly text: string;
}

function readOne(
  value: unknown,
  map: boolean,
  kinds: Kinds,
): Pick<ReadDocument, 'kind' | 'name' | 'value'> | { readonly problems: readonly Problem[] } {
  const fail = (path: readonly PropertyKey[], text: string) => ({ problems: [{ path, key: false, text }] });
  if (!map) return fail([], 'a resource expected: "kind: …", "version: …", "metadata: …" and "spec: …"');
  const { kind: wanted, metadata } = value as { readonly kind?: unknown; readonly metadata?: unknown };
  const kind = typeof wanted === 'string' ? kinds.get(wanted) : undefined;
  if (!kind)
    return fail(
      ['kind'],
      `kind: ${wanted === undefined ? 'missing' : shown(wanted)}: one of ${kindNames(kinds).join(', ')} expected`,
    );
  const given = (metadata as { readonly name?: unknown } | null | undefined)?.name;
  const id = `${kind.kind}/${typeof given === 'string' ? given.slice(0, 255) : '?'}`;
  const unkeepable = [...whatCannotBeKept(value, [])];
  if (unkeepable.length > 0) return { problems: unkeepable.map(found => ({ ...found, text: `${id}: ${found.text}` })) };
  const read = z.safeParse(kind.schema, value);
  const problems: readonly Problem[] = read.success
    ? kind.check(read.data).map(({ path, text }) => ({ path, key: false, text }))
    : explainIssues(read.error.issues, value, kind.schema);
  if (!read.success || problems.length > 0)
    return { problems: problems.map(({ path, key, text }) => ({ path, key, text: `${id}: ${text}` })) };
  return { kind, name: String(given), value: read.data };
}

/** Texts that no store keeps as they are, and the one key that objects do not. */
function* whatCannotBeKept(value: unknown, path: readonly PropertyKey[]): Generator<Problem> {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    yield {
      path,
      key: false,
      text: `${dotted(path)}: ${shown(value)}: well-formed Unicode without NUL characters expected`,
    };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, held] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === '__proto__' || key.includes('\0') || !key.isWellFormed())
      yield { path: at, key: true, text: `${dotted(path)}: ${shown(key)}: another name expected` };
    else yield* whatCannotBeKept(held, at);
  }
}
