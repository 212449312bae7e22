// What there is to tell people: requests to review and answers, locks on them, certificates that run out, what does not get through.
import { lockedThing } from '../contract/lock-words.ts';
import { holds, isInForce } from '../contract/locks.ts';
import type { NotificationKind } from '../contract/notification-kinds.ts';
import type { Found, NotificationSource } from './ports/notifications.ts';
import type { ManagedLists } from './services/access-lists/access-lists.ts';
import type { Alerts } from './services/alerts/alerts.ts';
import { allOf } from './services/lists.ts';
import { readLock } from './services/locks/stored.ts';
import type { AccessRequests } from './services/requests/requests.ts';
import type { TrustedDevices } from './services/trusted-devices/trusted-devices.ts';
import type { Store } from './store/store.ts';

interface SourceParts {
  readonly store: Pick<Store, 'resources' | 'mfaDevices'>;
  readonly requests: Pick<AccessRequests, 'list'>;
  readonly alerts: Pick<Alerts, 'shownTo' | 'all'>;
  readonly accessLists: Pick<ManagedLists, 'due' | 'dueOf'>;
  readonly trustedDevices: Pick<TrustedDevices, 'of'>;
  readonly clock?: () => Date;
}

/** Alerts that the gateway raises itself, by the beginning of their names, and what they are about. */
const alertKinds: readonly (readonly [begins: string, kind: NotificationKind])[] = [
  ['tls-certificate-', 'certificate'],
  ['license-', 'certificate'],
  ['recordings-', 'upload'],
  ['audit-events-', 'upload'],
  ['anchors-of-the-audit-log-', 'upload'],
];
const kindOfAlert = (name: string): NotificationKind | undefined =>
  alertKinds.find(([begins]) => name.startsWith(begins))?.[1];

export function notificationSources(parts: SourceParts): readonly NotificationSource[] {
  const { store, requests, alerts, accessLists, trustedDevices, clock = () => new Date() } = parts;
  return [
    {
      async of(who) {
        const all = await requests.list(who);
        return all.flatMap((one): readonly Found[] => {
          const things = one.resources.map(({ details }) => details.friendlyName);
          const what = (things.length > 0 ? things : one.roles).join(', ');
          const route = `/web/accessrequest?request=${encodeURIComponent(one.id)}`;
          const about = { route, resourceName: what };
          if (one.mayReview)
            return [
              {
                ...about,
                key: `request:${one.id}`,
                kind: 'request',
                date: new Date(one.created),
                text: `${one.user} asks for ${what}${one.requestReason === '' ? '' : `: ${one.requestReason}`}`,
              },
            ];
          const answered = one.reviews.at(-1)?.created;
          if (!one.isOwn || one.state === 'PENDING' || answered === undefined) return [];
          const said = one.state === 'APPROVED' ? 'was approved' : 'was denied';
          return [
            {
              ...about,
              key: `answer:${one.id}:${one.state}`,
              kind: 'answer',
              date: new Date(answered),
              text: `Your request for ${what} ${said}${one.resolveReason === '' ? '' : `: ${one.resolveReason}`}`,
            },
          ];
        });
      },
    },
    {
      async of(who) {
        const devices = (await store.mfaDevices.list(who.userId)).map(({ id }) => id);
        const accessRequests = who.grants.map(({ request }) => request);
        const subject = { user: who.user, roles: who.roles, mfaDevices: devices, accessRequests };
        const own = new Map((await trustedDevices.of(who)).own.map(({ id, asset_tag }) => [id, asset_tag]));
        const locks = (await allOf(store.resources, 'lock')).flatMap(row => readLock(row) ?? []);
        return locks
          .filter(lock => isInForce(lock, clock()))
          .flatMap((lock): readonly Found[] => {
            // One of theirs that they are not signed in from is locked as well.
            const title = own.get(lock.targets.device ?? '');
            if (title === undefined && !holds(lock, subject)) return [];
            const what = lockedThing(title === undefined ? lock : { ...lock, title });
            return [
              {
                key: `lock:${lock.name}`,
                kind: 'lock',
                date: new Date(lock.createdAt),
                route: '/web/account',
                resourceName: what,
                text: `${what} is locked${lock.message === '' ? '' : `: ${lock.message}`}`,
              },
            ];
          });
      },
    },
    {
      async of(who) {
        return (await alerts.shownTo(who)).flatMap(({ metadata: { name }, spec }) =>
          alertFound(name, spec.message, new Date(spec.created ?? clock())),
        );
      },
      async due() {
        return (await alerts.all()).flatMap(({ name, message }) => alertFound(name, message, clock(), ''));
      },
    },
    {
      async of(who) {
        return (await accessLists.dueOf(who.user)).map(listFound);
      },
      due: async () => (await accessLists.due()).map(listFound),
    },
  ];
}

/** An access list that its owners are to review. */
const listFound = ({ name, title, due, isOverdue }: Awaited<ReturnType<ManagedLists['dueOf']>>[number]): Found => ({
  key: `list:${name}:${due.toISOString()}`,
  kind: 'list',
  date: due,
  route: `/web/accesslists/${encodeURIComponent(name)}`,
  resourceName: title,
  text: `${title} ${isOverdue ? 'was' : 'is'} to be reviewed by ${due.toISOString().slice(0, 10)}`,
});

/** What one alert tells. `when`: of its key, so that one that comes back is told again. */
function alertFound(name: string, message: string, date: Date, when = date.toISOString()): readonly Found[] {
  const kind = kindOfAlert(name);
  if (kind === undefined) return [];
  const resourceName = kind === 'upload' ? 'Delivery' : name.startsWith('license-') ? 'Licence' : 'Certificate';
  return [
    { key: `alert:${name}:${when}`.slice(0, 200), kind, date, route: '/web/support', resourceName, text: message },
  ];
}
