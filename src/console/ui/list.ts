// The list on screen, as the keyboard sees it: a table puts its handle in the slot, whoever owns the keys takes it out.
import { createContext } from 'react';

export interface ListHandle {
  move(by: number | 'first' | 'last'): void;
  filter(): void;
  mark(): void;
  menu(): void;
  open(): void;
  /** What a list does beside moving; `ListAct` of the commands names it. */
  act(what: string): void;
}

export interface ListSlot {
  /** Puts a list in the slot; the answer takes it out again. */
  readonly put: (handle: ListHandle) => () => void;
}

export const ListSlotContext = createContext<ListSlot>({ put: () => () => {} });
