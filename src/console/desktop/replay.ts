// The door of desktops for whoever plays one back: what draws it comes when it is wanted.
export type { DesktopReplay } from './vnc-replay.ts';
export const loadVncReplay = () => import('./vnc-replay.ts');
