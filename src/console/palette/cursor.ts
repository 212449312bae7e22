// What the palette shows, and the cursor on its rows. Rows that come late stand below the cursor: what is under it never moves.
import { ref } from 'valtio/vanilla';
import { RANKED_MOST } from '../../../commands/rank.ts';
import type { ManualLinkId } from '../../features/manual.ts';
import type { Typing } from './finder.ts';
import type { PickedChip } from './picking.ts';
import type { Row } from './rows.ts';

interface PaletteState {
  open: boolean;
  typed: string;
  rows: readonly Row[];
  /** Id of the row under the cursor, '' when there is none. */
  cursor: string;
  /** The gateway has been asked and has not answered. */
  busy: boolean;
  /** What went wrong, or that nothing was found; '' otherwise. */
  message: string;
  /** More fits than is shown. */
  hasMore: boolean;
  /** How the line that is being typed goes on; null when it is no command. */
  usage: Typing | null;
  /** Title of the command that is asking; '' while finding. */
  command: string;
  /** What the manual says of that command; null where it says nothing. */
  manual: ManualLinkId | null;
  /** The question on screen; '' while finding. */
  prompt: string;
  chips: readonly PickedChip[];
}

/** A palette that has never been open. */
export const emptyState = (): PaletteState => ({
  open: false,
  typed: '',
  rows: ref([]),
  cursor: '',
  busy: false,
  message: '',
  hasMore: false,
  usage: null,
  command: '',
  manual: null,
  prompt: '',
  chips: [],
});

/** The rows on screen and the cursor on them. */
export function createCursor(state: Pick<PaletteState, 'rows' | 'cursor'>) {
  function show(rows: readonly Row[]): void {
    state.rows = ref([...rows]);
    state.cursor = rows[0]?.id ?? '';
  }
  return {
    show,
    /** Rows that came late: what is on screen down to the cursor stays. */
    add(fresh: readonly Row[]): void {
      const kept = state.rows.slice(0, state.rows.findIndex(row => row.id === state.cursor) + 1);
      const ids = new Set(kept.map(row => row.id));
      const { cursor } = state;
      show([...kept, ...fresh.filter(row => !ids.has(row.id))].slice(0, RANKED_MOST));
      if (kept.length > 0) state.cursor = cursor;
    },
    under: (): Row | undefined => state.rows.find(row => row.id === state.cursor),
    /** Moves the cursor by rows; from either end to the other by one, else only as far as there are rows. */
    move(by: number | 'first' | 'last'): void {
      const { rows } = state;
      const last = rows.length - 1;
      const at = rows.findIndex(row => row.id === state.cursor);
      const wanted = by === 'first' ? 0 : by === 'last' ? last : at + by;
      const next =
        Math.abs(Number(by)) === 1
          ? (wanted + rows.length) % Math.max(rows.length, 1)
          : Math.max(0, Math.min(last, wanted));
      state.cursor = rows[next]?.id ?? '';
    },
    moveTo(id: string): void {
      if (state.rows.some(row => row.id === id)) state.cursor = id;
    },
  };
}
