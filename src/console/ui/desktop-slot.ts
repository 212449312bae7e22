// The desktop on screen, as commands see it: it puts what it does in the slot, whoever runs commands takes it out.
import { createContext } from 'react';
import type { PlayerSlot } from './player-slot.ts';

export const DesktopSlotContext = createContext<PlayerSlot>({ put: () => () => {} });
