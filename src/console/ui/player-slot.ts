// The player on screen, as commands see it: it puts what it does in the slot, whoever runs commands takes it out.
import { createContext } from 'react';

/** Does one thing, such as `toggle`; `PlayerAct` of the commands names them. */
export type Act = (act: string) => void;

export interface PlayerSlot {
  /** Puts a player in the slot; the answer takes it out again. */
  readonly put: (act: Act) => () => void;
}

export const PlayerSlotContext = createContext<PlayerSlot>({ put: () => () => {} });
