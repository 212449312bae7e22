// The door of desktops. What draws one comes when it is opened: no other page loads it.
export { Desktop, type DesktopPorts } from './Desktop.tsx';
export { Watch } from './Watch.tsx';
