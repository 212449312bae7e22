// Login rules on the command line: read, written, and tried on somebody. Listing and deleting them are commands of the registry.

import { parseDocument } from 'yaml';
import { ApiError } from '../../contract/failure.ts';
import { createLoginRule, getLoginRule, testLoginRules, updateLoginRule } from '../../contract/login-rule-calls.ts';
import { readText } from '../machine/input.ts';
import { plainJson, plainText } from '../output.ts';
import { SESSION_FLAG } from '../read.ts';
import type { Surface, Typed, Verb } from '../verb.ts';
import { Refused } from '../verb.ts';
import { open } from './opened.ts';

/** `metadata.name` of a document; '' where it has none: what is wrong with it is the gateway's to say. */
function nameIn(content: string): string {
  const name: unknown = parseDocument(content).getIn(['metadata', 'name']);
  return typeof name === 'string' ? name : '';
}

async function show(typed: Typed, { print }: Surface): Promise<number> {
  const { session } = await open(typed);
  const { content } = await session.call(getLoginRule, { params: { name: typed.words[0] ?? '' } });
  print(content.trimEnd());
  return 0;
}

async function write(typed: Typed, { print }: Surface): Promise<number> {
  const content = await readText(typed.words[0] ?? '');
  const { session } = await open(typed);
  const name = nameIn(content);
  const replaced = async () =>
    name === '' ? null : session.call(updateLoginRule, { params: { name }, body: { content } }).catch(orMissing);
  const rule = (await replaced()) ?? (await session.call(createLoginRule, { body: { content } }));
  print(`The login rule ${plainText(rule.name)} has been saved.`);
  return 0;
}
/** Throws what is no "not found". */
const orMissing = (error: unknown): null => {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
};

async function tryOn(typed: Typed, { print }: Surface): Promise<number> {
  const [user = '', file] = typed.words;
  const content = file === undefined ? undefined : await readText(file);
  const { session } = await open(typed);
  const found = await session.call(testLoginRules, { body: { user, ...(content !== undefined && { content }) } });
  print(plainJson(found));
  if (found.refused !== undefined) throw new Refused(plainText(found.refused), 1);
  return 0;
}

export const loginRuleVerbs: readonly Verb[] = [
  {
    verb: 'login-rules show',
    words: ['NAME'],
    flags: [SESSION_FLAG],
    help: 'Prints the YAML of a login rule',
    run: show,
  },
  {
    verb: 'login-rules write',
    words: ['FILE'],
    flags: [SESSION_FLAG],
    help: 'Creates a login rule from YAML, or replaces the one of its name; - is standard input',
    run: write,
  },
  {
    verb: 'login-rules test',
    words: ['USER', '[FILE]'],
    flags: [SESSION_FLAG],
    help: 'Says what the rules would make of the traits of a user, with FILE as if its rule were written; ends with 1 when nobody would be signed in',
    run: tryOn,
  },
];
