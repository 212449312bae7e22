// A running session on a desktop: what its server draws is recorded before it is shown. Its life is `lifecycle.ts`'s.
import { Failure } from '../../../contract/failure.ts';
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type { DesktopSession, OpenDesktop } from '../../ports/desktops.ts';
import type { ReachedClient } from '../../ports/sessions.ts';
import type { Who } from '../../ports/who.ts';
import { describe } from './describe.ts';
import type { DesktopAudit } from './desktop-audit.ts';
import { createDesktopSeats, type DesktopSeat, type DesktopWatcher } from './desktop-seats.ts';
import { type LifecycleParts, openLifecycle } from './lifecycle.ts';
import { reachedDesktop } from './policy/rules.ts';
import type { Running } from './shell-session.ts';

interface DesktopSessionParts extends Omit<LifecycleParts, 'body'>, Omit<OpenDesktop, 'who' | 'reach'> {
  readonly mfaDevices: readonly string[];
  readonly reached: ReachedClient;
  readonly desktopAudit: DesktopAudit;
  readonly clusterName: string;
  /** Told whenever it is another to whoever lists sessions. */
  readonly changed: () => void;
}
export interface RunningDesktop extends Running {
  /** What the relay tells of. */
  readonly drawing: DesktopSession;
  readonly protocol: DesktopProtocol;
  /** Somebody watches from now on. Whether they may is the caller's to ask. Throws Failure bad_request where nothing is recorded. */
  watch(who: Who, watcher: DesktopWatcher): DesktopSeat;
  /** Makes one who watches leave, with a sentence why. */
  showOut(participantId: string, why: string): void;
}

export function openDesktopSession(parts: DesktopSessionParts): RunningDesktop {
  const { sid, who: owner, desktop, login, reached, desktopAudit, report } = parts;
  let { roles: ownerRoles, rights } = owner;
  const life = openLifecycle({
    ...parts,
    body: {
      hangUp() {
        reached.close();
        // A desktop has no last words.
        queueMicrotask(() => life.gone({ kind: 'ended', text: '' }));
      },
      flush: () => undefined,
      tell(end) {
        seats.end(end);
        reached.farewell(end.text);
      },
      noteEnd: desktopAudit.end,
    },
  });
  const seats = createDesktopSeats({
    life: () => life,
    audit: desktopAudit,
    now: parts.now,
    changed() {
      parts.changed();
      parts.watched([...new Set(seats.all().map(({ who }) => who.user))]);
    },
  });
  // Its client holds it: it is ended when that goes, not kept.
  life.attended(true);
  desktopAudit.onLost(error => {
    report(`session ${sid}: what was copied is not in the audit log`, error);
    void life.end('forbidden', 'The session was ended: what is done in it cannot be written to the audit log.');
  });
  return {
    drawing: {
      sid,
      isRecorded: parts.recorder !== null,
      get sharesClipboard() {
        return rights.acl.clipboard;
      },
      drawn(bytes) {
        if (life.over || life.ending || !life.record(to => to.output(bytes))) return false;
        seats.drawn(bytes);
        return true;
      },
      active: life.active,
      copied: desktopAudit.copied,
      notShared: desktopAudit.notShared,
      gone: error => life.gone({ kind: error === '' ? 'exited' : 'lost', text: error }),
    },
    get session() {
      return describe({
        kind: 'desktop',
        desktopName: desktop.name,
        sid,
        owner: owner.user,
        login,
        target: { id: '', hostname: '', addr: desktop.address, labels: desktop.labels },
        size: parts.size,
        started: parts.started,
        lastInput: life.lastActive,
        clusterName: parts.clusterName,
        moderated: false,
        state: 'running',
        seats: [{ participant: { id: sid }, who: owner, mode: 'peer', lastActive: life.lastActive }, ...seats.all()],
      });
    },
    ownerId: owner.userId,
    trustedDevice: owner.trustedDevice?.id ?? '',
    accessRequests: owner.grants.map(({ request }) => request),
    impersonatedIn: owner.impersonator === undefined ? undefined : owner.webSessionId,
    mfaDevices: parts.mfaDevices,
    requestsOf: id =>
      seats
        .all()
        .find(({ participant }) => participant.id === id)
        ?.who.grants.map(({ request }) => request) ?? [],
    showsPictures: parts.recorder !== null,
    reached: reachedDesktop({ desktop, login }),
    get ownerRoles() {
      return ownerRoles;
    },
    follow(now) {
      ({ roles: ownerRoles, rights } = now);
      life.follow(rights.options);
    },
    protocol: desktop.protocol,
    watch(who, watcher) {
      if (parts.recorder === null)
        throw new Failure(
          'bad_request',
          'This session is not recorded: what it shows is known to nobody who comes later.',
        );
      return seats.take(who, watcher);
    },
    showOut: seats.showOut,
    end: life.end,
    done: life.done,
  };
}
