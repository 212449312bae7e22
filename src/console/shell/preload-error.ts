// When a page's own files cannot be loaded, usually because the gateway was updated since the page was opened.

/**
 * Vite raises `vite:preloadError` on the window when an on-demand file fails to load, and rethrows unless the event is cancelled
 * (specification section 1). The page is loaded anew once; if that was just done, the error goes on to the error page.
 */
export function hearPreloadErrors(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  now: () => number,
  reload: () => void,
): (event: Event) => void {
  return event => {
    const last = Number(storage.getItem(KEY) ?? 0);
    if (now() - last < RELOAD_AGAIN_MS) return;
    storage.setItem(KEY, String(now()));
    event.preventDefault();
    reload();
  };
}
const KEY = 'postern:reloaded';
/** A second failure within this time is not mended by loading again. */
const RELOAD_AGAIN_MS = 30_000;
