// A lock as the store keeps it, and as it is read back.

import * as z from 'zod/mini';
import { targetOf } from '../../../contract/lock-words.ts';
import { type Lock, type LockBody, lockMessage, lockTarget } from '../../../contract/locks.ts';
import type { NewResource, Resource } from '../../store/store.ts';

/** Label with the name of who made it: a document cannot set it. */
const MADE_BY_LABEL = 'postern.internal/created-by';

const spec = z.object({ target: lockTarget, message: z._default(lockMessage, '') });
type Spec = z.output<typeof spec>;

/** What makes a row a lock, beside its name and labels. */
export function lockColumns({
  target,
  message = '',
  expires,
}: {
  readonly target: LockBody['targets'];
  readonly message?: string | undefined;
  /** RFC 3339. */
  readonly expires?: string | undefined;
}): Pick<NewResource, 'title' | 'subtype' | 'spec' | 'expires'> {
  const [subtype, title] = targetOf({ targets: target });
  return { title, subtype, spec: { target, message }, expires: expires === undefined ? null : new Date(expires) };
}
/** Labels of a new one. */
export const madeBy = (name: string): Readonly<Record<string, string>> => ({ [MADE_BY_LABEL]: name });

export function newLock(name: string, { targets, message }: LockBody, by: string, expires: Date | null): NewResource {
  return {
    kind: 'lock',
    name,
    description: '',
    address: '',
    labels: madeBy(by),
    words: [],
    ...lockColumns({ target: targets, message }),
    expires,
  };
}

/** Null for a row that holds no lock. */
export function readLock({ name, labels, created, expires, ...resource }: Resource): Lock | null {
  const read = z.safeParse(spec, resource.spec);
  if (!read.success) return null;
  const { target, message }: Spec = read.data;
  return {
    name,
    message,
    expires: expires?.toISOString() ?? '',
    createdAt: created.toISOString(),
    createdBy: labels[MADE_BY_LABEL] ?? '',
    targets: target,
    title: targetOf({ targets: target })[1],
  };
}

/** The spec that a document shows. */
export function writtenLock(resource: Resource): object {
  const lock = readLock(resource);
  if (lock === null) return {};
  const { targets: target, message, createdAt: created_at, createdBy: created_by } = lock;
  return { target, ...(message !== '' && { message }), created_at, ...(created_by !== '' && { created_by }) };
}
