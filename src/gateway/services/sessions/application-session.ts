// A running session in an application: its requests are passed on as long as it lasts. Its life is `lifecycle.ts`'s.
import type { ApplicationRequest, ApplicationSession, OpenApplication } from '../../ports/applications.ts';
import type { ApplicationAudit } from './application-audit.ts';
import { describe } from './describe.ts';
import { type LifecycleParts, openLifecycle } from './lifecycle.ts';
import { reachedApplication } from './policy/rules.ts';
import type { Running } from './shell-session.ts';

/** Without a request for so long, and with nothing open, a session ends: the next page that is opened begins another, ms. */
const QUIET_MOST_MS = 3_600_000;

interface ApplicationSessionParts extends Omit<LifecycleParts, 'body' | 'keepMs'>, Omit<OpenApplication, 'who'> {
  readonly mfaDevices: readonly string[];
  readonly applicationAudit: ApplicationAudit;
  readonly clusterName: string;
}
export interface RunningApplication extends Running {
  /** What the protocol tells of. */
  readonly requests: ApplicationSession;
}

export function openApplicationSession(parts: ApplicationSessionParts): RunningApplication {
  const { sid, who: owner, application, applicationAudit, report } = parts;
  let { roles: ownerRoles } = owner;
  /** Requests and streams that are open. */
  let open = 0;
  let last = '';
  const life = openLifecycle({
    ...parts,
    keepMs: QUIET_MOST_MS,
    body: {
      hangUp() {
        parts.hangUp();
        // Nothing is left that could have last words.
        queueMicrotask(() => life.gone({ kind: 'ended', text: '' }));
      },
      flush: () => undefined,
      tell: () => undefined,
      noteEnd: applicationAudit.end,
    },
  });
  applicationAudit.onLost(error => {
    report(`session ${sid}: a request is not in the audit log`, error);
    void life.end('forbidden', 'The session was ended: what is done in it cannot be written to the audit log.');
  });
  return {
    requests: {
      sid,
      get over() {
        return life.over || life.ending;
      },
      opened() {
        life.active();
        open += 1;
        if (open === 1) life.attended(true);
        let isOpen = true;
        return () => {
          if (!isOpen) return;
          isOpen = false;
          open -= 1;
          if (open === 0) life.attended(false);
        };
      },
      active: life.active,
      carried(bytes) {
        applicationAudit.carried(bytes);
      },
      requested(request: ApplicationRequest) {
        if (life.over) return;
        last = `${request.method} ${request.path}`;
        applicationAudit.requested(request);
        life.record(to => to.told({ kind: 'request', ...request }));
      },
    },
    get session() {
      return describe({
        kind: 'app',
        applicationName: application.name,
        sid,
        owner: owner.user,
        login: '',
        target: { id: '', hostname: '', addr: application.uri, labels: application.labels },
        size: { cols: 0, rows: 0 },
        started: parts.started,
        lastInput: life.lastActive,
        clusterName: parts.clusterName,
        moderated: false,
        state: 'running',
        lastCommand: last,
        seats: [{ participant: { id: sid }, who: owner, mode: 'peer', lastActive: life.lastActive }],
      });
    },
    ownerId: owner.userId,
    trustedDevice: owner.trustedDevice?.id ?? '',
    accessRequests: owner.grants.map(({ request }) => request),
    impersonatedIn: owner.impersonator === undefined ? undefined : owner.webSessionId,
    mfaDevices: parts.mfaDevices,
    reached: reachedApplication({ application, webSessionId: owner.webSessionId }),
    get ownerRoles() {
      return ownerRoles;
    },
    follow(now) {
      ownerRoles = now.roles;
      life.follow(now.rights.options);
    },
    end: life.end,
    done: life.done,
  };
}
