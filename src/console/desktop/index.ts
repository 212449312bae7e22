// The door of desktops. What draws one comes when it is opened: no other page loads it.
export { OpenDesktop, type OpenDesktopPorts } from './OpenDesktop.tsx';
export { Watch } from './Watch.tsx';
