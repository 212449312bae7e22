// Signing in on a machine without a browser: the request waits in the store, so that any gateway may hear the question and the answer.

import { Failure } from '../../../contract/failure.ts';
import { HEADLESS_MS, HEADLESS_WAIT_MS, type headlessStates } from '../../../contract/headless.ts';
import type { Assertion } from '../../../contract/mfa.ts';
import type { AuditLog, Changes, Who } from '../../ports.ts';
import type { Challenges, MfaDevices, Users } from '../../store/store.ts';
import { deviceFields } from './factors/audited.ts';
import type { Factors } from './factors/factors.ts';
import { type CameFrom, fieldsOf, type LockOut } from './lock-out.ts';
import { digest } from './secrets.ts';
import type { SignIn } from './sign-in.ts';
import type { SignedIn } from './web-sessions.ts';

/** The store is looked at so often where no change was told, ms. */
const LOOK_EVERY_MS = 1000;
/** Calls that wait at once, of all and of one address or person. */
const WAITING_MOST = 500;
const WAITING_OF_ONE_MOST = 10;
const ASKED = 'headless';
const ACCEPTED = 'headless_accepted';
const DENIED = 'headless_denied';
const OVER = 'headless_over';
const INVALID = 'invalid headless session';

export interface HeadlessParts {
  readonly users: Users;
  readonly challenges: Challenges;
  readonly mfaDevices: Pick<MfaDevices, 'list'>;
  readonly factors: Pick<Factors, 'prove'>;
  readonly lockOut: LockOut;
  readonly signIn: Pick<SignIn, 'enter'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit' | 'subscribe'>;
  readonly clock: () => Date;
}
/** What is asked, as its person sees it. */
interface Request {
  readonly user: string;
  readonly from: CameFrom;
  readonly expires: Date;
  readonly state: keyof typeof headlessStates;
}

export interface Headless {
  /**
   * Asks, and waits a while; null: nobody has answered yet. The same of a name that nobody has. Throws Failure denied when the person said
   * no or nothing, limited when too many wait.
   */
  ask(
    given: { readonly user: string; readonly verifier: string },
    from: CameFrom,
    signal: AbortSignal,
  ): Promise<SignedIn | null>;
  /**
   * Waits until somebody asks; for three minutes, whoever has answered learns at once how. Throws Failure bad_request for a request that is not
   * there or is another person's, limited.
   */
  find(who: Who, id: string, signal: AbortSignal): Promise<Request>;
  /** Answers, once. Throws Failure bad_request; denied for a hardware key that does not hold. */
  answer(
    who: Who,
    id: string,
    given: { readonly accepted: boolean; readonly assertion: Assertion | null },
    from: CameFrom,
  ): Promise<void>;
}

