// When a page's own files cannot be loaded: the gateway was updated since the page was opened, or the network failed.

/**
 * Vite raises `vite:preloadError` on the window when an on-demand file fails to load, and rethrows unless the event is cancelled
 * (specification section 1). If the gateway serves another build by now, the page is loaded anew, once. In every other case the file can
 * still be had when it is next wanted, and a page that was loaded anew would lose what is typed while the network is away.
 */
export function hearPreloadErrors(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  now: () => number,
  /** Whether the gateway answers, with another build than the one this page is of. */
  isOutdated: () => Promise<boolean>,
  reload: () => void,
): () => Promise<void> {
  return async () => {
    const isLately = (): boolean => now() - Number(storage.getItem(KEY) ?? 0) < RELOAD_AGAIN_MS;
    if (isLately() || !(await isOutdated()) || isLately()) return;
    storage.setItem(KEY, String(now()));
    reload();
  };
}
const KEY = 'postern:reloaded';
/** A second failure within this time is not mended by loading again. */
const RELOAD_AGAIN_MS = 30_000;
