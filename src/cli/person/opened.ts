// What most verbs begin with: the session that a line means, and the cluster that it is in.
import { CLUSTER_FLAG } from '../read.ts';
import type { Typed } from '../verb.ts';
import { factsOf } from './facts.ts';
import { sessionOf } from './session-file.ts';
import { resumeSession, type Session } from './signed.ts';

export interface Opened {
  readonly session: Session;
  readonly clusterId: string;
  /** The same where it is a leaf; null: the gateway's own. */
  readonly leaf: string | null;
  /** Path of the session's file. */
  readonly file: string;
}
/** Throws Refused where nobody is signed in, ApiError. */
export async function open(typed: Typed): Promise<Opened> {
  const file = sessionOf(typed);
  const session = resumeSession(file);
  const { clusterId } = await factsOf(session);
  const named = typed.one(CLUSTER_FLAG.name) ?? clusterId;
  return { session, clusterId: named, leaf: named === clusterId ? null : named, file };
}

const PAGE_ROWS = 1000;

/** All rows of a list, however long it is, asked part by part. */
export async function everyRow<Item>(
  ask: (query: {
    readonly limit: number;
    readonly startKey?: string;
  }) => Promise<{ readonly items: readonly Item[]; readonly startKey: string }>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let startKey = '';
  do {
    const part = await ask({ limit: PAGE_ROWS, ...(startKey !== '' && { startKey }) });
    found.push(...part.items);
    startKey = part.startKey;
  } while (startKey !== '');
  return found;
}
