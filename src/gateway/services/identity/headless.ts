// Signing in on a machine without a browser: the request waits in the store, so that any gateway may hear the question and the answer.

import { Failure } from '../../../contract/failure.ts';
import { HEADLESS_MS, HEADLESS_WAIT_MS, type headlessStates } from '../../../contract/headless.ts';
import type { Assertion } from '../../../contract/mfa.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Who } from '../../ports/who.ts';
import type { Challenges, MfaDevices, Users } from '../../store/store.ts';
import { digest } from '../secrets.ts';
import { deviceFields } from './factors/audited.ts';
import type { Factors } from './factors/factors.ts';
import { type CameFrom, fieldsOf, type LockOut } from './lock-out.ts';
import type { SignIn } from './sign-in.ts';
import type { SignedIn } from './web-sessions.ts';

/** The store is looked at so often where no change was told, ms. */
const LOOK_EVERY_MS = 1000;
/** Calls that wait at once, of all and of one address or person. */
const WAITING_MOST = 500;
const WAITING_OF_ONE_MOST = 10;
/** A request is one row, whose purpose says how far it is: asked, answered, and told to whoever asked. */
const ASKED = 'headless';
const ANSWERED = 'headless_answered';
const TOLD = 'headless_told';
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
interface Request extends Scope {
  readonly userId: string;
  readonly expires: Date;
  readonly purpose: string;
}
/** What the store keeps of it, as JSON. */
interface Scope {
  readonly user: string;
  readonly from: CameFrom;
  readonly state: keyof typeof headlessStates;
  /** Id of the device that has approved; empty: none. */
  readonly device: string;
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

  /** A request that can be answered, or was lately. */
  async function request(id: string): Promise<Request | null> {
    const row = await challenges.get(id);
    if (row === null || ![ASKED, ANSWERED, TOLD].includes(row.purpose) || row.expires <= clock()) return null;
    return { ...(JSON.parse(row.scope) as Scope), userId: row.userId, expires: row.expires, purpose: row.purpose };
  }
  /** Puts a request one step on, if nobody else has meanwhile. */
  const step = (id: string, from: string, { userId, expires, purpose, ...scope }: Request): Promise<boolean> =>
    challenges.change(from, { id, userId, expires, purpose, scope: JSON.stringify(scope satisfies Scope) });
  /** As its person may see it: to everybody else one that was answered is not there. */
  async function shown({ userId }: Who, id: string): Promise<Request | null> {
    const found = await request(id);
    return found?.state === 'pending' || found?.userId === userId ? found : null;
  }
  async function register(id: string, user: string, from: CameFrom): Promise<void> {
    const now = clock();
    const scope = JSON.stringify({ user, from, state: 'pending', device: '' } satisfies Scope);
    const userId = (await users.get(user))?.id ?? '';
    await challenges.create({ id, userId, purpose: ASKED, scope, expires: new Date(now.getTime() + HEADLESS_MS) }, now);
    changes.emit({ kind: 'headlessChanged' });
    await audit.emit({ code: 'T1012I', user, method: 'headless', success: true, ...fieldsOf(from) });
  }

  return {
    async ask({ user, verifier }, from, signal) {
      const id = digest(verifier);
      if ((await challenges.get(id)) === null) await register(id, user, from);
      const answer = await wait(hostOf(from), HEADLESS_WAIT_MS, signal, async () => {
        const found = await request(id);
        if (found?.purpose === ASKED) return null;
        const isFirst = found !== null && (await step(id, ANSWERED, { ...found, purpose: TOLD }));
        return isFirst ? found : ('nothing' as const);
      });
      if (answer === null) return null;
      if (answer === 'nothing') throw new Failure('denied', 'nobody has approved this sign-in within three minutes');
      if (answer.state !== 'approved') throw new Failure('denied', `${user} has refused this sign-in`);
      const owner = await users.byId(answer.userId);
      if (owner === null) throw new Failure('denied', 'this sign-in is over');
      const device = (await parts.mfaDevices.list(owner.id)).find(one => one.id === answer.device) ?? null;
      return parts.signIn.enter(owner, device, from, 'headless');
    },

    async find(who, id, signal) {
      const found = await wait(who.userId, HEADLESS_MS, signal, () => shown(who, id));
      if (found?.user !== who.user) throw new Failure('bad_request', INVALID);
      return found;
    },

    async answer(who, id, { accepted, assertion }, from) {
      const asked = await request(id);
      if (asked?.user !== who.user || asked.purpose !== ASKED) throw new Failure('bad_request', INVALID);
      const device = accepted
        ? await parts.lockOut.attempt(who.user, from, {
            prove: () => parts.factors.prove(who.userId, { assertion }, 'account'),
            code: 'T1013W',
          })
        : null;
      const now = clock();
      const answered: Request = {
        ...asked,
        userId: who.userId,
        expires: new Date(now.getTime() + HEADLESS_MS),
        purpose: ANSWERED,
        state: accepted ? 'approved' : 'denied',
        device: device?.id ?? '',
      };
      if (asked.expires <= now || !(await step(id, ASKED, answered))) throw new Failure('bad_request', INVALID);
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
