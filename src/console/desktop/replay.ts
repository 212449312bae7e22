// The door of desktops for whoever plays one back: what draws it comes when it is wanted.
import type { DesktopProtocol } from '../../contract/resources.ts';
import type { DesktopReplay } from './vnc-replay.ts';

export { momentOf, readMoment } from './picture.ts';
export type { DesktopReplay } from './vnc-replay.ts';
/** By what the desktop spoke. */
export const loadReplay = async (protocol: DesktopProtocol): Promise<(into: HTMLElement) => DesktopReplay> =>
  protocol === 'vnc'
    ? (await import('./vnc-replay.ts')).openVncReplay
    : (await import('./rdp-replay.ts')).openRdpReplay;
