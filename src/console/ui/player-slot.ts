// The player on screen, as commands see it: it puts what it does in the slot, whoever runs commands takes it out.
import { createContext } from 'react';

/** Does one thing, such as `toggle`; `PlayerAct` of the commands names them. */
export type Act = (act: string) => void;

export interface PlayerSlot {
  /** Puts a player in the slot; the answer takes it out again. */
  readonly put: (act: Act) => () => void;
}

/** A slot, and what does what is in it; nothing happens while it is empty. */
export function createSlot(): PlayerSlot & { readonly act: Act } {
  let there: Act | null = null;
  return {
    put(act) {
      there = act;
      return () => {
        if (there === act) there = null;
      };
    },
    act: asked => there?.(asked),
  };
}

export const PlayerSlotContext = createContext<PlayerSlot>({ put: () => () => {} });
