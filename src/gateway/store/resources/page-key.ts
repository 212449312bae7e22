// The opaque key of a page's end: sort, last value and last name. It says where to go on, never what may be seen.
import { Failure } from '../../../contract/failure.ts';
import type { ResourceKind, SortField } from '../store.ts';

export interface PageSort {
  readonly kind: ResourceKind;
  readonly field: SortField;
  readonly descending: boolean;
}
export interface PageEnd {
  /** Folded value of the sort field. */
  readonly value: string;
  readonly name: string;
}

const refuse = (why: string): never => {
  throw new Failure('bad_request', `startKey: ${why}`, { startKey: why });
};

export function toPageKey({ kind, field, descending }: PageSort, { value, name }: PageEnd): string {
  return Buffer.from(JSON.stringify([kind, field, descending, value, name])).toString('base64url');
}

/** Throws Failure bad_request for a key that is malformed, or of another list or sort. */
export function readPageKey(key: string, sort: PageSort): PageEnd {
  const [kind, field, descending, value, name, ...rest] = decode(key);
  if (
    typeof kind !== 'string' ||
    typeof field !== 'string' ||
    typeof descending !== 'boolean' ||
    typeof value !== 'string' ||
    typeof name !== 'string' ||
    rest.length > 0
  )
    return refuse('not a key that a previous page answered');
  if (kind !== sort.kind || field !== sort.field || descending !== sort.descending)
    return refuse('it belongs to another list or another sort');
  if (value.includes('\0') || name.includes('\0')) return refuse('not a key that a previous page answered');
  return { value, name };
}

function decode(key: string): readonly unknown[] {
  if (!/^[A-Za-z0-9_-]+$/.test(key)) return refuse('not a key that a previous page answered');
  try {
    const parsed: unknown = JSON.parse(Buffer.from(key, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return refuse('not a key that a previous page answered');
  }
}
