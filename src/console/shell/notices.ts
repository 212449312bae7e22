// What just happened, for a few seconds and to screen readers; what went unseen, kept under the bell; and the one question that may be open.
import { proxy, snapshot } from 'valtio/vanilla';
import type { NotificationKind } from '../../contract/notification-kinds.ts';
import type { PersonNotification } from '../../contract/notifications.ts';
import type { ManualLinkId } from '../../features/manual.ts';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

/** Long enough to read two lines aloud. */
const NOTICE_SHOWN_MS = 6000;
const NOTICES_MOST = 4;

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  /** The action cannot be undone: it is drawn in red. */
  readonly destroys?: boolean;
  /** Where the manual says more. */
  readonly manual?: ManualLinkId;
}

/** A link that is shown once, for somebody to pass on. */
export interface OneTimeLink {
  readonly title: string;
  /** For whom, and for how long it works. */
  readonly text: string;
  readonly link: string;
}

/**
 * What a notification is about, by kind (specification section 3): `route` is the page it leads to, `resourceName` what it is about.
 * A notice went away by itself and may not have been seen: its resource is the command or the part of the console that said it.
 */
type NotificationItem = {
  readonly kind: 'notice' | NotificationKind;
  readonly route: string;
  readonly resourceName: string;
  readonly text: string;
};
export interface Notification {
  readonly id: string;
  /** When it was said, ms since 1970. */
  readonly date: number;
  readonly item: NotificationItem;
}
const NOTIFICATIONS_MOST = 20;

export interface NoticesPorts {
  /** Storage of this tab's session, where the notifications outlive a reload. */
  readonly storage: KeyValueStorage;
  /** Path and query of the page on screen. */
  readonly here: () => string;
  readonly later: (run: () => void, ms: number) => void;
}

/** Notices, notifications and the confirm dialog of one tab: data that the frame draws. */
export function createNotices({ storage, here, later }: NoticesPorts) {
  const state = proxy<{
    notices: { id: string; text: string }[];
    notifications: Notification[];
    /** What the gateway tells this person, on whatever device, and they have not read. */
    told: Notification[];
    question: Question | null;
    link: OneTimeLink | null;
  }>({ notices: [], notifications: [], told: [], question: null, link: null });
  /** Whose notifications they are; nobody's before the user context has loaded. */
  let owner = '';
  let last = 0;
  let answer: (yes: boolean) => void = () => {};
  let closed: () => void = () => {};
  let markRead: (ids: readonly string[]) => void = () => {};

  const drop = (id: string): void => {
    state.notices = state.notices.filter(notice => notice.id !== id);
  };
  const keep = (notifications: readonly Notification[]): void => {
    state.notifications = notifications.slice(0, NOTIFICATIONS_MOST);
    if (owner !== '') writeJson(storage, keys.notifications, { owner, items: snapshot(state).notifications });
  };
  /** Says it; `source` is the command or the part of the console that does. */
  const notify = (text: string, source: string): void => {
    last += 1;
    // Unlike those that an earlier page of this tab has kept.
    const id = `${Date.now()}-${last}`;
    state.notices = [...state.notices.filter(notice => notice.text !== text), { id, text }].slice(-NOTICES_MOST);
    const notification: Notification = {
      id,
      date: Date.now(),
      item: { kind: 'notice', route: here(), resourceName: source, text },
    };
    later(() => {
      // Whoever closed it has read it; what went by itself is kept under the bell.
      if (!state.notices.some(notice => notice.id === id)) return;
      drop(id);
      keep([notification, ...state.notifications]);
    }, NOTICE_SHOWN_MS);
  };
  const settle = (yes: boolean): void => {
    state.question = null;
    answer(yes);
    answer = () => {};
  };
  const confirm = (question: Question): Promise<boolean> => {
    // A question that another one overtakes was not answered with yes.
    answer(false);
    state.question = question;
    return new Promise(resolve => {
      answer = resolve;
    });
  };
  /** Shows a link until it is put away. */
  const handOver = (link: OneTimeLink): Promise<void> => {
    closed();
    state.link = link;
    return new Promise(resolve => {
      closed = resolve;
    });
  };
  const putAway = (): void => {
    state.link = null;
    closed();
    closed = () => {};
  };
  /** One that was read, or all of them: what is on screen was seen too, and does not come back under the bell. */
  const read = (id?: string): void => {
    if (id === undefined) state.notices = [];
    const seen = state.told.filter(notification => id === undefined || notification.id === id).map(one => one.id);
    if (seen.length > 0) {
      state.told = state.told.filter(notification => !seen.includes(notification.id));
      markRead(seen);
    }
    keep(id === undefined ? [] : state.notifications.filter(notification => notification.id !== id));
  };
  /** What the gateway tells; `mark` tells it what was read of it. */
  const tell = (items: readonly PersonNotification[], mark: (ids: readonly string[]) => void): void => {
    markRead = mark;
    state.told = items
      .filter(({ isRead }) => !isRead)
      .map(({ id, date, item }) => ({ id, date: Date.parse(date), item }));
  };
  /** Brings back what this tab kept for the person; what it kept for another one goes. */
  const belongTo = (user: string): void => {
    owner = user;
    const stored = readJson(storage, keys.notifications);
    const { owner: before, items } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
      string,
      unknown
    >;
    const own = before === user && Array.isArray(items) ? items.filter(isNotification) : [];
    keep([...state.notifications, ...own]);
  };
  return { state, notify, drop, read, tell, confirm, settle, handOver, putAway, belongTo };
}
export type Notices = ReturnType<typeof createNotices>;

/** The storage belongs to the person, who may edit it. */
function isNotification(value: unknown): value is Notification {
  const { id, date, item } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const { kind, route, resourceName, text } = (typeof item === 'object' && item !== null ? item : {}) as Record<
    string,
    unknown
  >;
  const areTexts = [id, route, resourceName, text].every(one => typeof one === 'string');
  return areTexts && typeof date === 'number' && kind === 'notice';
}