export function createHeadless(parts: HeadlessParts): Headless {
  const { users, challenges, audit, changes, clock } = parts;
  const waiting = new Map<string, number>();
  let waitingAll = 0;
  const answerOf = (id: string): string => digest(`${id} answer`);

  /** Until something has changed, a second has passed, or nobody waits any more. */
  const pause = (signal: AbortSignal): Promise<void> =>
    new Promise(done => {
      const end = (): void => {
        clearTimeout(timer);
        unsubscribe();
        signal.removeEventListener('abort', end);
        done();
      };
      const timer = setTimeout(end, LOOK_EVERY_MS);
      const unsubscribe = changes.subscribe(({ kind }) => {
        if (kind === 'headlessChanged') end();
      });
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });

  /** Looks until there is something, for so long; null: there was nothing. */
  async function wait<Found>(
    key: string,
    mostMs: number,
    signal: AbortSignal,
    look: () => Promise<Found | null>,
  ): Promise<Found | null> {
    const mine = waiting.get(key) ?? 0;
    if (waitingAll >= WAITING_MOST || mine >= WAITING_OF_ONE_MOST)
      throw new Failure('limited', 'too many wait for an answer; try again in a minute');
    waiting.set(key, mine + 1);
    waitingAll += 1;
    try {
      const until = clock().getTime() + mostMs;
      for (;;) {
        const found = await look();
        if (found !== null || signal.aborted || clock().getTime() >= until) return found;
        await pause(signal);
      }
    } finally {
      waitingAll -= 1;
      const left = (waiting.get(key) ?? 1) - 1;
      if (left > 0) waiting.set(key, left);
      else waiting.delete(key);
    }
  }

  async function pending(id: string): Promise<Request | null> {
    const row = await challenges.get(id);
    if (row?.purpose !== ASKED || row.expires <= clock()) return null;
    return { ...(JSON.parse(row.scope) as Pick<Request, 'user' | 'from'>), expires: row.expires, state: 'pending' };
  }
  /** What this person has answered; nobody else learns that anybody did. */
  async function over({ userId }: Who, id: string): Promise<Request | null> {
    const row = await challenges.get(id);
    if (row?.purpose !== OVER || row.userId !== userId || row.expires <= clock()) return null;
    return { ...(JSON.parse(row.scope) as Pick<Request, 'user' | 'from' | 'state'>), expires: row.expires };
  }
  async function register(id: string, user: string, from: CameFrom): Promise<void> {
    const now = clock();
    const scope = JSON.stringify({ user, from });
    const userId = (await users.get(user))?.id ?? '';
    await challenges.create({ id, userId, purpose: ASKED, scope, expires: new Date(now.getTime() + HEADLESS_MS) }, now);
    changes.emit({ kind: 'headlessChanged' });
    await audit.emit({ code: 'T1012I', user, method: 'headless', success: true, ...fieldsOf(from) });
  }

  return {
    async ask({ user, verifier }, from, signal) {
      const id = digest(verifier);
      if ((await challenges.get(id)) === null && (await challenges.get(answerOf(id))) === null)
        await register(id, user, from);
      const answer = await wait(hostOf(from), HEADLESS_WAIT_MS, signal, async () => {
        // In this order: between the two an answered request is neither pending nor answered.
        const isPending = (await pending(id)) !== null;
        return (await challenges.take(answerOf(id))) ?? (isPending ? null : ('nothing' as const));
      });
      if (answer === null) return null;
      if (answer === 'nothing') throw new Failure('denied', 'nobody has approved this sign-in within three minutes');
      if (answer.purpose !== ACCEPTED) throw new Failure('denied', `${user} has refused this sign-in`);
      const owner = await users.byId(answer.userId);
      if (owner === null || answer.expires <= clock()) throw new Failure('denied', 'this sign-in is over');
      const device = (await parts.mfaDevices.list(owner.id)).find(one => one.id === answer.scope) ?? null;
      return parts.signIn.enter(owner, device, from, 'headless');
    },

    async find(who, id, signal) {
      const found = await wait(
        who.userId,
        HEADLESS_MS,
        signal,
        async () => (await pending(id)) ?? (await over(who, id)),
      );
      if (found?.user !== who.user) throw new Failure('bad_request', INVALID);
      return found;
    },

    async answer(who, id, { accepted, assertion }, from) {
      const request = await pending(id);
      if (request?.user !== who.user) throw new Failure('bad_request', INVALID);
      const device = accepted
        ? await parts.lockOut.attempt(who.user, from, {
            prove: () => parts.factors.prove(who.userId, { assertion }, 'account'),
            code: 'T1013W',
          })
        : null;
      const taken = await challenges.take(id);
      if (taken === null || taken.expires <= clock()) throw new Failure('bad_request', INVALID);
      const now = clock();
      const answered = { userId: who.userId, expires: new Date(now.getTime() + HEADLESS_MS) };
      const purpose = accepted ? ACCEPTED : DENIED;
      await challenges.create({ ...answered, id: answerOf(id), purpose, scope: device?.id ?? '' }, now);
      const { user, from: asker } = request;
      const scope = JSON.stringify({ user, from: asker, state: accepted ? 'approved' : 'denied' });
      await challenges.create({ ...answered, id, purpose: OVER, scope }, now);
      changes.emit({ kind: 'headlessChanged' });
      await audit.emit({
        code: accepted ? 'T1013I' : 'T1014W',
        user: who.user,
        method: 'headless',
        success: accepted,
        ...(device && { mfa_device: deviceFields(device) }),
        ...fieldsOf(from),
      });
    },
  };
}

/** The address without its port. */
export const hostOf = ({ remoteAddr }: CameFrom): string => remoteAddr.replace(/:\d+$/, '');
