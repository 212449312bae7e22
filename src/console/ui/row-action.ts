// What Enter does on a row of a table: whatever the row draws puts it into the row's slot, and the table takes it from there.
import { createContext, useContext, useLayoutEffect } from 'react';

export interface RowAction {
  /** As it stands in the row's menu, such as "Connect to db-3". */
  readonly title: string;
  /** Why it cannot be done; whoever runs it all the same is told. */
  readonly refused?: string | undefined;
  readonly run: () => void;
}

/** Holds the action of one row; null while the row has none. */
export interface RowSlot {
  current: RowAction | null;
}

export const RowSlotContext = createContext<RowSlot | null>(null);

/** Makes this the first action of the row around the calling component; null: it has none. */
export function useRowAction(action: RowAction | null): void {
  const slot = useContext(RowSlotContext);
  useLayoutEffect(() => {
    if (slot === null || action === null) return;
    slot.current = action;
    return () => {
      if (slot.current === action) slot.current = null;
    };
  });
}
