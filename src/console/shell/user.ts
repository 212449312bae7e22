// Who is signed in, asked once when the console opens (specification section 4, "Authenticated gate").
import { proxy, ref } from 'valtio/vanilla';
import { toApiError } from '../../client/errors.ts';
import type { ApiError } from '../../contract/failure.ts';
import type { UserContext } from '../../contract/session.ts';

export interface UserState {
  status: 'initial' | 'processing' | 'success' | 'failed';
  who: UserContext | null;
  error: ApiError | null;
}

/** The signed-in person. A 403 means that the session is over; any other failure is shown. */
export function createUser(load: () => Promise<UserContext>, refused: () => void) {
  const state = proxy<UserState>({ status: 'initial', who: null, error: null });
  return {
    state,
    /** The person as they are now, in place of what was known. */
    know: (who: UserContext): void => {
      state.who = ref(who);
    },
    load: async (): Promise<void> => {
      state.status = 'processing';
      try {
        // A reference: nobody changes parts of it, and reading it costs nothing.
        Object.assign(state, { status: 'success', who: ref(await load()), error: null });
      } catch (thrown) {
        const error = toApiError(thrown);
        if (error.response?.status === 403) refused();
        else Object.assign(state, { status: 'failed', error: ref(error) });
      }
    },
  };
}
export type UserStore = ReturnType<typeof createUser>;
