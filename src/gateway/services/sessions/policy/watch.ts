// May what runs go on? Asked again when something has changed: whatever may not is ended, or shown out, with the reason in words.
import type { LiveSession } from '../../../../contract/live-sessions.ts';
import type { LockSubject } from '../../../../contract/locks.ts';
import type { Changes } from '../../../ports/changes.ts';
import type { Grant, LabelledKind, Rights } from '../../../ports/rights.ts';
import type { Passage, Reached, SessionInfo } from '../../../ports/sessions.ts';
import type { Assumed, Barring, DeviceFacts, FindDevice, Who } from '../../../ports/who.ts';
import type { SessionPlaces, Store, UserRecord } from '../../../store/store.ts';
import type { FilesSession } from '../files/connections.ts';
import type { Broker } from '../participant.ts';
import { inSlices, openChecks } from './checks.ts';
import { PLACE_MS, type SessionPolicy } from './policy.ts';
import { copyRefusal, endOf, endOfOther, modesOf, openingRefusal } from './rules.ts';

export interface WatchPorts {
  readonly sessions: Pick<Broker, 'list' | 'forbid' | 'showOut' | 'follow'>;
  /** Connections to files: `forbid` breaks off what goes over one. */
  readonly files: { list(): readonly FilesSession[]; forbid(sid: string, why: string): void };
  /** What lasts and is no session of its own. */
  readonly passages: { list(): readonly Passage[] };
  /** Why a web session is over; null while it lasts. */
  readonly webSessionOver: (session: Pick<Who, 'webSessionId' | 'userId'>) => Promise<string | null>;
  readonly store: {
    readonly users: Pick<Store['users'], 'get' | 'byId'>;
    readonly resources: Pick<Store['resources'], 'get'>;
    readonly sessionPlaces: Pick<SessionPlaces, 'keep' | 'prune'>;
  };
  readonly assumed: Assumed;
  /** What an agent of this id is now, or why it may not go on. */
  readonly agentNow: (id: string, user: UserRecord) => Promise<Pick<Person, 'roles' | 'rights'> | string>;
  readonly barring: Barring;
  readonly findDevice: FindDevice;
  readonly deviceRefusal: SessionPolicy['deviceRefusal'];
  readonly changes: Pick<Changes, 'subscribe'>;
  readonly policy: Pick<SessionPolicy, 'held'>;
  readonly gatewayId: string;
  /** Hears of sessions whose gateway died, an earlier life of this one too. */
  readonly cutShort: (sids: readonly string[]) => void;
  readonly report: (problem: string, error: unknown) => void;
  readonly now?: () => Date;
}
interface Person {
  readonly user: string;
  readonly userId: string;
  readonly roles: readonly string[];
  readonly rights: Rights;
  readonly grants: readonly Grant[];
  /** Why the agent that works in their place may not go on. */
  readonly over?: string;
}
/** What one check has read: every user and every server once, however many sessions they have. */
interface Reading {
  /** By id, with the access requests of these ids, or the agent of this id in their place. Null when there is no such user (any more). */
  owner(id: string, requests: readonly string[], agent?: string): Promise<Person | null>;
  /** By name: web sessions of whoever had the name before have ended with them. */
  participant(name: string, requests: readonly string[]): Promise<Person | null>;
  /** Whether that user still has that trusted device. */
  device(id: string, userId: string): Promise<DeviceFacts | null>;
  /** Null when there is no such server, or whatever it is, (any more). */
  labels(kind: LabelledKind, name: string): Promise<Readonly<Record<string, string>> | null>;
}
/** A gateway says so often which places it still has, ms. */
const KEEP_EVERY_MS = PLACE_MS / 3;

