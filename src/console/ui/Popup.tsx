import { createAwaited } from './lazy.tsx';

/** The popup of a menu. Nobody opens one in the first second of a page: what places it comes by itself. */
export const Popup = createAwaited(async () => (await import('./FloatingPopup.tsx')).FloatingPopup);
