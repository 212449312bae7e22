// The leave-page prompt for the ways out that are the browser's own.
import { currentPath, follow, leaving } from './navigation.ts';

/**
 * Holds the browser's own ways out of a guarded page: back and forward are taken back and asked about, closing the window gets the
 * browser's prompt. Call it before anything listens to the history. The answer ends it.
 */
export function openExits(): () => void {
  let shown = currentPath();
  const moved = (): void => {
    shown = currentPath();
  };
  const back = (event: PopStateEvent): void => {
    const wanted = currentPath();
    if (!leaving.isGuarded() || wanted === shown) {
      moved();
      return;
    }
    event.stopImmediatePropagation();
    history.pushState(null, '', shown);
    follow(wanted);
  };
  const unload = (event: BeforeUnloadEvent): void => {
    if (leaving.isGuarded()) event.preventDefault();
  };
  addEventListener('popstate', back, { capture: true });
  addEventListener('beforeunload', unload);
  for (const name of ['pushState', 'replaceState']) addEventListener(name, moved);
  return () => {
    removeEventListener('popstate', back, { capture: true });
    removeEventListener('beforeunload', unload);
    for (const name of ['pushState', 'replaceState']) removeEventListener(name, moved);
  };
}
