// Connections to the files of servers: one for each web session, server and login, shared by what runs at once and kept a little while.
// Every use has leave of its own from the session policy; whatever may not go on is broken off with the reason.

import { randomUUID } from 'node:crypto';
import { Failure } from '../../../../contract/failure.ts';
import { shownName } from '../../../../contract/files.ts';
import type { FileRequest } from '../../../../contract/terminal.ts';
import type { AuditLog } from '../../../ports/audit.ts';
import type { Changes } from '../../../ports/changes.ts';
import type { FilesConnector, HostFiles } from '../../../ports/files.ts';
import { ConnectError } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import { certExtensionsOf } from '../../device-facts.ts';
import { hostUserOf } from '../host-user.ts';
import { type Approval, devicesOf, type FilesWish, type SessionPolicy } from '../policy/policy.ts';
import { refusalEvent } from '../session-audit.ts';
import { pathOf } from './paths.ts';
import { createScope, type FileAct, type Granted, type Scope } from './scope.ts';

/** A connection that nobody uses is kept for this long, ms; one that was opened with a second factor longer, so that looking around is proven once. */
const IDLE_MS = 30_000;
const PROVEN_IDLE_MS = 5 * 60_000;
/** What one person may do at once on all servers. */
const USES_MOST = 32;
const CONNECTIONS_MOST = 16;
/** Sets of transfers that one touch has proven: of one connection, and for how long, ms. */
const SETS_MOST = 8;
const SET_MS = 60 * 60_000;
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
  /** Rejects with Failure unapproved where a path lies outside of what was approved or proven for this use. */
  confine(path: string): Promise<void>;
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
  /**
   * Keeps several transfers that one touch has proven, for as long as their connection is kept and an hour at most; each may then be done
   * once. Answers the name of the set. Throws as `use`.
   */
  prove(ask: FilesAsk & { readonly device: string }, transfers: readonly FileRequest[]): Promise<string>;
  /** The asker with the proof of a set that covers this, which is done with it; null where none does. */
  proven(ask: FilesAsk, set: string, act: FileAct): ProvenAct | null;
  list(): readonly FilesSession[];
  /** Breaks off all that goes over a connection. */
  forbid(sid: string, why: string): void;
  close(): void;
}

/** Several transfers that one touch has proven. */
interface ProvenSet {
  readonly scope: Scope;
  readonly device: string;
  readonly until: number;
}
interface Held extends FilesSession {
  readonly sets: Map<string, ProvenSet>;
  readonly host: Promise<HostFiles>;
  readonly ending: AbortController;
  uses: number;
  idle: NodeJS.Timeout | undefined;
}

/** What a set has proven of one transfer. */
interface ProvenAct extends Granted {
  readonly device: string;
}

/** Rejects with Failure unapproved where `path`, which is without links, is not in the folders that leave was given for. */
async function confine(ask: FilesAsk, approval: Approval | undefined, host: HostFiles, path: string): Promise<void> {
  for (const folder of [ask.within, approval?.within]) {
    if (folder === undefined) continue;
    const root = (await host.resolve(pathOf(folder))).replace(/\/+$/, '');
    if (path !== root && !path.startsWith(`${root}/`))
      throw new Failure('unapproved', `${shownName(path)} is not in ${shownName(folder)}, which leave was given for.`);
  }
}

export function createConnections({ policy, connectors, audit, changes }: ConnectionPorts): Connections {
  const open = new Map<string, Held>();
  const keyOf = ({ who, target, login }: FilesAsk): string => JSON.stringify([who.webSessionId, target.id, login]);
  const of = ({ userId }: Who): Held[] => [...open.values()].filter(one => one.who.userId === userId);

  async function reach({ who, target, login }: FilesAsk, sid: string, ttlMs: number): Promise<HostFiles> {
    try {
      const certExtensions = certExtensionsOf(who);
      const request = { user: who.user, sid, login, ttlMs, certExtensions, ...hostUserOf(who.rights, target) };
      return await (connectors[target.subKind] ?? connectors.ssh).files(target, request);
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
      sets: new Map(),
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

  async function use(asked: FilesAsk, looks = false): Promise<FilesUse> {
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
      const signal = AbortSignal.any([held.ending.signal, ...(leave.approval ? [leave.approval.signal] : [])]);
      signal.throwIfAborted();
      return {
        sid: held.sid,
        host,
        signal,
        confine: path => confine(ask, leave.approval, host, path),
        release: releaseOnce,
      };
    } catch (error) {
      releaseOnce();
      throw error;
    }
  }

  return {
    use,
    async prove(ask, transfers) {
      const { release: done } = await use(ask);
      try {
        const sets = open.get(keyOf(ask))?.sets;
        const name = randomUUID();
        const scope = createScope(transfers, { serverId: ask.target.id, login: ask.login });
        const oldest = sets && sets.size >= SETS_MOST ? sets.keys().next().value : undefined;
        if (oldest !== undefined) sets?.delete(oldest);
        sets?.set(name, { scope, device: ask.device, until: Date.now() + SET_MS });
        return name;
      } finally {
        done();
      }
    },
    proven(ask, name, act) {
      const sets = open.get(keyOf(ask))?.sets;
      const set = sets?.get(name);
      const granted = set && set.until > Date.now() ? set.scope.take(act) : null;
      if (!set || !granted) return null;
      if (set.scope.isSpent) sets?.delete(name);
      return { ...granted, device: set.device };
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
