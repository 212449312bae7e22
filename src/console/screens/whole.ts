// A list that one call answers whole, asked when its page opens and again on demand.
import { proxy, ref } from 'valtio/vanilla';
import { toApiError } from '../../client/errors.ts';
import type { ApiError } from '../../contract/failure.ts';
import type { Answered } from './answers.ts';

export interface WholeState<Row> {
  status: 'initial' | 'processing' | 'success' | 'failed';
  rows: readonly Row[];
  error: ApiError | null;
}

/** Rows stay while it is asked again, those of the last time too; a late answer to an older question is dropped. */
export function createWhole<Row>(fetchRows: () => Promise<readonly Row[]>, answered?: Answered<readonly Row[]>) {
  const state = proxy<WholeState<Row>>({ status: 'initial', rows: [], error: null });
  let asked = 0;
  return {
    state,
    load: async (): Promise<void> => {
      asked += 1;
      const mine = asked;
      const known = asked === 1 ? answered?.read('') : undefined;
      Object.assign(state, { status: 'processing', ...(known && { rows: ref([...known]) }) });
      try {
        const rows = await fetchRows();
        // References: rows are never changed, and a thousand proxies would cost more than they give.
        if (mine !== asked) return;
        answered?.keep('', rows);
        Object.assign(state, { status: 'success', rows: ref([...rows]), error: null });
      } catch (error) {
        if (mine === asked) Object.assign(state, { status: 'failed', error: ref(toApiError(error)) });
      }
    },
  };
}
