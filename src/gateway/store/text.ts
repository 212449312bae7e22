// What text both engines can keep, and how it is made comparable.
import { Failure } from '../../contract/failure.ts';

/** PostgreSQL's indexes hold rows of at most 2,700 bytes; a name of this length fits with any characters. */
const NAME_MOST_CHARACTERS = 512;
/** Characters of a value that lists are sorted by; the name decides among equals. */
const SORTED_MOST_CHARACTERS = 128;
/** Longest text column, characters. */
const TEXT_MOST_CHARACTERS = 1024 * 1024;

const refuse = (field: string, allowed: string): never => {
  throw new Failure('bad_request', `${field}: ${allowed}`, { [field]: allowed });
};

/** A name that both engines can keep: not empty, no NUL, bounded. Throws Failure bad_request. */
export function storable(field: string, name: string): string {
  if (name === '') refuse(field, 'must not be empty');
  if (name.length > NAME_MOST_CHARACTERS) refuse(field, `at most ${NAME_MOST_CHARACTERS} characters`);
  return plain(field, name);
}

/** Text that both engines can keep. Throws Failure bad_request. */
export function plain(field: string, text: string): string {
  if (text.includes('\0')) refuse(field, 'must not contain NUL characters');
  if (!text.isWellFormed()) refuse(field, 'must be well-formed Unicode');
  if (text.length > TEXT_MOST_CHARACTERS) refuse(field, `at most ${TEXT_MOST_CHARACTERS} characters`);
  return text;
}

/** Comparing regardless of case: the same function makes what is stored and what is looked for. */
export const fold = (text: string): string => text.toLowerCase();

/** What a list is sorted by. Cut between characters, never inside one. */
export function sortKey(text: string): string {
  const cut = fold(text).slice(0, SORTED_MOST_CHARACTERS);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Text for a column that must never refuse: what cannot be kept becomes U+FFFD. */
export const mended = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\ufffd');
