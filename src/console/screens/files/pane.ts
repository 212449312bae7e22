// One pane: where it is, and what is there. A late answer of a folder that was left meanwhile is dropped.
import { proxy, ref } from 'valtio/vanilla';
import { toApiError } from '../../../client/errors.ts';
import type { ApiError } from '../../../contract/failure.ts';
import type { FileEntry } from '../../../contract/files.ts';
import type { Looks } from '../../terminal/files/looks.ts';
import type { Place } from '../../terminal/files/place.ts';

interface PaneState {
  /** Whose files; null: this computer. */
  place: Place | null;
  /** As it was asked for until the host has said where that is. */
  path: string;
  entries: readonly FileEntry[];
  whole: boolean;
  busy: boolean;
  error: ApiError | null;
  /** Only names that hold it are listed. */
  filter: string;
  /** Name of the entry to stand on, once it is there. */
  goal: string;
  /** Folders that were shown so far: another one is there when it grows. */
  visits: number;
}
export interface PaneStore {
  readonly state: PaneState;
  /** Shows a folder; null: this computer. `goal`: the entry to stand on. Settles when it is shown, or its refusal is. */
  show(place: Place | null, path?: string, goal?: string): Promise<void>;
  /** Goes to a folder of the same host. Answers false where what may be a file is one, and stays. */
  enter(path: string, how?: { readonly goal?: string; readonly mayBeFile?: boolean }): Promise<boolean>;
  /** Asks again. */
  reload(): Promise<void>;
  /** Narrows the list; where the gateway gave only the first entries, it is asked for the others. */
  find(filter: string): Promise<void>;
}

/** Where each login begins. */
const HOME = '~';

/** `onPath`: hears where the pane is whenever it went somewhere. */
export function createPane(looks: Pick<Looks, 'list'>, onPath: (place: Place | null, path: string) => void): PaneStore {
  const state = proxy<PaneState>({
    place: null,
    path: HOME,
    entries: [],
    whole: true,
    busy: false,
    error: null,
    filter: '',
    goal: '',
    visits: 0,
  });
  let asked = 0;
  /** What the entries were asked for with. */
  let searched = '';
  async function list(place: Place, path: string, search = ''): Promise<ApiError | null> {
    const mine = ++asked;
    state.busy = true;
    try {
      const found = await looks.list(place, path, search);
      if (mine !== asked) return null;
      // Nobody changes them, and there may be many.
      Object.assign(state, { ...found, entries: ref([...found.entries]), error: null });
      searched = search;
      onPath(place, found.path);
      return null;
    } catch (error) {
      return mine === asked ? toApiError(error) : null;
    } finally {
      if (mine === asked) state.busy = false;
    }
  }
  return {
    state,
    async show(place, path = HOME, goal = '') {
      Object.assign(state, { place, path, entries: ref([]), whole: true, error: null, filter: '', goal });
      if (place === null) {
        asked++;
        state.busy = false;
        return onPath(null, path);
      }
      state.error = await list(place, path);
      state.visits++;
    },
    async enter(path, { goal = '', mayBeFile = false } = {}) {
      const { place } = state;
      if (place === null) return false;
      const error = await list(place, path);
      if (error !== null) {
        if (mayBeFile && error.code === 'bad_request') return false;
        state.error = error;
        return true;
      }
      Object.assign(state, { filter: '', goal, visits: state.visits + 1 });
      return true;
    },
    async reload() {
      const { place, path } = state;
      if (place !== null) state.error = await list(place, path, searched);
    },
    async find(filter) {
      const { place, path, whole } = state;
      state.filter = filter;
      if (place !== null && (!whole || searched !== '')) state.error = await list(place, path, filter);
    },
  };
}
