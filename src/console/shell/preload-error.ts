// When a page's own files cannot be loaded, usually because the gateway was updated since the page was opened.

/**
 * Vite raises `vite:preloadError` on the window when an on-demand file fails to load, and rethrows unless the event is cancelled
 * (specification section 1). If the gateway answers, its files are others by now, and the page is loaded anew, once; if it does not, or if
 * that was just done, the error is all there is: a page that was loaded anew then would be gone with all that is on it.
 */
export function hearPreloadErrors(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  now: () => number,
  /** Whether the gateway answers. */
  answers: () => Promise<boolean>,
  reload: () => void,
): () => Promise<void> {
  return async () => {
    const isLately = (): boolean => now() - Number(storage.getItem(KEY) ?? 0) < RELOAD_AGAIN_MS;
    if (isLately() || !(await answers()) || isLately()) return;
    storage.setItem(KEY, String(now()));
    reload();
  };
}
const KEY = 'postern:reloaded';
/** A second failure within this time is not mended by loading again. */
const RELOAD_AGAIN_MS = 30_000;
