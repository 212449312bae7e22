// Connections to the files of servers: one for each web session, server and login, shared by what runs at once and kept a little while.
// Every use has leave of its own from the session policy; whatever may not go on is broken off with the reason.
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../../contract/failure.ts';
import type { AuditLog, Changes, FilesConnector, HostFiles, Who } from '../../../ports.ts';
import { ConnectError } from '../../../ports.ts';
import { devicesOf, type FilesWish, type SessionPolicy } from '../policy/policy.ts';
import { refusalEvent } from '../session-audit.ts';

/** A connection that nobody uses is kept for this long, ms; one that was opened with a second factor longer, so that looking around is proven once. */
const IDLE_MS = 30_000;
const PROVEN_IDLE_MS = 5 * 60_000;
/** What one person may do at once on all servers. */
const USES_MOST = 32;
const CONNECTIONS_MOST = 16;
/** What was broken off may take this long to clear away what it has begun, ms. */
const CLEAR_MS = 2000;

/** Whose files, and where. */
export type FilesAsk = FilesWish;
/** A connection in use. */
export interface FilesUse {
  /** Of the connection: `sid` of what the audit log has about it. */
  readonly sid: string;
  readonly host: HostFiles;
  /** Aborted with a Failure when it may not go on. */
  readonly signal: AbortSignal;
  release(): void;
}
/** A connection as the policy looks at it. */
export interface FilesSession extends FilesAsk {
  readonly sid: string;
  /** Ids of the devices of the second factor that it was opened with. */
  readonly devices: readonly string[];
  readonly since: Date;
  /** When it was last asked for something. */
  lastUsed: Date;
}
export interface ConnectionPorts {
  readonly policy: Pick<SessionPolicy, 'permitFiles'>;
  /** By the subKind of the targets that each reaches; `ssh` reaches all others. */
  readonly connectors: Readonly<Record<string, FilesConnector>> & { readonly ssh: FilesConnector };
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
}
export interface Connections {
  /**
   * You must release it. `looks`: no file is copied, so that the second factor counts with which the connection was opened. Throws Failure
   * denied, limited, unreachable, and ConnectError.
   */
  use(ask: FilesAsk, looks?: boolean): Promise<FilesUse>;
  list(): readonly FilesSession[];
  /** Breaks off all that goes over a connection. */
  forbid(sid: string, why: string): void;
  close(): void;
}

interface Held extends FilesSession {
  readonly host: Promise<HostFiles>;
  readonly ending: AbortController;
  uses: number;
  idle: NodeJS.Timeout | undefined;
}

export function createConnections({ policy, connectors, audit, changes }: ConnectionPorts): Connections {
  const open = new Map<string, Held>();
  const keyOf = ({ who, target, login }: FilesAsk): string => JSON.stringify([who.webSessionId, target.id, login]);
  const of = ({ userId }: Who): Held[] => [...open.values()].filter(one => one.who.userId === userId);

  async function reach({ who, target, login }: FilesAsk, sid: string, ttlMs: number): Promise<HostFiles> {
    try {
      return await (connectors[target.subKind] ?? connectors.ssh).files(target, { user: who.user, sid, login, ttlMs });
    } catch (error) {
      if (error instanceof ConnectError) await audit.emit(refusalEvent({ who, target, login }, error.message));
      throw error;
    }
  }
  function forget(key: string, held: Held): void {
    if (open.get(key) === held && open.delete(key)) changes.emit({ kind: 'sessionChanged', sid: held.sid });
  }
  function drop(key: string, held: Held): void {
    forget(key, held);
    clearTimeout(held.idle);
    held.host.then(
      host => host.close(),
      () => undefined,
    );
  }
  function connect(key: string, ask: FilesAsk, ttlMs: number): Held {
    if (of(ask.who).length >= CONNECTIONS_MOST)
      throw new Failure('limited', `You have files of ${CONNECTIONS_MOST} servers open. Try again in a moment.`);
    const sid = randomUUID();
    const host = reach(ask, sid, ttlMs);
    const held: Held = {
      ...ask,
      sid,
      devices: devicesOf(ask),
      host,
      since: new Date(),
      lastUsed: new Date(),
      ending: new AbortController(),
      uses: 0,
      idle: undefined,
    };
    open.set(key, held);
    changes.emit({ kind: 'sessionChanged', sid });
    host.then(
      ({ closed }) => closed.then(() => drop(key, held)),
      () => drop(key, held),
    );
    return held;
  }
  function release(key: string, held: Held): void {
    held.uses--;
    if (held.uses > 0) return;
    if (held.ending.signal.aborted) drop(key, held);
    else held.idle = setTimeout(() => drop(key, held), held.device === undefined ? IDLE_MS : PROVEN_IDLE_MS).unref();
  }

  return {
    async use(asked, looks = false) {
      const key = keyOf(asked);
      const device = asked.device ?? (looks ? open.get(key)?.device : undefined);
      const ask = device === undefined ? asked : { ...asked, device };
      const leave = await policy.permitFiles(ask);
      if (of(ask.who).reduce((sum, { uses }) => sum + uses, 0) >= USES_MOST)
        throw new Failure('limited', `${USES_MOST} transfers of yours are running. Wait until one has ended.`);
      const held = open.get(key) ?? connect(key, ask, leave.ttlMs());
      held.uses++;
      held.lastUsed = new Date();
      clearTimeout(held.idle);
      let isReleased = false;
      const releaseOnce = (): void => {
        if (!isReleased) release(key, held);
        isReleased = true;
      };
      try {
        const host = await held.host;
        const signal = AbortSignal.any([held.ending.signal, ...(leave.signal ? [leave.signal] : [])]);
        signal.throwIfAborted();
        return { sid: held.sid, host, signal, release: releaseOnce };
      } catch (error) {
        releaseOnce();
        throw error;
      }
    },
    list: () => [...open.values()],
    forbid(sid, why) {
      for (const [key, held] of open) {
        if (held.sid !== sid) continue;
        forget(key, held);
        held.ending.abort(new Failure('denied', why));
        if (held.uses === 0) drop(key, held);
        else held.idle = setTimeout(() => drop(key, held), CLEAR_MS);
      }
    },
    close() {
      for (const [key, held] of open) drop(key, held);
    },
  };
}