/** What the bus tells is judged at once, what it does not (the clock, a change whose telling was lost) within a second. You must dispose it. */
export function openPolicyWatch(ports: WatchPorts): { dispose(): void } {
  const { sessions, files, store, report, now = () => new Date() } = ports;

  const personOf = async (user: UserRecord | null, requests: readonly string[]): Promise<Person | null> =>
    user && { user: user.name, userId: user.id, ...(await ports.assumed(user, requests)) };
  async function agentOf(user: UserRecord | null, agent: string): Promise<Person | null> {
    if (!user) return null;
    const now = await ports.agentNow(agent, user);
    const person = { user: user.name, userId: user.id };
    return typeof now === 'string'
      ? { ...person, ...(await ports.assumed(user, [])), over: now }
      : { ...person, ...now, grants: [] };
  }
  const read = (): Reading => ({
    owner: once(async (id: string, requests: readonly string[], agent = '') => {
      const user = await store.users.byId(id);
      return agent === '' ? personOf(user, requests) : agentOf(user, agent);
    }),
    participant: once(async (name: string, requests: readonly string[]) =>
      personOf(await store.users.get(name), requests),
    ),
    device: once(async (id: string, userId: string) => ports.findDevice(id, userId)),
    labels: once(async (kind: LabelledKind, name: string) => (await store.resources.get(kind, name))?.labels ?? null),
  });

  const lockedOut = async (
    person: Person | null,
    target: Pick<LockSubject, 'login' | 'server' | 'desktop' | 'mfaDevices' | 'device'>,
  ): Promise<string | null> =>
    person && ports.barring({ user: person.user, roles: person.roles, ...target }, person.rights.options.locking);
  /** Why whoever began something is held back from all of it now. */
  const heldBack = async (person: Person | null, target: Parameters<typeof lockedOut>[1]): Promise<string | null> =>
    (await lockedOut(person, target)) ?? (person && openingRefusal(person));

  /** Why what was begun with a trusted device, or without one (''), may not go on. */
  async function untrusted(person: Person | null, device: string, reading: Reading): Promise<string | null> {
    if (person === null) return null;
    const trustedDevice = (await reading.device(device, person.userId)) ?? undefined;
    if (device !== '' && !trustedDevice) return DEVICE_GONE;
    const why = ports.deviceRefusal({ rights: person.rights, trustedDevice });
    return why === null ? null : `The session was ended: ${why}`;
  }

  /** Shows out whoever may not take part any more, and answers the roles of the others by their names. */
  async function checkOthers(
    { id, owner, parties }: LiveSession,
    { ownerId, reached, requestsOf }: SessionInfo,
    ownerRoles: readonly string[],
    target: Pick<LockSubject, 'login' | 'server'>,
    reading: Reading,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const others = new Map<string, readonly string[]>();
    for (const { id: participant, user, mode } of parties) {
      if (user === owner || mode === undefined) continue;
      const joined = await reading.participant(user, requestsOf?.(participant) ?? []);
      const modes = joined ? modesOf(joined, { ownerId, ownerRoles, ...(reached && { reached }) }) : [];
      if (joined) others.set(user, joined.roles);
      const out = await lockedOut(joined, target);
      if (out !== null || !modes.includes(mode))
        sessions.showOut(id, participant, out ?? 'You may no longer take part in this session.');
    }
    return others;
  }

  async function checkReached(running: SessionInfo, reached: Reached, reading: Reading): Promise<void> {
    // Each time it is asked for it is put together anew.
    const { session } = running;
    const { id, owner } = session;
    const { ownerId, agent, accessRequests, mfaDevices, trustedDevice: device } = running;
    const person = await reading.owner(ownerId, accessRequests, agent);
    const labels = await reading.labels(reached.kind, reached.name);
    const locked = await heldBack(person, { ...reached.subject, mfaDevices, device });
    const webSessionId = reached.webSessionId ?? running.impersonatedIn;
    const why =
      person?.over ??
      endOfOther({ owner, locked, rights: person?.rights ?? null }, rights => reached.refusal(rights, labels)) ??
      (await untrusted(person, device, reading)) ??
      (webSessionId === undefined ? null : await ports.webSessionOver({ webSessionId, userId: ownerId }));
    if (why !== null || person === null) {
      sessions.forbid(id, why ?? '');
      return;
    }
    const others = await checkOthers(session, running, person.roles, {}, reading);
    sessions.follow(id, { roles: person.roles, rights: person.rights, rolesOf: user => others.get(user) });
  }

  async function check(running: SessionInfo, reading: Reading): Promise<void> {
    const { session, ownerId, agent, accessRequests, mfaDevices, trustedDevice: device, reached } = running;
    if (reached) return checkReached(running, reached, reading);
    const { id, owner, login, server_hostname: hostname } = session;
    const person = await reading.owner(ownerId, accessRequests, agent);
    const labels = await reading.labels('node', session.server_id);
    const target = { login, server: session.server_id };
    const locked = await heldBack(person, { ...target, mfaDevices, device });
    const why =
      person?.over ??
      endOf({ owner, login, hostname, locked, rights: person?.rights ?? null, labels }) ??
      (await untrusted(person, device, reading)) ??
      (running.impersonatedIn === undefined
        ? null
        : await ports.webSessionOver({ webSessionId: running.impersonatedIn, userId: ownerId }));
    if (why !== null || person === null) {
      sessions.forbid(id, why ?? '');
      return;
    }
    const others = await checkOthers(session, running, person.roles, target, reading);
    sessions.follow(id, { roles: person.roles, rights: person.rights, rolesOf: user => others.get(user) });
  }

  async function checkFiles({ sid, who, target, login, devices }: FilesSession, reading: Reading): Promise<void> {
    const person = await reading.owner(who.userId, requestsOf(who));
    const labels = await reading.labels('node', target.id);
    const locked = await heldBack(person, { login, server: target.id, mfaDevices: devices, device: deviceOf(who) });
    const present = {
      owner: who.user,
      login,
      hostname: target.hostname,
      locked,
      rights: person?.rights ?? null,
      labels,
    };
    const why =
      (await ports.webSessionOver(who)) ??
      endOf(present) ??
      (await untrusted(person, deviceOf(who), reading)) ??
      (person && copyRefusal(person.rights));
    if (why !== null) files.forbid(sid, why);
  }

  async function checkPassage({ who, devices, reached, subject, end }: Passage, reading: Reading): Promise<void> {
    const person = await reading.owner(who.userId, requestsOf(who));
    const labels = await reading.labels(reached.kind, reached.name);
    const locked = await heldBack(person, { ...subject, mfaDevices: devices, device: deviceOf(who) });
    const present = { owner: who.user, locked, rights: person?.rights ?? null };
    const why =
      (await ports.webSessionOver(who)) ??
      endOfOther(present, rights => reached.refusal(rights, labels)) ??
      (await untrusted(person, deviceOf(who), reading));
    if (why !== null) end(why);
  }

  const checks = openChecks(
    async () => {
      const reading = read();
      const problems: unknown[] = [];
      const judged = [
        ...sessions.list().map(running => () => check(running, reading)),
        ...files.list().map(running => () => checkFiles(running, reading)),
        ...ports.passages.list().map(passage => () => checkPassage(passage, reading)),
      ];
      await inSlices(judged, async judge => {
        try {
          await judge();
        } catch (error) {
          // One that cannot be judged keeps none of the others from it, and is judged again by the next check.
          problems.push(error);
        }
      });
      if (problems.length > 0) throw problems[0];
    },
    error => report('whether running sessions may go on could not be judged', error),
  );
  const unsubscribe = ports.changes.subscribe(({ kind }) => {
    if (kind !== 'sessionEnded' && kind !== 'sessionChanged' && kind !== 'reviewsChanged') checks.now();
  });

  let isFirst = true;
  async function keepPlaces(): Promise<void> {
    const until = new Date(now().getTime() + PLACE_MS);
    const given = await store.sessionPlaces.keep(ports.gatewayId, ports.policy.held(), until);
    // Later on, what goes here are places that could not be given back: their sessions have ended in good order.
    const ours = isFirst ? given : [];
    isFirst = false;
    const cut = [...ours, ...(await store.sessionPlaces.prune(now()))];
    if (cut.length > 0) ports.cutShort(cut);
  }
  const failed = (error: unknown): void => report('the places of running sessions could not be kept', error);
  const keeping = setInterval(() => void keepPlaces().catch(failed), KEEP_EVERY_MS).unref();
  // What an earlier life of this gateway left counts no more.
  void keepPlaces().catch(failed);
  return {
    dispose() {
      unsubscribe();
      clearInterval(keeping);
      checks.dispose();
    },
  };
}

const DEVICE_GONE = 'The session was ended: the trusted device that it was begun with is not enrolled any more.';
const deviceOf = ({ trustedDevice }: Pick<Who, 'trustedDevice'>): string => trustedDevice?.id ?? '';
/** The access requests that something was begun with. */
const requestsOf = ({ grants }: Pick<Who, 'grants'>): readonly string[] => grants.map(({ request }) => request);

/** Asks for each thing once. */
function once<Key extends readonly (string | readonly string[] | undefined)[], Value>(
  ask: (...key: Key) => Promise<Value>,
): (...key: Key) => Promise<Value> {
  const asked = new Map<string, Promise<Value>>();
  return (...key) => {
    const name = JSON.stringify(key);
    const answer = asked.get(name) ?? ask(...key);
    asked.set(name, answer);
    return answer;
  };
}
