// Events of a time range, fetched part by part.
import { proxy, ref } from 'valtio/vanilla';
import { toApiError } from '../../client/errors.ts';
import type { AuditEvent } from '../../contract/audit.ts';
import type { ApiError } from '../../contract/failure.ts';
import type { Answered } from './answers.ts';

export interface EventsState {
  status: 'initial' | 'processing' | 'success' | 'failed';
  events: readonly AuditEvent[];
  startKey: string;
  error: ApiError | null;
}
export interface Bounds {
  readonly from: string;
  readonly to: string;
}
export type FetchEvents = (
  asked: Bounds & { readonly startKey?: string },
) => Promise<{ readonly events: readonly AuditEvent[]; readonly startKey: string }>;

/** Events kept in the page: more would not be read, and what comes live must not fill memory (specification section 9). */
const KEPT_MOST = 5000;

/** Of an answer that is kept for the next visit: a few pages of rows. */
const REMEMBERED_MOST = 500;

/** Newest first. Another range starts anew; "Fetch More" keeps range and place. Late answers to older questions are dropped. */
export function createEvents(fetchEvents: FetchEvents, answered?: Answered<readonly AuditEvent[]>) {
  const state = proxy<EventsState>({ status: 'initial', events: [], startKey: '', error: null });
  let asked = 0;
  let bounds: Bounds = { from: '', to: '' };
  /** The question without its times, which are others every time. */
  let question = '';
  /** What happened until then may be missing in the answer that is awaited. */
  let behind: Date | null = null;

  async function ask(startKey: string): Promise<void> {
    asked += 1;
    const mine = asked;
    state.status = 'processing';
    try {
      const found = await fetchEvents(startKey === '' ? bounds : { ...bounds, startKey });
      if (mine !== asked) return;
      const before = startKey === '' ? [] : state.events;
      if (startKey === '') answered?.keep(question, found.events.slice(0, REMEMBERED_MOST));
      Object.assign(state, {
        status: 'success',
        events: ref([...before, ...found.events]),
        startKey: found.startKey,
        error: null,
      });
    } catch (error) {
      if (mine === asked) Object.assign(state, { status: 'failed', error: ref(toApiError(error)) });
    }
    if (mine !== asked || behind === null) return;
    const until = behind;
    behind = null;
    await tail(until);
  }
  async function tail(now: Date): Promise<void> {
    if (state.status === 'processing') {
      behind = now;
      return;
    }
    const mine = asked;
    const since = state.events[0]?.time ?? bounds.from;
    try {
      const found = await fetchEvents({ from: since, to: now.toISOString() });
      if (mine !== asked) return;
      const known = new Set(state.events.map(event => event.uid));
      const added = found.events.filter(event => !known.has(event.uid));
      if (added.length > 0) state.events = ref([...added, ...state.events].slice(0, KEPT_MOST));
      if (state.error !== null) Object.assign(state, { status: 'success', error: null });
    } catch (error) {
      if (mine === asked) Object.assign(state, { status: 'failed', error: ref(toApiError(error)) });
    }
  }
  return {
    state,
    /** `about`: what else the question says than its times. */
    load: (next: Bounds, about = ''): Promise<void> => {
      bounds = next;
      question = about;
      const known = answered?.read(about);
      if (known !== undefined) Object.assign(state, { events: ref([...known]), startKey: '', error: null });
      return ask('');
    },
    more: (): Promise<void> => (state.startKey === '' ? Promise.resolve() : ask(state.startKey)),
    /** Puts what has happened since above the rest: rows stay. While another answer is awaited, as soon as that is there. */
    tail,
  };
}
