// Whether somebody may go on in an application, by what the store says now.
import { Failure } from '../../../../contract/failure.ts';
import type { ApplicationTarget } from '../../../ports/applications.ts';
import type { Barring, Who } from '../../../ports/who.ts';

export interface JudgingParts {
  /** The person as they are now. Throws Failure signed_out when their web session is over. */
  readonly again: (of: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>) => Promise<Who>;
  readonly barring: Barring;
  /** Why roles do not let somebody go on in an application; null: they do. */
  readonly refusal: (rights: Who['rights'], application: ApplicationTarget) => string | null;
}

/** Why they may not; null: they may. Person and application of the entry are brought up to date. `current`: the application as it is now; null: it is another. */
export async function refusalNow<App extends ApplicationTarget>(
  parts: JudgingParts,
  entry: { who: Who; app: App },
  current: (app: App) => Promise<App | null>,
): Promise<string | null> {
  try {
    entry.who = await parts.again(entry.who);
    const now = await current(entry.app);
    if (!now) return 'The application was changed.';
    const refusal = parts.refusal(entry.who.rights, now);
    if (refusal !== null) return refusal;
    entry.app = now;
    const { user, roles, mfaDevice, trustedDevice, rights } = entry.who;
    return await parts.barring(
      { user, roles, mfaDevices: [mfaDevice], device: trustedDevice?.id },
      rights.options.locking,
    );
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
