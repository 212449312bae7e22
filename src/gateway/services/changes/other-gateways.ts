// The bus across the gateways of one store: what this one tells the others hear, and what they tell is put on its bus.

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { readJson } from '../../../contract/json.ts';
import type { Change, Changes } from '../../ports/changes.ts';
import type { Announcements } from '../../store/store.ts';

/** Longest text that one announcement holds, bytes; PostgreSQL takes up to 7,999. */
const TEXT_MOST_BYTES = 7000;
/** Changes that may wait to be told. What is beyond, the others find by their own checks within a second. */
const WAITING_MOST = 1000;

const name = z.string();
const kinds: { readonly [Kind in Change['kind']]: z.ZodMiniType<Extract<Change, { kind: Kind }>> } = {
  roleChanged: z.object({ kind: z.literal('roleChanged'), role: name }),
  roleRemoved: z.object({ kind: z.literal('roleRemoved'), role: name }),
  userChanged: z.object({ kind: z.literal('userChanged'), user: name }),
  userRemoved: z.object({ kind: z.literal('userRemoved'), user: name }),
  serverChanged: z.object({ kind: z.literal('serverChanged'), server: name }),
  serverRemoved: z.object({ kind: z.literal('serverRemoved'), server: name }),
  tunnelledRemoved: z.object({ kind: z.literal('tunnelledRemoved'), of: z.enum(['db', 'app']), name }),
  lockChanged: z.object({ kind: z.literal('lockChanged'), lock: name }),
  deviceChanged: z.object({ kind: z.literal('deviceChanged'), device: name }),
  webSessionsEnded: z.object({ kind: z.literal('webSessionsEnded') }),
  headlessChanged: z.object({ kind: z.literal('headlessChanged') }),
  reviewsChanged: z.object({ kind: z.literal('reviewsChanged') }),
  requestsChanged: z.object({ kind: z.literal('requestsChanged') }),
  notificationsRead: z.object({ kind: z.literal('notificationsRead'), user: name }),
  pluginsChanged: z.object({ kind: z.literal('pluginsChanged') }),
  discoveryChanged: z.object({ kind: z.literal('discoveryChanged') }),
  agentsChanged: z.object({ kind: z.literal('agentsChanged') }),
  accessListsChanged: z.object({ kind: z.literal('accessListsChanged') }),
  sessionChanged: z.object({ kind: z.literal('sessionChanged'), sid: name }),
  sessionEnded: z.object({ kind: z.literal('sessionEnded'), sid: name }),
};
const change = z.union(Object.values(kinds));
/** A gateway of another version may tell what this one does not know. */
const announced = z.object({ from: z.string(), changes: z.array(z.unknown()) });

/** Shares until the answer is called. `report` hears of what could not be told; the others then find it by their own checks. */
export async function shareChanges(
  changes: Changes,
  announcements: Announcements,
  report: (problem: string, error: unknown) => void,
): Promise<() => void> {
  const from = randomUUID();
  const waiting = new Set<string>();
  let isSending = false;
  /** What comes from another gateway is not told again. */
  let isForeign = false;

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      while (waiting.size > 0) {
        const told: string[] = [];
        let bytes = 0;
        for (const text of waiting) {
          bytes += Buffer.byteLength(text) + 1;
          if (told.length > 0 && bytes > TEXT_MOST_BYTES) break;
          waiting.delete(text);
          told.push(text);
        }
        await announcements.send(`{"from":"${from}","changes":[${told.join(',')}]}`);
      }
    } catch (error) {
      report('other gateways could not be told of a change', error);
    } finally {
      isSending = false;
    }
  }
  const unsubscribe = changes.subscribe(one => {
    if (isForeign || waiting.size >= WAITING_MOST) return;
    waiting.add(JSON.stringify(one));
    void send();
  });
  const stop = await announcements.listen(text => {
    const told = announced.safeParse(readJson(text)).data;
    if (told === undefined || told.from === from) return;
    isForeign = true;
    for (const one of told.changes) {
      const known = change.safeParse(one).data;
      if (known) changes.emit(known);
    }
    isForeign = false;
  });
  return () => {
    unsubscribe();
    stop();
  };
}
