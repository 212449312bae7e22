// Signing out: the web session ends at the gateway, what it kept here goes, then the person is at login (specification section 4).
import { ApiError } from '../../contract/failure.ts';
import { loginLink } from './redirect.ts';
import { clearStorage, type KeyValueStorage, keys } from './storage.ts';

export interface SignOutPorts {
  readonly storage: KeyValueStorage;
  /** Ends the web session at the gateway. */
  readonly end: () => Promise<unknown>;
  /** Path and query of the page on screen. */
  readonly here: () => string;
  /** Leaves for login, with nothing asked. */
  readonly go: (loginLink: string) => void;
}

/** Signs out once, however often it is asked; `comeBack` brings the person back to this page, `endSession` is false when another tab did that. */
export function createSignOut({ storage, end, here, go }: SignOutPorts) {
  let leaving = false;
  /** Whether the gateway knows by now that the session is over. */
  const endAtGateway = async (): Promise<boolean> => {
    try {
      await end();
      return true;
    } catch (error) {
      // Already over there, or not reachable: the person leaves all the same.
      if (error instanceof ApiError) return error.code !== 'network';
      console.warn(`The session could not be ended at the gateway: ${String(error)}`);
      return false;
    }
  };
  return async (comeBack: boolean, endSession: boolean): Promise<void> => {
    if (leaving) return;
    leaving = true;
    const link = comeBack ? loginLink(here()) : loginLink('');
    const isOver = !endSession || (await endAtGateway());
    const lastActive = storage.getItem(keys.lastActive);
    clearStorage(storage);
    // A gateway that was not reached still has the session: whoever comes back with its cookie is checked for inactivity on entry.
    if (!isOver && lastActive !== null) storage.setItem(keys.lastActive, lastActive);
    go(link);
  };
}
