// The list on screen, as the keyboard sees it: a table puts its handle in the slot, whoever owns the keys takes it out.
import { createContext } from 'react';

/** What a list does beside moving: sorting, paging, and what its tools offer. */
export type ListAct =
  | 'sort'
  | 'reverse'
  | 'nextPage'
  | 'previousPage'
  | 'pin'
  | 'copy'
  | 'columns'
  | 'views'
  | 'clear'
  | 'advanced'
  | 'live'
  | 'types'
  | 'exportCsv'
  | 'exportNdjson';

export interface ListHandle {
  move(by: number | 'first' | 'last'): void;
  filter(): void;
  mark(): void;
  menu(): void;
  open(): void;
  act(what: ListAct): void;
}

export interface ListSlot {
  /** Puts a list in the slot; the answer takes it out again. */
  readonly put: (handle: ListHandle) => () => void;
}

export const ListSlotContext = createContext<ListSlot>({ put: () => () => {} });
