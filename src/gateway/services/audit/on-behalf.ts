// Whose call it is in which an event is written: the device that they are signed in from goes on it, whichever service writes it.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditEntry } from '../../ports/audit.ts';

interface Behalf {
  readonly user: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
const callers = new AsyncLocalStorage<Behalf>();

/** Does something of which every event about this very user has these fields as well. */
export const onBehalf = <Done>(of: Behalf, act: () => Done): Done => callers.run(of, act);

/** What an event has from whose call it is: nothing where it is about somebody else. */
export function fieldsOnBehalf({ user }: AuditEntry): Readonly<Record<string, unknown>> {
  const caller = callers.getStore();
  return caller !== undefined && caller.user === user ? caller.fields : {};
}
