// The door of the terminals. Nothing here loads xterm: `loadPane` does, when a terminal is first wanted.
export { companyText, keysGoTo } from './company.ts';
export { createTerminals } from './on-demand.ts';
export type { TabAddress } from './ports.ts';
export { userOf } from './tab.ts';
export { type DesktopTabProps, type FrameTerminals, frontOf, type PageTerminals, shownIn } from './terminals.ts';

/** Loads the pane with xterm. Draw it whenever `state.tabs.length > 0`, also while the pane is closed: sessions run on behind it. */
export const loadPane = () => import('./Pane.tsx');
